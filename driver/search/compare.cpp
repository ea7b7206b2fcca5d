// The command `compare`. Each algorithm is compiled on the fabric in rounds, where it is measured as it is written,
// or with its messages placed anew if that is better; and on the fabric in steps, where its packets are placed one by
// one. The checker judges both tables; one that breaks a rule gets no numbers.
//
// For example, `allreduce` on dgx1: allreduce_ring with N = 8 has 14 rounds of volume 14 for 8 chunks, so that a
// message of 1 MiB takes 14·T_s + 14·128 KiB·T_c. Where a number of segments, a radix, or servers may be chosen, all
// choices (known_arguments.h) are measured in rounds, and those that are best at some size are shown. Cost: two
// compilations and checks for each choice in rounds, and one for each that is shown in steps.
#include "driver/search/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

#include "compiler/compile.h"
#include "compiler/ir.h"
#include "driver/inputs/input.h"
#include "driver/inputs/message_time.h"
#include "driver/inputs/notations.h"
#include "driver/search/fit.h"
#include "driver/search/known_arguments.h"
#include "driver/search/least_time.h"
#include "dsl/load.h"
#include "verifier/check.h"

namespace quadrille::driver {
namespace {

// A table that keeps every rule, apart from its claims, with the checker's measures of it.
struct Sound {
  SendTable table;
  Report report;
};

class Comparison {
 public:
  // Requires that the outcome has the question.
  Comparison(const CompareOutcome& asked, Context& context)
      : asked_(asked),
        in_steps_(timed(asked.fabric, Timing::steps)),
        in_rounds_(timed(asked.fabric, Timing::rounds)),
        context_(context) {}

  // The algorithm with the arguments that take the least time at one of the sizes; without sizes, with its usual
  // arguments. None if it does something else, or breaks rules both in rounds and in steps.
  std::vector<Compared> measure(const std::shared_ptr<const ir::Schedule>& schedule) const {
    std::vector<Candidate> candidates;
    for (const Arguments& arguments : choices(*schedule)) {
      if (auto known = in_rounds(schedule, arguments)) candidates.push_back({arguments, std::move(*known)});
    }
    std::vector<Compared> measured;
    for (const std::size_t best : best_of(candidates)) {
      Compared& it = measured.emplace_back(std::move(candidates[best].compared));
      if (const auto steps = sound(schedule, candidates[best].arguments, in_steps_, true)) add_steps(it, *steps);
    }
    if (!measured.empty()) return measured;
    const auto steps =
        sound(schedule, arguments_for(*schedule, in_steps_, asked_.collective, quiet_limits()), in_steps_, true);
    if (steps) add_steps(measured.emplace_back(named(steps->table)), *steps);
    return measured;
  }

 private:
  struct Candidate {
    Arguments arguments;
    Compared compared;
  };

  std::vector<Arguments> choices(const ir::Schedule& schedule) const {
    if (asked_.sizes.empty()) return {arguments_for(schedule, in_rounds_, asked_.collective, quiet_limits())};
    return arguments_of_any_parts(schedule, in_rounds_, asked_.collective, quiet_limits());
  }

  // The candidates that are the first to take the least time at some size; without sizes, the only one.
  std::vector<std::size_t> best_of(const std::vector<Candidate>& candidates) const {
    if (asked_.sizes.empty() && !candidates.empty()) return {0};
    std::set<std::size_t> best;
    for (std::size_t size = 0; size < asked_.sizes.size() && !candidates.empty(); ++size) {
      const auto time = [&](const Candidate& it) {
        return it.compared.times[size].value_or(std::numeric_limits<double>::infinity());
      };
      // Among candidates that differ only by rounding errors, takes the one with the fewest chunks.
      constexpr double alike = 1 + 1e-9;
      const double least = time(*std::ranges::min_element(candidates, {}, time));
      const auto chunks = [&](const Candidate& it) {
        return time(it) <= least * alike ? it.compared.chunks : std::numeric_limits<std::uint64_t>::max();
      };
      best.insert(static_cast<std::size_t>(std::ranges::min_element(candidates, {}, chunks) - candidates.begin()));
    }
    return {best.begin(), best.end()};
  }

  // The algorithm without its measures.
  Compared named(const SendTable& table) const {
    Compared result{.algorithm = table.schedule, .chunks = table.collective.description().parts};
    result.times.resize(asked_.sizes.size());
    return result;
  }

  std::optional<Compared> in_rounds(const std::shared_ptr<const ir::Schedule>& schedule,
                                    const Arguments& arguments) const {
    auto rounds = sound(schedule, arguments, in_rounds_, false);
    auto placed = sound(schedule, arguments, in_rounds_, true);
    if (placed && (!rounds || better(placed->report, rounds->report))) rounds = std::move(placed);
    if (!rounds || !rounds->table.rows->has_messages()) return std::nullopt;
    Compared result = named(rounds->table);
    const Report& report = rounds->report;
    result.in_rounds = {report.steps, *report.volume, report.load, *report.hops};
    for (std::size_t i = 0; i < asked_.sizes.size(); ++i) {
      result.times[i] = message_time(rounds->table, measures_of(rounds->table.fabric, report), asked_.costs,
                                     asked_.sizes[i], quiet_limits());
    }
    return result;
  }

  // Compares two tables in rounds.
  static bool better(const Report& placed, const Report& written) {
    return placed.steps < written.steps && placed.volume <= written.volume && placed.load <= written.load &&
           placed.hops <= written.hops;
  }

  void add_steps(Compared& it, const Sound& steps) const {
    it.steps = steps.report.steps;
    it.bound = best_bound(in_steps_, steps.table.collective, steps.report.steps, quiet_limits());
  }

  std::optional<Sound> sound(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments,
                             const Fabric& fabric, bool retimed) const {
    ElaborateOptions options;
    options.fabric = fabric;
    options.retime = retimed;
    options.limits = quiet_limits();
    Result<SendTable> table = elaborate_serving(schedule, arguments, asked_.collective, ChunkCount::any, options);
    if (!table) return std::nullopt;
    table->claims.clear();
    table->invariants.clear();
    CheckOptions judging;
    judging.listed_per_property = 0;
    judging.limits = quiet_limits();
    Report report = check(*table, judging);
    if (report.verdict != Verdict::holds) return std::nullopt;
    return Sound{std::move(*table), std::move(report)};
  }

  // Progress is reported by the comparison, so the limits here have none.
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

// The order of the algorithms: the least time at the first size, or the fewest steps for a chunk; unknown values come
// last.
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

// The measures of a schedule; nothing if it is for something else.
std::vector<Compared> measured(std::string_view name, const Comparison& comparison, const Collective& collective,
                               Context& context) {
  Context apart{context.environment, context.limits, {}, context.world};  // its sources are of no use later
  const auto schedule = open_shipped_schedule(std::string(name), apart);
  if (!schedule || !may_serve((*schedule)->collective.kind, collective)) return {};
  return comparison.measure(*schedule);
}

void measure_all(CompareOutcome& outcome, Context& context) {
  const Comparison comparison(outcome, context);
  std::uint64_t tried = 0;
  for (const ShippedFile& shipped : shipped_schedules()) {
    if (context.limits.progress) {
      context.limits.progress({.stage = fmt::format("trying {}", shipped.name),
                               .done = tried++,
                               .of = shipped_schedules().size(),
                               .unit = "schedules that ship"});
    }
    std::vector<Compared> rows = measured(shipped.name, comparison, outcome.collective, context);
    // The algorithm that was being measured when the limits were reached may lack measures.
    outcome.reason = context.limits.reached();
    if (outcome.reason != Reason::none) return;
    std::ranges::move(rows, std::back_inserter(outcome.algorithms));
  }
}

}  // namespace

Result<CompareOutcome> run(const CompareRequest& request, Context& context) {
  Result<CollectiveOnFabric> asked = collective_on(request.on, request.without, request.collective, context);
  if (!asked) return asked.diagnostics();
  const Result<Costs> costs = parse_costs(request.costs);
  if (!costs) return costs.diagnostics();
  Result<std::vector<std::uint64_t>> sizes = parse_sizes(request.sizes);
  if (!sizes) return sizes.diagnostics();
  CompareOutcome outcome{asked_for(request.on, request.without),
                         std::move(asked->fabric),
                         std::move(asked->collective),
                         *costs,
                         std::move(*sizes),
                         {},
                         {}};
  measure_all(outcome, context);
  std::stable_sort(outcome.algorithms.begin(), outcome.algorithms.end(),
                   [](const Compared& a, const Compared& b) { return rank(a) < rank(b); });
  find_best(outcome);
  if (!outcome.sizes.empty()) {
    const Fabric in_rounds = timed(outcome.fabric, Timing::rounds);
    const LeastTime least = least_time(in_rounds, outcome.collective, outcome.costs, remaining(context));
    for (const std::uint64_t size : outcome.sizes) outcome.at_least.push_back(least.of(size));
  }
  return outcome;
}

}  // namespace quadrille::driver
