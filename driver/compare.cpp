// The command `compare`. Each algorithm is compiled twice: on the fabric in rounds, where it is measured as a person
// reckons it, and on the fabric in steps, where its packets are placed one by one. Both tables are judged by the
// checker; what breaks a rule gets no numbers.
//
// For example, `allreduce` on dgx1: allreduce_ring with N = 8 has 14 rounds of volume 14 for 8 chunks, so that a
// message of 1 MiB takes 14·T_s + 14·128 KiB·T_c. Cost: two compilations and checks for each algorithm.
#include "driver/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "compiler/compile.h"
#include "compiler/ir.h"
#include "driver/fit.h"
#include "driver/input.h"
#include "driver/known_arguments.h"
#include "driver/message_time.h"
#include "driver/notations.h"
#include "dsl/load.h"
#include "verifier/check.h"

namespace quadrille::driver {
namespace {

// A table that keeps every rule, its claims aside; what the checker measured of it.
struct Sound {
  SendTable table;
  Report report;
};

class Comparison {
 public:
  // The outcome says what is asked.
  Comparison(const CompareOutcome& asked, Context& context)
      : asked_(asked), in_steps_(timed(asked.fabric, Timing::steps)), in_rounds_(asked.fabric), context_(context) {
    if (asked.fabric.rules().switches == Switching::copy) in_rounds_ = timed(asked.fabric, Timing::rounds);
  }

  // Nothing where it does something else, or breaks rules in rounds and in steps.
  std::optional<Compared> measure(const ir::Schedule& schedule,
                                  const std::shared_ptr<const ir::Schedule>& shared) const {
    const auto rounds = sound(schedule, shared, in_rounds_, false);
    const auto steps = sound(schedule, shared, in_steps_, true);
    if (!rounds && !steps) return std::nullopt;
    const SendTable& table = rounds ? rounds->table : steps->table;
    Compared result{.algorithm = table.schedule, .chunks = table.collective.description().parts};
    if (rounds && rounds->table.rows->has_messages()) {
      result.in_rounds = {rounds->report.steps, *rounds->report.volume, *rounds->report.hops};
      for (const std::uint64_t size : asked_.sizes) {
        const Measures measures{rounds->report.steps, *rounds->report.hops, *rounds->report.volume};
        result.times.push_back(message_time(table, measures, asked_.costs, size, quiet_limits()));
      }
    }
    result.times.resize(asked_.sizes.size());
    if (steps) {
      result.steps = steps->report.steps;
      result.bound = best_bound(in_steps_, steps->table.collective, steps->report.steps, quiet_limits());
    }
    return result.in_rounds || result.steps ? std::optional(std::move(result)) : std::nullopt;
  }

 private:
  std::optional<Sound> sound(const ir::Schedule& schedule, const std::shared_ptr<const ir::Schedule>& shared,
                             const Fabric& fabric, bool retimed) const {
    ElaborateOptions options;
    options.fabric = fabric;
    options.retime = retimed;
    options.limits = quiet_limits();
    auto table = elaborate(shared, arguments_for(schedule, fabric, asked_.collective), options);
    if (!table || !does(table->collective, asked_.collective)) return std::nullopt;
    table->claims.clear();
    CheckOptions judging;
    judging.listed_per_property = 0;
    judging.limits = quiet_limits();
    Report report = check(*table, judging);
    if (report.verdict != Verdict::holds) return std::nullopt;
    return Sound{std::move(*table), std::move(report)};
  }

  // The progress is that of the comparison.
  Limits quiet_limits() const {
    Limits limits = remaining(context_);
    limits.progress = {};
    return limits;
  }

  const CompareOutcome& asked_;
  Fabric in_steps_;
  Fabric in_rounds_;
  Context& context_;
};

// What comes first: the least time of the first size, or the fewest steps for a chunk; what is not known comes last.
double rank(const Compared& it) {
  constexpr double never = std::numeric_limits<double>::infinity();
  if (!it.times.empty()) return it.times.front().value_or(never);
  return it.steps ? static_cast<double>(*it.steps) / static_cast<double>(it.chunks) : never;
}

void find_best(CompareOutcome& outcome) {
  for (std::size_t size = 0; size < outcome.sizes.size(); ++size) {
    std::optional<std::size_t>& best = outcome.best.emplace_back();
    for (std::size_t i = 0; i < outcome.algorithms.size(); ++i) {
      const auto& time = outcome.algorithms[i].times[size];
      if (time && (!best || *time < *outcome.algorithms[*best].times[size])) best = i;
    }
  }
}

}  // namespace

Result<CompareOutcome> run(const CompareRequest& request, Context& context) {
  Result<Fabric> fabric = fabric_on(request.on, request.without, context);
  if (!fabric) return fabric.diagnostics();
  Result<Collective> collective = collective_named(request.collective, fabric->processors(), context);
  if (!collective) return collective.diagnostics();
  const Result<Costs> costs = parse_costs(request.costs);
  if (!costs) return costs.diagnostics();
  Result<std::vector<std::uint64_t>> sizes = parse_sizes(request.sizes);
  if (!sizes) return sizes.diagnostics();
  CompareOutcome outcome{
      asked_for(request.on, request.without), *fabric, *collective, *costs, std::move(*sizes), {}, {}};
  const Comparison comparison(outcome, context);
  std::uint64_t tried = 0;
  for (const ShippedFile& shipped : shipped_schedules()) {
    if (context.limits.progress) {
      context.limits.progress({.stage = fmt::format("trying {}", shipped.name),
                               .done = tried++,
                               .of = shipped_schedules().size(),
                               .unit = "schedules that ship"});
    }
    if (const Reason reason = context.limits.reached(); reason != Reason::none)
      return error_at({}, "the time ran out while comparing", reason == Reason::timeout ? Code::timeout : Code::limit);
    Context apart{context.environment, context.limits, {}, context.world};  // its sources are of no use later
    const auto schedule = open_shipped_schedule(std::string(shipped.name), apart);
    if (!schedule || (*schedule)->collective.kind != collective->kind()) continue;
    if (auto compared = comparison.measure(**schedule, *schedule)) outcome.algorithms.push_back(std::move(*compared));
  }
  std::stable_sort(outcome.algorithms.begin(), outcome.algorithms.end(),
                   [](const Compared& a, const Compared& b) { return rank(a) < rank(b); });
  find_best(outcome);
  return outcome;
}

}  // namespace quadrille::driver
