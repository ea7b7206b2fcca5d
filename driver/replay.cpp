// The command `replay`: simulates a table, and reports the best lower bound beside its steps; for message sizes, its
// time.
#include "driver/replay.h"

#include <fmt/format.h>

#include <utility>

#include "driver/inputs/bandwidth.h"
#include "driver/inputs/message_time.h"
#include "driver/inputs/notations.h"

namespace quadrille::driver {
namespace {

// The measures from which the time in lock step is made; nothing if the table is not known to keep all rules.
std::optional<Measures> measures(const Fabric& fabric, const Measurements& measured) {
  if (measured.verdict != Verdict::holds) return std::nullopt;
  return measures_of(fabric, measured);
}

void add_times(ReplayOutcome& outcome, const Context& context) {
  if (outcome.sizes.empty()) return;
  const auto known = measures(outcome.table.fabric, outcome.measured);
  for (const std::uint64_t size : outcome.sizes) {
    std::optional<double>& time = outcome.times.emplace_back();
    if (!known) continue;
    if (outcome.sync == Sync::step) {
      time = message_time(outcome.table, *known, outcome.costs, size, remaining(context));
      continue;
    }
    TimedReplayOptions options;
    options.costs = transfer_costs(outcome.costs);
    options.bytes_per_chunk = chunk_bytes(outcome.table, size);
    options.limits = remaining(context);
    TimedReplay timed = replay_in_time(outcome.table, options);
    if (timed.reason == Reason::none) time = timed.seconds;
    if (outcome.use_in_time.empty()) outcome.use_in_time = std::move(timed.use);
  }
}

// What a table takes, in the unit of ReplayOutcome::worst_link.
std::optional<double> cost_of(const SendTable& table, const ReplayOutcome& outcome, const Context& context) {
  ReplayOptions options;
  options.limits = remaining(context);
  options.limits.progress = {};
  const auto known = measures(table.fabric, quadrille::replay(table, options));
  if (!known) return std::nullopt;
  if (outcome.sizes.empty()) return known->chunks;
  return message_time(table, *known, outcome.costs, outcome.sizes.front(), options.limits);
}

Result<Sync> parse_sync(const std::string& text) {
  if (text.empty() || text == "step") return Sync::step;
  if (text == "dependency") return Sync::dependency;
  return error_at({}, fmt::format("--sync: `{}`; expected step or dependency", text), Code::usage);
}

struct Settings {
  Costs costs;
  Sync sync = Sync::step;
  std::vector<std::uint64_t> sizes;
};

Result<Settings> settings_of(const ReplayRequest& request) {
  const Result<Costs> costs = parse_costs(request.costs);
  if (!costs) return costs.diagnostics();
  Result<std::vector<std::uint64_t>> sizes = parse_sizes(request.sizes);
  if (!sizes) return sizes.diagnostics();
  const Result<Sync> sync = parse_sync(request.sync);
  if (!sync) return sync.diagnostics();
  if (sizes->empty() && !(request.costs.empty() && request.sync.empty())) {
    return error_at({}, "--costs and --sync: expected --size, too: what a message takes depends on its bytes",
                    Code::usage);
  }
  return Settings{*costs, *sync, std::move(*sizes)};
}

}  // namespace

Result<ReplayOutcome> run(const ReplayRequest& request, Context& context) {
  const Result<Settings> settings = settings_of(request);
  if (!settings) return settings.diagnostics();
  Result<SendTable> opened = open_table(request.input, context);
  if (!opened) return opened.diagnostics();
  Result<ReplayOutcome> outcome = replayed(made_ahead(std::move(*opened), context.limits), request, context);
  if (!outcome) return outcome.diagnostics();
  outcome->warnings = opened.diagnostics();
  return {std::move(*outcome), opened.diagnostics()};
}

Result<ReplayOutcome> replayed(SendTable table, const ReplayRequest& request, Context& context) {
  Result<Settings> settings = settings_of(request);
  if (!settings) return settings.diagnostics();
  const auto sizes = message_sizes(settings->sizes, request.size_of, table.collective);
  if (!sizes) return sizes.diagnostics();
  ReplayOptions options;
  options.limits = remaining(context);
  Measurements measured = quadrille::replay(table, options);
  tell_stage(context, "looking for lower bounds");
  Bound bound = best_bound(table.fabric, table.collective, measured.steps, context.limits);
  std::optional<Bound> volume;
  if (measured.volume) volume = volume_bounds(table.fabric, table.collective, context.limits).front();
  ReplayOutcome outcome{std::move(table),
                        asked_for(request.input.on, request.input.without),
                        std::move(measured),
                        std::move(bound),
                        std::move(volume),
                        {},
                        settings->costs,
                        settings->sync,
                        *sizes};
  add_times(outcome, context);
  if (request.show == "buffers") {
    Result<ShownBuffers> buffers = buffers_of(outcome.table, remaining(context));
    if (!buffers) return buffers.diagnostics();
    outcome.buffers = std::move(*buffers);
  }
  if (request.worst_link) {
    const auto cost = [&](const SendTable& without) { return cost_of(without, outcome, context); };
    Result<WorstLink> worst = worst_link(request.input, outcome.table, cost, context);
    if (!worst) return worst.diagnostics();
    outcome.worst_link = *std::move(worst);
  }
  outcome.cut = context.limits.ended_early();
  return outcome;
}

}  // namespace quadrille::driver
