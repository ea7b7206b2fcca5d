// The schedules and fabrics that ship with the program.
#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "dsl/load.h"
#include "dsl/shipped.h"

namespace quadrille {
namespace {

// The first line, if it is a comment, without its `//` and blanks.
std::string_view summary_of(std::string_view text) {
  if (!text.starts_with("//")) return {};
  std::string_view line = text.substr(2, std::min(text.find('\n'), text.size()) - 2);
  while (line.starts_with(' ')) line.remove_prefix(1);
  while (line.ends_with(' ') || line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::vector<ShippedFile> list_files(std::span<const ShippedText> texts) {
  std::vector<ShippedFile> files;
  for (const ShippedText& shipped : texts) files.push_back({shipped.name, summary_of(shipped.text), shipped.text});
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return files;
}

std::optional<ShippedFile> find(const std::vector<ShippedFile>& files, std::string_view name) {
  const auto found =
      std::find_if(files.begin(), files.end(), [&](const ShippedFile& file) { return file.name == name; });
  return found == files.end() ? std::nullopt : std::optional(*found);
}

}  // namespace

const std::vector<ShippedFile>& shipped_schedules() {
  static const std::vector<ShippedFile> schedules = list_files(shipped_schedules_texts());
  return schedules;
}

const std::vector<ShippedFile>& shipped_fabric_files() {
  static const std::vector<ShippedFile> fabrics = list_files(shipped_fabrics_texts());
  return fabrics;
}

std::optional<ShippedFile> shipped_schedule(std::string_view name) { return find(shipped_schedules(), name); }

std::optional<ShippedFile> shipped_fabric_file(std::string_view name) { return find(shipped_fabric_files(), name); }

}  // namespace quadrille
