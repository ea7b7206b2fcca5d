// The command `export`. Only a complete file replaces an old one.
#include "driver/export.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/compile.h"
#include "driver/files/best_index.h"
#include "driver/files/file_set.h"
#include "driver/files/write_file.h"
#include "driver/inputs/bandwidth.h"
#include "driver/inputs/costs.h"
#include "driver/inputs/input.h"
#include "driver/inputs/message_time.h"
#include "driver/look/link_use.h"
#include "driver/unfold.h"
#include "model/text/counted.h"
#include "verifier/check.h"

namespace quadrille::driver {

namespace {

const exporting::ExportTarget* target_named(const std::string& name, const exporting::TargetList& targets) {
  const auto found = std::ranges::find(targets, name, &exporting::ExportTarget::name);
  return found == targets.end() ? nullptr : &*found;
}

constexpr std::uint64_t most_rows_placed = std::uint64_t{1} << 17;
constexpr std::uint64_t mebi = 1048576;

// The steps of a table in lock step, and the time of messages of 1 MiB.
std::string extent_text(std::uint64_t steps, const SendTable& table, const Limits& limits) {
  const auto time = message_time(table, {steps, steps, static_cast<double>(steps)}, {}, mebi, limits);
  return fmt::format("{} ({} for 1 MiB)", counted(steps, "step"), time_text(time));
}

// Where switches copy and packets pass them: what that is worth, for programs send to one receiver at a time. The same
// sends are placed on the fabric with switches that forward. Nothing if there is no such thing to say.
std::optional<std::string> as_unicasts(const SendTable& table, Context& context) {
  const Fabric& fabric = table.fabric;
  if (!fabric.has_switches() || fabric.in_rounds() || fabric.rules().switches != Switching::copy) return std::nullopt;
  const auto rows = table.rows->row_count();
  if (!rows || *rows > most_rows_placed) return std::nullopt;
  Rules rules = fabric.rules();
  rules.switches = Switching::forward;
  ElaborateOptions options;
  options.fabric = fabric.with_rules(rules);
  const Limits limits = remaining(context);
  const Result<SendTable> apart = retimed(table, std::move(options), context);
  if (!apart) return std::nullopt;
  const std::uint64_t before = last_step_with_rows(table, limits);
  const std::uint64_t after = last_step_with_rows(*apart, limits);
  if (limits.reached() != Reason::none) return std::nullopt;
  return fmt::format("the table takes {}; its sends to one receiver each, as switches=forward has them, {}",
                     extent_text(before, table, limits), extent_text(after, *apart, limits));
}

// What the checker says of a table before it is exported.
struct Judged {
  std::optional<Diagnostic> wrong;  // it is not well formed, causal or complete
  std::vector<std::string> notes;   // what it breaks besides: what it moves is right
};

Judged judged(SendTable table, const ExportRequest& request, const exporting::ExportTarget& target,
              const Limits& limits) {
  using exporting::Wrong;
  table.claims.clear();
  table.invariants.clear();
  const Report report = check(table, {.listed_per_property = 1, .limits = limits});
  Judged result;
  for (const Violation& it : report.violations) {
    const std::string what = fmt::format("{}: {}", to_string(it.property), it.message);
    const bool complete = it.property == Property::complete;
    if (it.property == Property::contention_free || it.property == Property::capacity ||
        it.property == Property::queue) {
      result.notes.push_back(fmt::format("the table breaks a rule of its fabric: {}", what));
    } else if (!report.only_warns(it.property) && !result.wrong && !request.anyway) {
      const bool sayable = target.says == Wrong::anything || (complete && target.says == Wrong::incomplete);
      result.wrong = error_at(it.origin.span,
                              fmt::format("the table is wrong: {}; `quadrille check` tells more{}", what,
                                          sayable ? "; --anyway writes it all the same" : ""),
                              Code::invalid);
    }
  }
  if (report.verdict == Verdict::unknown) {
    result.notes.push_back(fmt::format("the table was not judged to its end: {}", to_string(report.ended_early)));
  }
  return result;
}

// Exports one table to the sink, for a message of `size` bytes.
Result<ExportOutcome> exported(const ExportRequest& request, const exporting::ExportTarget& target, std::uint64_t size,
                               const SendTable& table, const exporting::WholeBytes& bytes, Context& context,
                               const Sink& sink) {
  tell_stage(context, "checking");
  Judged judgement = judged(table, request, target, remaining(context));
  if (judgement.wrong) return *std::move(judgement.wrong);
  tell_stage(context, "writing");
  const SendTable ahead = made_ahead(table, context.limits);
  const Limits limits = remaining(context);
  Result<ExportOutcome> outcome =
      target.write({ahead, size, request.consumer, limits, request.deadline, bytes, request.plan}, sink);
  if (!outcome) return outcome.diagnostics();
  outcome->notes.insert(outcome->notes.begin(), judgement.notes.begin(), judgement.notes.end());
  if (auto apart = as_unicasts(table, context)) outcome->notes.push_back(*std::move(apart));
  return outcome;
}

Result<SendTable> opened(const ExportRequest& request, Context& context) {
  Result<SendTable> table = open_table(request.input, context);
  if (!table || !request.unfold) return table;
  Result<SendTable> apart = unfolded(*table, context);
  if (!apart) return apart.diagnostics();
  return {*std::move(apart), table.diagnostics()};
}

// The bytes of the whole that messages of the range have.
exporting::WholeBytes bytes_of(const IndexedRange& range, const Collective& collective) {
  const std::uint64_t messages = messages_in_whole(collective);
  return {range.above == 0 ? 0 : range.above * messages + 1, range.up_to ? *range.up_to * messages : 0};
}

FileOfSet file_of(std::string name, std::string text) {
  return {std::move(name), [text = std::move(text)](const Sink& sink) { return sink(text), true; }};
}

// The texts are made before the first of them is written, so that a table that cannot be exported leaves the old ones.
Result<ExportOutcome> run_folder(const ExportRequest& request, const exporting::ExportTarget& target,
                                 std::uint64_t size, const std::string& index_text, Context& context) {
  if (request.output.empty())
    return error_at({}, fmt::format("{}: expected -o, too: a folder for its files", request.input.file), Code::usage);
  // A new set of files takes the place of an old one.
  const std::string folder = std::filesystem::path(request.output + "/").parent_path().string();
  if (context.environment.exists(fmt::format("{}/{}", folder, best_index_name)))
    return error_at({}, fmt::format("-o {}: expected another folder: it has the tables", request.output), Code::usage);
  const Result<BestIndex> index = read_best_index(index_text);
  if (!index) return index.diagnostics();
  ExportOutcome all;
  Diagnostics warnings;
  std::vector<FileOfSet> files;
  std::vector<std::string> names;
  std::map<std::string, std::vector<std::string>> files_of_note;
  for (const IndexedRange& range : index->ranges) {
    ExportRequest one = request;
    one.input.file = fmt::format("{}/{}", request.input.file, range.table);
    const std::string stem = std::filesystem::path(range.table).stem().string();
    one.plan.name = fmt::format("{}/{}", std::filesystem::path(folder).filename().string(), stem);
    Result<SendTable> table = opened(one, context);
    if (!table) return table.diagnostics();
    std::ranges::copy(table.diagnostics(), std::back_inserter(warnings));
    std::string text;
    const auto write = [&](std::string_view piece) {
      text += piece;
      return true;
    };
    Result<ExportOutcome> outcome =
        exported(one, target, size, *table, bytes_of(range, table->collective), context, write);
    if (!outcome) {
      Diagnostics wrong = outcome.diagnostics();
      wrong.front().message = fmt::format("{}: {}", one.input.file, wrong.front().message);
      return wrong;
    }
    names.push_back(fmt::format("{}.{}", stem, target.extension.empty() ? target.name : target.extension));
    for (const std::string& note : outcome->notes) files_of_note[note].push_back(names.back());
    files.push_back(file_of(names.back(), std::move(text)));
    if (!target.loader.empty() && names.size() == index->ranges.size())
      files.push_back(file_of(target.loader, target.loader_text(names, table->collective, request.plan)));
  }
  for (const auto& [note, noted] : files_of_note) {
    const bool of_all = noted.size() == names.size();
    all.notes.push_back(of_all ? note : fmt::format("{}: {}", fmt::join(noted, ", "), note));
  }
  if (auto failure = write_set(folder, files, context.environment)) return *std::move(failure);
  return {std::move(all), std::move(warnings)};
}

}  // namespace

Result<ExportOutcome> run(const ExportRequest& request, Context& context) {
  const exporting::TargetList& targets = context.world->targets;
  const exporting::ExportTarget* target = target_named(request.target, targets);
  if (target == nullptr) {
    std::vector<std::string> names;
    for (const exporting::ExportTarget& it : targets) names.push_back(it.name);
    return error_at({}, fmt::format("--to {}: expected {}", request.target, fmt::join(names, " or ")), Code::name);
  }
  const auto needless = [&](const char* option) {
    return error_at({}, fmt::format("{}: a file for {} says nothing of that", option, target->name), Code::usage);
  };
  if (!request.size.empty() && !target->sized) return needless("--size");
  if (!request.consumer.empty() && !target->for_executor) return needless("--for");
  if (request.plan.instances != 1 && !target->plans) return needless("--instances");
  if (request.plan.in_place && !target->plans) return needless("--in-place");
  if (!request.plan.protocol.empty() && !target->plans) return needless("--protocol");
  if (request.plan.ranks_per_node != 0 && !target->plans) return needless("--ranks-per-node");
  if (request.deadline > 0 && !target->waits) return needless("--deadline");
  if (request.anyway && target->says == exporting::Wrong::nothing) {
    return error_at({}, fmt::format("--anyway: a file for {} cannot say what is wrong", target->name), Code::usage);
  }
  constexpr std::uint64_t default_size = 1024;
  const Result<std::uint64_t> size = request.size.empty() ? Result(default_size) : parse_size(request.size);
  if (!size) return size.diagnostics();
  if (const auto index = context.environment.read_file(fmt::format("{}/{}", request.input.file, best_index_name)))
    return run_folder(request, *target, *size, *index, context);
  Result<SendTable> table = opened(request, context);
  if (!table) return table.diagnostics();
  Result<ExportOutcome> outcome = ExportOutcome{};
  const auto write = [&](const auto& sink) {
    outcome = exported(request, *target, *size, *table, {}, context, sink);
    return outcome.ok();
  };
  if (auto failure = write_output(request.output, write, context.environment)) return *std::move(failure);
  if (!outcome) return outcome.diagnostics();
  return {*std::move(outcome), table.diagnostics()};
}

}  // namespace quadrille::driver
