// Sets of files. For example, a run that makes 0.csv … 3.csv after one that made 0.csv … 7.csv:
//   begin   manifest.unfinished.txt names 0.csv … 7.csv; manifest.txt goes
//   …       0.csv … 3.csv are replaced, one after another
//   finish  4.csv … 7.csv go; manifest.txt names 0.csv … 3.csv; manifest.unfinished.txt goes
#include "driver/files/file_set.h"

#include <fmt/format.h>

#include <sstream>
#include <utility>

#include "driver/files/write_file.h"

namespace quadrille::driver {
namespace {

constexpr const char* whole_manifest = "manifest.txt";
constexpr const char* unfinished_manifest = "manifest.unfinished.txt";
constexpr const char* manifest_head = "# quadrille-files 1";

template <class Names>
std::string manifest_text(const Names& names) {
  std::string text = fmt::format("{}\n", manifest_head);
  for (const std::string& name : names) text += fmt::format("{}\n", name);
  return text;
}

}  // namespace

std::string FileSet::path(const std::string& name) const { return fmt::format("{}/{}", folder_, name); }

std::optional<std::string> FileSet::read_earlier(const std::string& name) {
  if (const auto why = environment_.why_unreadable(path(name))) {
    return fmt::format("cannot read {}: {}", path(name), why->why);
  }
  const auto text = environment_.read_file(path(name));
  if (!text) return std::nullopt;
  std::istringstream lines(*text);
  std::string line;
  if (!std::getline(lines, line) || line != manifest_head) {
    return fmt::format("cannot write {}: it is there, and no manifest (its first line is not `{}`)", path(name),
                       manifest_head);
  }
  while (std::getline(lines, line)) {
    const bool inside = !line.empty() && line != "." && line != ".." && line.find('/') == line.npos;
    if (inside) earlier_.insert(line);
  }
  return std::nullopt;
}

std::optional<std::string> FileSet::begin(std::vector<std::string> names) {
  names_ = std::move(names);
  for (const char* const name : {whole_manifest, unfinished_manifest}) {
    if (auto failure = read_earlier(name)) return failure;
  }
  std::set<std::string> all = earlier_;
  all.insert(names_.begin(), names_.end());
  if (auto failure = write_file(path(unfinished_manifest), manifest_text(all), environment_)) return failure;
  return environment_.remove_file(path(whole_manifest));
}

std::optional<std::string> FileSet::finish() {
  for (const std::string& name : names_) earlier_.erase(name);
  for (const std::string& name : earlier_) {
    if (auto failure = environment_.remove_file(path(name))) return failure;
  }
  if (auto failure = write_file(path(whole_manifest), manifest_text(names_), environment_)) return failure;
  return environment_.remove_file(path(unfinished_manifest));
}

std::optional<Diagnostic> write_set(const std::string& folder, const std::vector<FileOfSet>& files,
                                    Environment& environment) {
  const auto failed = [](std::string why) { return error_at({}, std::move(why), Code::file); };
  if (const auto why = environment.create_folder(folder))
    return failed(fmt::format("cannot make the folder {}: {}", folder, *why));
  FileSet set(folder, environment);
  std::vector<std::string> names;
  for (const FileOfSet& file : files) names.push_back(file.name);
  if (auto why = set.begin(std::move(names))) return failed(*std::move(why));
  for (const FileOfSet& file : files) {
    if (auto wrong = write_whole(set.path(file.name), file.write, environment)) return wrong;
  }
  if (auto why = set.finish()) return failed(*std::move(why));
  return std::nullopt;
}

}  // namespace quadrille::driver
