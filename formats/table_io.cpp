// Tables from files: a format recognises its own by the first bytes, and reads them in place.
//
// A regular file is mapped into memory, so that a binary table of many gigabytes costs no copy; a pipe is read to its
// end. Only what is text goes to the sources for messages, of a binary table its head. Cost: that of the format.
#include "formats/table_io.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "formats/head.h"
#include "model/limits/memory_ceiling.h"

namespace quadrille {

namespace {

constexpr std::uint64_t most_text = 0xfffffff0;  // spans hold 32-bit offsets

Result<SendTable> not_a_table(std::string_view text, std::uint32_t source_number) {
  const auto line_end = static_cast<std::uint32_t>(std::min<std::size_t>(std::min(text.find('\n'), text.size()), 80));
  return error_at({source_number, 0, line_end},
                  "this is not a send table: one begins with `# quadrille-table 1` or is a JSON object with "
                  "\"quadrille_table\"",
                  Code::syntax);
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

// The file's bytes mapped into memory; nothing if it cannot be mapped (a pipe, an empty file). Pages come in as they
// are read: all at once they would count as the process's memory, however little it may take.
std::optional<SharedBytes> mapped(const OpenFile& file) {
  struct stat status {};
  if (::fstat(file.descriptor(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_size <= 0) return std::nullopt;
  const auto size = static_cast<std::size_t>(status.st_size);
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.descriptor(), 0);
  if (address == MAP_FAILED) return std::nullopt;
  const std::shared_ptr<const void> owner(address, [size](const void* it) { ::munmap(const_cast<void*>(it), size); });
  // Pages that are let go are the file's: asked for once more, they are read once more.
  const auto let_go = [address](std::size_t from, std::size_t to) {
    constexpr std::size_t page = std::size_t{1} << 16;  // or a part of it
    const std::size_t begin = from / page * page;
    const std::size_t end = to / page * page;
    if (begin < end) ::madvise(static_cast<char*>(address) + begin, end - begin, MADV_DONTNEED);
  };
  return SharedBytes{owner, {static_cast<const char*>(address), size}, let_go};
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
  return error_at({}, fmt::format("cannot read {}: {}", path, std::strerror(errno)), Code::file);
}

// The table in this file, whose bytes are also in source.text as far as they are text.
Result<SendTable> read_as(const Format& format, const TableInput& input) {
  if (!format.read) {
    return error_at({}, fmt::format("{}: {} can be written, but not read", input.source.name, format.name), Code::file);
  }
  const bool all_text = !format.text_size;
  if ((all_text ? input.file.bytes.size() : input.source.text.size()) > most_text) {
    return error_at({}, fmt::format("{}: a table of more than 4 GiB must be in the binary form", input.source.name),
                    Code::unsupported);
  }
  try {
    return format.read(input);
  } catch (const std::bad_alloc& refusal) {
    return error_at({}, fmt::format("{}: {}", input.source.name, why_no_memory(refusal)), Code::limit);
  }
}

std::size_t text_size(const Format& format, std::string_view bytes) {
  return format.text_size ? format.text_size(bytes) : bytes.size();
}

}  // namespace

bool is_table(std::string_view beginning, const FormatList& formats) {
  return recognise_format(formats, beginning) != nullptr;
}

Written write_table(const SendTable& table, std::string_view format, const Sink& sink, const FormatList& formats) {
  return format_named(formats, format)->write(table, sink);
}

Result<SendTable> read_table(const Source& source, std::uint32_t source_number, const ReadOptions& options) {
  const std::string_view bytes = source.text;
  const Format* format = recognise_format(options.formats, bytes.substr(0, enough_to_recognise));
  if (format == nullptr) return not_a_table(bytes, source_number);
  const std::size_t size = text_size(*format, bytes);
  if (size == bytes.size())
    return read_as(*format, {source, source_number, {nullptr, bytes}, options.limits, *options.families});
  const Source text{source.name, source.text.substr(0, size)};
  return read_as(*format, {text, source_number, {nullptr, bytes}, options.limits, *options.families});
}

Result<SendTable> load_table(const std::string& path, Sources& sources, const ReadOptions& options) {
  const OpenFile file(path);
  if (file.descriptor() < 0) return unreadable(path);
  const auto number = static_cast<std::uint32_t>(sources.size());
  if (auto bytes = mapped(file)) {
    if (bytes->bytes.starts_with(byte_order_mark)) bytes->bytes.remove_prefix(byte_order_mark.size());
    const Format* format = recognise_format(options.formats, bytes->bytes.substr(0, enough_to_recognise));
    const std::size_t size = format == nullptr ? bytes->bytes.size() : text_size(*format, bytes->bytes);
    const bool later = format != nullptr && format->text_when == TextWhen::read_fails;
    sources.push_back({path, std::string(bytes->bytes.substr(0, later ? 0 : size))});
    if (!later) bytes->passed(0, size);
    if (format == nullptr) return not_a_table(bytes->bytes, number);
    auto table = read_as(*format, {sources.back(), number, *bytes, options.limits, *options.families});
    const bool faulty = !table && reason_of(table.diagnostics()) == Reason::none;  // its messages show the text
    if (later && faulty) sources.back().text = bytes->bytes.substr(0, std::min<std::size_t>(size, most_text));
    return table;
  }
  auto text = contents(file);
  if (!text) return unreadable(path);
  sources.push_back({path, std::move(*text)});
  return read_table(sources.back(), number, options);
}

}  // namespace quadrille
