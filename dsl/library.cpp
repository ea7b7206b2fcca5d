// The schedules and fabrics that ship with the program.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dsl/load.h"
#include "dsl/shipped.h"

namespace quadrille {
namespace {

// The comment that the text begins with, in one line.
std::string first_comment(std::string_view text) {
  std::string comment;
  while (text.starts_with("//")) {
    std::string_view line = text.substr(2, std::min(text.find('\n'), text.size()) - 2);
    text.remove_prefix(std::min(text.size(), 2 + line.size() + 1));
    while (line.starts_with(' ')) line.remove_prefix(1);
    while (line.ends_with(' ') || line.ends_with('\r')) line.remove_suffix(1);
    comment += (comment.empty() ? "" : " ") + std::string(line);
  }
  return comment;
}

std::vector<ShippedFile> list_files(std::span<const ShippedText> texts) {
  std::vector<ShippedFile> files;
  for (const ShippedText& shipped : texts)
    files.push_back({shipped.name, first_sentence(first_comment(shipped.text)), shipped.text});
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return files;
}

std::optional<ShippedFile> find(const std::vector<ShippedFile>& files, std::string_view name) {
  const auto found =
      std::find_if(files.begin(), files.end(), [&](const ShippedFile& file) { return file.name == name; });
  return found == files.end() ? std::nullopt : std::optional(*found);
}

}  // namespace

std::string first_sentence(std::string_view comment) {
  int depth = 0;
  for (std::size_t i = 0; i < comment.size(); ++i) {
    depth += comment[i] == '(' ? 1 : comment[i] == ')' ? -1 : 0;
    if (comment[i] != '.' || depth > 0) continue;
    const std::string_view after = comment.substr(i + 1);
    const bool next = after.size() > 1 && after[0] == ' ' && (after[1] == '(' || (after[1] >= 'A' && after[1] <= 'Z'));
    if (after.empty() || next) return std::string(comment.substr(0, i + 1));
  }
  return std::string(comment);
}

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
