#include "model/table_io.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "model/table_forms.h"
#include "model/table_head.h"

namespace quadrille {

namespace {

constexpr std::uint64_t most_text = 0xfffffff0;  // spans hold 32-bit offsets

Result<SendTable> not_a_table(std::string_view text, std::uint32_t source_number) {
  const auto line_end = static_cast<std::uint32_t>(std::min<std::size_t>(std::min(text.find('\n'), text.size()), 80));
  return error_at({source_number, 0, line_end},
                  "this is not a send table: one begins with `# quadrille-table 1` or is a JSON object with "
                  "\"quadrille_table\"");
}

// A copy of the bytes at an address fit for binary tables.
SharedBytes aligned_copy(std::string_view bytes) {
  auto words = std::make_shared<std::vector<std::uint64_t>>((bytes.size() + 7) / 8);
  if (!bytes.empty()) std::memcpy(words->data(), bytes.data(), bytes.size());
  const std::string_view copy(reinterpret_cast<const char*>(words->data()), bytes.size());
  return {std::move(words), copy};
}

// Closes the file on leaving the block.
class OpenFile {
 public:
  explicit OpenFile(const std::string& path) : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

// The file's bytes mapped into memory; nothing if it cannot be mapped (a pipe, an empty file).
std::optional<SharedBytes> mapped(const OpenFile& file) {
  struct stat status {};
  if (::fstat(file.descriptor(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_size <= 0) return std::nullopt;
  const auto size = static_cast<std::size_t>(status.st_size);
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file.descriptor(), 0);
  if (address == MAP_FAILED) return std::nullopt;
  const std::shared_ptr<const void> owner(address, [size](const void* it) { ::munmap(const_cast<void*>(it), size); });
  return SharedBytes{owner, {static_cast<const char*>(address), size}};
}

// Everything that can be read from the file; nothing if reading fails.
std::optional<std::string> contents(const OpenFile& file) {
  std::string text;
  std::vector<char> piece(std::size_t{1} << 20);
  while (true) {
    const ssize_t count = ::read(file.descriptor(), piece.data(), piece.size());
    if (count == 0) return text;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::nullopt;
    text.append(piece.data(), static_cast<std::size_t>(count));
  }
}

Diagnostic unreadable(const std::string& path) {
  return error_at({}, fmt::format("cannot read {}: {}", path, std::strerror(errno)));
}

}  // namespace

std::optional<TableFormat> table_format_named(std::string_view name) {
  if (name == "csv") return TableFormat::csv;
  if (name == "json") return TableFormat::json;
  if (name == "binary") return TableFormat::binary;
  return std::nullopt;
}

bool write_table(const SendTable& table, TableFormat format, const Sink& sink) {
  switch (format) {
    case TableFormat::csv:
      return write_csv(table, sink);
    case TableFormat::json:
      return write_json(table, sink);
    case TableFormat::binary:
      return write_binary(table, sink);
  }
  return false;
}

std::optional<TableFormat> recognise_table(std::string_view beginning) {
  if (beginning.starts_with(byte_order_mark)) beginning.remove_prefix(byte_order_mark.size());
  auto line = beginning.substr(0, beginning.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.starts_with("# quadrille-table ")) return line.ends_with(" binary") ? TableFormat::binary : TableFormat::csv;
  const std::size_t first = beginning.find_first_not_of(" \t\r\n");
  if (first == beginning.npos) return std::nullopt;
  if (beginning[first] == '{' || beginning[first] == '[') return TableFormat::json;
  return beginning[first] == '#' || line.starts_with("step,") ? std::optional(TableFormat::csv) : std::nullopt;
}

Result<SendTable> read_table(const Source& source, std::uint32_t source_number) {
  const auto format = recognise_table(source.text);
  if (!format) return not_a_table(source.text, source_number);
  if (format == TableFormat::binary) {
    const Source head{source.name, source.text.substr(0, binary_head_size(source.text))};
    return read_binary(aligned_copy(source.text), head, source_number);
  }
  if (source.text.size() > most_text)
    return error_at({}, fmt::format("{}: a table of more than 4 GiB must be in the binary form", source.name));
  return format == TableFormat::csv ? read_csv(source, source_number) : read_json(source, source_number);
}

Result<SendTable> load_table(const std::string& path, Sources& sources) {
  const OpenFile file(path);
  if (file.descriptor() < 0) return unreadable(path);
  const auto number = static_cast<std::uint32_t>(sources.size());
  const auto bytes = mapped(file);
  if (bytes && recognise_table(bytes->bytes.substr(0, 64)) == TableFormat::binary) {
    sources.push_back({path, std::string(bytes->bytes.substr(0, binary_head_size(bytes->bytes)))});
    return read_binary(*bytes, sources.back(), number);
  }
  auto text = bytes ? std::string(bytes->bytes) : contents(file);
  if (!text) return unreadable(path);
  sources.push_back({path, std::move(*text)});
  return read_table(sources.back(), number);
}

}  // namespace quadrille
