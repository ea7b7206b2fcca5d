// The command `export`. Only a complete file replaces an old one.
#include "driver/export.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "driver/inputs/costs.h"

namespace quadrille::driver {

namespace {

const exporting::ExportTarget* target_named(const std::string& name, const exporting::TargetList& targets) {
  const auto found = std::ranges::find(targets, name, &exporting::ExportTarget::name);
  return found == targets.end() ? nullptr : &*found;
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
  if (request.deadline > 0 && !target->waits) return needless("--deadline");
  constexpr std::uint64_t default_size = 1024;
  const Result<std::uint64_t> size = request.size.empty() ? Result(default_size) : parse_size(request.size);
  if (!size) return size.diagnostics();
  Result<SendTable> table = open_table(request.input, context);
  if (!table) return table.diagnostics();
  tell_stage(context, "writing");
  const SendTable ahead = made_ahead(*table);
  const Limits limits = remaining(context);
  const exporting::ExportInput input{ahead, *size, request.consumer, limits, request.deadline};
  Environment& environment = context.environment;
  Result<ExportOutcome> outcome = ExportOutcome{};
  if (request.output.empty()) {
    outcome = target->write(input, [&](std::string_view text) { return environment.print(text); });
  } else {
    const auto file = environment.create_file(request.output);
    outcome = target->write(input, [&](std::string_view text) { return file->write(text); });
    const auto failure = outcome ? file->keep() : std::nullopt;
    if (failure) return error_at({}, fmt::format("cannot write {}: {}", request.output, *failure), Code::file);
  }
  if (!outcome) return outcome.diagnostics();
  return {*std::move(outcome), table.diagnostics()};
}

}  // namespace quadrille::driver
