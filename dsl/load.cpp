// A file and the files that it includes, depth first, each read once.
//
// For example, if main.qd includes a.qd and b.qd, and a.qd includes b.qd, the program is main, a, b. The files from the
// first to the one being read form a path; an include that leads back to it is a circle, reported with every include on
// the way. A name without `.qd` and `/` is a schedule that ships and needs no file. Cost: the files' texts; at most 50.
#include "dsl/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "dsl/parse.h"

namespace quadrille {
namespace {

constexpr std::size_t most_files = 50;
constexpr std::string_view shipped_folder = "shipped:";  // how diagnostics name a shipped schedule: shipped:scatter

bool names_shipped(std::string_view path) { return !path.ends_with(".qd") && path.find('/') == path.npos; }

// The path of `path`, written in the file `including`, as the outside world knows it.
std::string resolve(const std::string& including, const std::string& path) {
  return (std::filesystem::path(including).parent_path() / path).lexically_normal().generic_string();
}

class Loader {
 public:
  Loader(const ReadFile& read, Sources& sources, const Limits& limits)
      : read_(read), sources_(sources), limits_(limits) {}

  // Reads `source` and then, in the order of their includes, the files that it needs.
  void add(Source source) {
    const auto number = static_cast<std::uint32_t>(sources_.size());
    path_.push_back({source.name, {}});
    known_[source.name] = files_.size();
    sources_.push_back(std::move(source));
    Result<ast::File> parsed = parse(sources_[number], number, limits_);
    if (parsed) {
      const std::size_t index = files_.size();
      files_.push_back(std::move(*parsed));
      follow_includes(index);
    } else {
      errors_.insert(errors_.end(), parsed.diagnostics().begin(), parsed.diagnostics().end());
    }
    path_.pop_back();
  }

  Result<ast::SourceFiles> finish() {
    if (!errors_.empty()) return std::move(errors_);
    return ast::SourceFiles{sources_, std::move(files_)};
  }

 private:
  // A file that is being read, and where it includes the next one.
  struct Step {
    std::string name;
    Span include;
  };

  void follow_includes(std::size_t index) {
    for (std::size_t i = 0; i < files_[index].items.size(); ++i) {
      const auto* include = std::get_if<ast::Include>(&files_[index].items[i].node);
      if (!include) continue;
      path_.back().include = include->path_span;
      const std::size_t file = follow(include->path, include->path_span);
      std::get<ast::Include>(files_[index].items[i].node).file = file;
    }
  }

  // Returns the file's index; of one that cannot be read, any.
  std::size_t follow(const std::string& path, Span place) {
    const bool shipped = names_shipped(path);
    const std::string name = shipped ? std::string(shipped_folder) + path : resolve(path_.back().name, path);
    const auto open = std::find_if(path_.begin(), path_.end(), [&](const Step& step) { return step.name == name; });
    if (open != path_.end()) {
      report_circle(open, place);
      return 0;
    }
    // Read already, and not on the path: the same declarations twice would be mistakes.
    if (const auto known = known_.find(name); known != known_.end()) return known->second;
    if (known_.size() >= most_files) {
      if (!full_) errors_.push_back(error_at(place, fmt::format("more than {} files", most_files), Code::range));
      full_ = true;
      return 0;
    }
    const std::size_t file = files_.size();
    if (std::optional<std::string> text = shipped ? shipped_text(path, place) : file_text(name, place)) {
      add({name, std::move(*text)});
    }
    return file;
  }

  std::optional<std::string> shipped_text(const std::string& name, Span place) {
    if (const auto schedule = shipped_schedule(name)) return std::string(schedule->text);
    std::vector<std::string> names;
    for (const ShippedFile& schedule : shipped_schedules()) names.emplace_back(schedule.name);
    const auto near = nearest(name, names);
    errors_.push_back(
        error_at(place,
                 fmt::format("no schedule named '{}' ships{}", name,
                             near ? fmt::format("; did you mean '{}'?", *near) : "; a file's name ends in '.qd'"),
                 Code::name));
    return std::nullopt;
  }

  std::optional<std::string> file_text(const std::string& name, Span place) {
    FileText file = read_(name);
    if (!file.text) {
      errors_.push_back(error_at(place, fmt::format("cannot read '{}'{}", name, file.because()), file.code()));
    }
    return std::move(file.text);
  }

  void report_circle(std::vector<Step>::iterator first, Span place) {
    Diagnostic error = error_at(place, fmt::format("'{}' includes itself", first->name), Code::invalid);
    for (auto step = first; step != path_.end(); ++step) {
      const std::string& next = step + 1 == path_.end() ? first->name : (step + 1)->name;
      error.notes.emplace_back(step->include, fmt::format("'{}' includes '{}'", step->name, next));
    }
    errors_.push_back(std::move(error));
  }

  const ReadFile& read_;
  Sources& sources_;
  const Limits& limits_;
  std::map<std::string, std::size_t, std::less<>> known_;  // all files met, by name: their indices into files_
  std::vector<Step> path_;                                 // from the first file to the one being read
  std::vector<ast::File> files_;
  Diagnostics errors_;
  bool full_ = false;
};

}  // namespace

std::string ast::Include::name() const { return std::filesystem::path(path).stem().string(); }

Result<ast::SourceFiles> load(Source source, const ReadFile& read, Sources& sources, const Limits& limits) {
  Loader loader(read, sources, limits);
  loader.add(std::move(source));
  return loader.finish();
}

}  // namespace quadrille
