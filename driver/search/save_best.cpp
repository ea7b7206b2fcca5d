// The table of a choice is compiled again. Its schedule is one that runs the algorithm that ships (run_schedule.h), if
// that compiles to the same rows; else a send for each message (decompile.h). For example, `compare --collective
// allreduce --on dgx_h100 --size 1KiB,1GiB -o best` writes
//
//     best/best.json                     which of the others is for which sizes
//     best/1-allreduce_one_shot.csv      the table, as `export` takes it
//     best/1-allreduce_one_shot.qd       the same in the language
//     best/2-…
//
// Cost: a compilation for each range, another for its schedule, and their rows.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/decompile/decompile.h"
#include "compiler/decompile/run_schedule.h"
#include "driver/files/best_index.h"
#include "driver/files/file_set.h"
#include "driver/files/output_format.h"
#include "driver/files/write_file.h"
#include "driver/inputs/input.h"
#include "driver/search/fit.h"
#include "driver/search/measure_choice.h"
#include "model/described.h"

namespace quadrille::driver {
namespace {

// Whether both have the same packets on the same channels in the same rounds.
bool same_rows(const SendTable& first, const SendTable& second, const Limits& limits) {
  if (first.fabric != second.fabric || first.collective.notation() != second.collective.notation()) return false;
  const auto crossings = [](const StepRows& step) {
    std::vector<std::pair<ChannelId, ChunkId>> result;
    for (const Row& row : step.rows) result.emplace_back(row.channel, row.chunk);
    std::ranges::sort(result);
    return result;
  };
  const auto rows = first.rows->open();
  const auto others = second.rows->open();
  while (limits.reached() == Reason::none) {
    const auto step = rows->next();
    const auto other = others->next();
    if (!step || !other)
      return !step && !other && rows->ended_early() == Reason::none && others->ended_early() == Reason::none;
    if (step->step != other->step || crossings(*step) != crossings(*other)) return false;
  }
  return false;
}

class BestAtWork {
 public:
  BestAtWork(CompareOutcome& outcome, const CompareRequest& request, Context& context)
      : outcome_(outcome), request_(request), context_(context) {}

  void run() {
    const bool folder = !request_.output.empty() && format_of_path(context_.world->formats, request_.output) == nullptr;
    if (folder) write_folder();
    const bool file = !request_.schedule.empty() || (!request_.output.empty() && !folder);
    if (!file || !only_one()) return;
    BestOfSizes& best = outcome_.by_size.front();
    const Result<SendTable> table = table_of(best.choice);
    if (!table) return fail(table.diagnostics());
    if (!folder && !request_.output.empty() && write_table(request_.output, *table)) best.table = request_.output;
    if (request_.schedule.empty()) return;
    const Result<std::string> text = schedule_of(best.choice, *table);
    if (!text)
      return fail(fmt::format("--schedule: {}; -o writes the table as it is", why_none(text)), Code::unsupported);
    if (write(request_.schedule, *text)) best.schedule_file = request_.schedule;
  }

 private:
  bool only_one() {
    if (outcome_.by_size.size() == 1) return true;
    const char* const option = request_.schedule.empty() ? "-o" : "--schedule";
    const std::string& path = request_.schedule.empty() ? request_.output : request_.schedule;
    if (outcome_.by_size.empty()) {
      fail(fmt::format("{} {}: nothing is written, as no schedule in rounds was measured at each size", option, path),
           Code::invalid);
    } else {
      fail(fmt::format("{} {}: {} schedules are best, each at some size; expected one size, or a folder (`-o best`)",
                       option, path, outcome_.by_size.size()),
           Code::usage);
    }
    return false;
  }

  void write_folder() {
    if (outcome_.by_size.empty()) {
      only_one();
      return;
    }
    const std::string folder = std::filesystem::path(request_.output + "/").parent_path().string();
    const Result<const Format*> format = output_format(context_.world->formats, "", "");
    if (!format) return fail(format.diagnostics());
    const std::string extension = (*format)->extensions.front();
    BestIndex index{outcome_.collective.notation(), outcome_.fabric.title(), {}};
    std::vector<FileOfSet> files;
    for (std::size_t i = 0; i < outcome_.by_size.size(); ++i) {
      const auto& [above, up_to, choice, time, path, schedule_path] = outcome_.by_size[i];
      const Result<SendTable> table = table_of(choice);
      if (!table) return fail(table.diagnostics());
      const std::string stem =
          fmt::format("{}-{}", i + 1, std::filesystem::path(choice.schedule->name).stem().string());
      index.ranges.push_back({above, up_to, choice.name(), fmt::format("{}.{}", stem, extension), ""});
      files.push_back({index.ranges.back().table, [format = *format, table = *table](const Sink& sink) {
                         return format->write(table, sink).ended_early == Reason::none;
                       }});
      const Result<std::string> text = schedule_of(choice, *table);
      if (!text) outcome_.notes.push_back(fmt::format("{} has no schedule file: {}", choice.name(), why_none(text)));
      if (!text) continue;
      index.ranges.back().schedule = stem + ".qd";
      files.push_back({stem + ".qd", [text = *text](const Sink& sink) { return sink(text), true; }});
    }
    files.push_back({best_index_name, [text = best_index_text(index)](const Sink& sink) { return sink(text), true; }});
    if (const auto wrong = write_set(folder, files, context_.environment)) return fail({*wrong});
    for (std::size_t i = 0; i < index.ranges.size(); ++i) {
      const IndexedRange& range = index.ranges[i];
      outcome_.by_size[i].table = fmt::format("{}/{}", folder, range.table);
      if (!range.schedule.empty()) outcome_.by_size[i].schedule_file = fmt::format("{}/{}", folder, range.schedule);
    }
  }

  Result<SendTable> table_of(const Compared::Choice& choice) const {
    const Fabric fabric = timed(outcome_.fabric, Timing::rounds);
    return elaborated_choice(choice.schedule, choice.arguments, choice.placement, fabric, outcome_.collective,
                             remaining(context_));
  }

  // The schedule's text, of which the first line says where it comes from.
  Result<std::string> schedule_of(const Compared::Choice& choice, const SendTable& table) {
    const std::string head = fmt::format("// {} for {} on {}, chosen by `quadrille compare`.\n", choice.name(),
                                         described(table.collective), described(table.fabric));
    const Families& families = context_.world->families;
    if (choice.placement == PlacedBy::written && shipped_source(choice.schedule->name)) {
      Result<std::string> text = run_schedule(choice.schedule->name, choice.arguments, table, families);
      if (text && compiles_to(head + *text, table)) return head + *text;
    }
    Result<std::string> text = decompile(table, families);
    if (!text) return text.diagnostics();
    return head + *text;
  }

  bool compiles_to(const std::string& text, const SendTable& table) const {
    Context apart{context_.environment, context_.limits, {}, context_.world};  // its sources are of no use later
    const Result<SendTable> made = table_of_text(text, apart);
    return made && same_rows(*made, table, remaining(context_));
  }

  static std::string why_none(const Result<std::string>& text) {
    return fmt::format("the language cannot express its table: {}", text.diagnostics().front().message);
  }

  bool write_table(const std::string& path, const SendTable& table) {
    const Result<const Format*> format = output_format(context_.world->formats, "", path);
    if (!format) {
      fail(format.diagnostics());
      return false;
    }
    if (table.rows->has_partial_reductions() && !(*format)->partial_reductions) {
      fail(fmt::format("{}: the format {} has no place for what the rows say of words", path, (*format)->name),
           Code::unsupported);
      return false;
    }
    const auto write = [&](const Sink& sink) { return (*format)->write(table, sink).ended_early == Reason::none; };
    const auto wrong = write_whole(path, write, context_.environment);
    if (wrong) fail({*wrong});
    return !wrong;
  }

  bool write(const std::string& path, const std::string& text) {
    const auto why = write_file(path, text, context_.environment);
    if (why) fail(*why, Code::file);
    return !why;
  }

  void fail(std::string message, Code code) { outcome_.failures.push_back(error_at({}, std::move(message), code)); }
  void fail(const Diagnostics& diagnostics) {
    outcome_.failures.insert(outcome_.failures.end(), diagnostics.begin(), diagnostics.end());
  }

  CompareOutcome& outcome_;
  const CompareRequest& request_;
  Context& context_;
};

}  // namespace

void save_best(CompareOutcome& outcome, const CompareRequest& request, Context& context) {
  if (!request.output.empty() || !request.schedule.empty()) BestAtWork(outcome, request, context).run();
}

}  // namespace quadrille::driver
