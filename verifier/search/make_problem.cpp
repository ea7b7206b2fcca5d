// Chooses the problem that fits a collective: a copying problem, a combining one that is copying time-reversed, or
// else one over partial reductions. The copying formula is far smaller, so it is used wherever it answers the same
// question.
#include "verifier/search/make_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/text/counted.h"
#include "verifier/search/rounds/network.h"
#include "verifier/search/rounds/rounds.h"
#include "verifier/search/rounds/tables.h"
#include "verifier/search/time_reversal.h"

namespace quadrille::searching {

std::unique_ptr<SearchProblem> make_problem(const Fabric& fabric, const Collective& collective, const SearchGoal& goal,
                                            Watch& watch) {
  if (fabric.in_rounds()) {
    return rounds_problem(fabric, collective, goal.phases, watch);
  }
  auto copying = time_reversed_of(fabric, collective);
  if (collective.combining() && !copying) return combining_problem(fabric, collective, goal, watch);
  auto moves = moves_within(fabric, copying ? *copying : collective, goal.keep_to_paths, watch);
  if (copying) return time_reversed_problem(fabric, collective, std::move(*copying), goal, std::move(moves), watch);
  return copying_problem(fabric, collective, goal, std::move(moves), watch);
}

// verifier/COMBINING_FORMULA.md, Other switches, explains the rules.
std::optional<std::string> why_no_formula(const Fabric& fabric, const Collective& collective, const SearchGoal& goal) {
  if (fabric.in_rounds() && messages_join(fabric, collective)) {
    if (goal.phases) return "no formula is about the volume of messages that join in switches";
    if (!links_are_alike(fabric)) return "no formula is about messages that join where links are not alike both ways";
    return std::nullopt;
  }
  if (counts_volume(fabric, goal)) return why_no_volume(fabric);
  if (fabric.in_rounds()) return std::nullopt;
  if (collective.leaves_own_out()) {
    return "no formula is about processors that keep several words";
  }
  if (goal.phases && collective.combining() && !time_reversed_of(fabric, collective)) {
    return "no formula is about partial reductions that leave as they were when a phase began";
  }
  const Switching switching = fabric.rules().switches;
  if (!fabric.has_switches() || switching == Switching::copy) return std::nullopt;
  if (switching == Switching::reduce) {
    if (!collective.combining() || time_reversed_of(fabric, collective)) return std::nullopt;
    return "no formula is about switches that join the partial reductions of such a collective";
  }
  if (!collective.combining()) return std::nullopt;
  if (!collective.shape()->shared() && !collective.idempotent()) return std::nullopt;
  return "no formula is about partial reductions of one packet that meet in switches that forward";
}

bool counts_volume(const Fabric& fabric, const SearchGoal& goal) { return goal.phases && fabric.in_rounds(); }

namespace {

// Keeps the bounds for which a certificate can be made: none of a volume is about entries into groups.
std::vector<Bound> without_entries(std::vector<Bound> all) {
  std::erase_if(all, [](const Bound& bound) { return bound.kind == BoundKind::entries; });
  if (all.empty()) all.push_back({BoundKind::distance, 0, "nothing else is known"});
  return all;
}

// In so few rounds there may be no schedule, whatever its volume is.
std::vector<Bound> bounds_in_rounds(const Fabric& fabric, const Collective& collective, std::uint32_t rounds,
                                    const Limits& limits) {
  const Bound fewest = round_bounds(fabric, collective, limits).front();
  if (fewest.impossible() || *fewest.steps <= rounds) {
    return without_entries(volume_bounds(fabric, collective, limits));
  }
  return {Bound{fewest.kind, std::nullopt,
                fmt::format("it takes {} at least: {}", counted(*fewest.steps, "round"), fewest.reason)}};
}

// Each hop of a packet is in a phase of its own. Nothing where the phases are enough for the distances.
std::optional<Bound> too_few_phases(const std::vector<Bound>& bounds, std::uint32_t phases) {
  const auto farthest = std::ranges::find(bounds, BoundKind::distance, &Bound::kind);
  if (farthest == bounds.end() || farthest->impossible() || *farthest->steps <= phases) return std::nullopt;
  return Bound{BoundKind::distance, std::nullopt,
               fmt::format("it takes {} at least: {}", counted(*farthest->steps, "phase"), farthest->reason)};
}

std::vector<Bound> bounds_in_steps(const Fabric& fabric, const Collective& collective, const Limits& limits) {
  std::vector<Bound> all = lower_bounds(fabric, collective, limits);
  const auto copying = time_reversed_of(fabric, collective);
  if (!copying) return all;
  const Bound best = lower_bounds(fabric, *copying, limits).front();
  if (best.impossible() || all.front().impossible() || *best.steps <= *all.front().steps) return all;
  const std::string reason = fmt::format("time-reversed this is {}: {}", copying->notation(), best.reason);
  all.insert(all.begin(), Bound{best.kind, best.steps, reason});
  return all;
}

}  // namespace

// The bounds of a copying collective also hold for its time reversal, though not with its evidence.
std::vector<Bound> bounds_of(const Fabric& fabric, const Collective& collective, const SearchGoal& goal,
                             const Limits& limits) {
  if (counts_volume(fabric, goal)) return bounds_in_rounds(fabric, collective, *goal.phases, limits);
  if (fabric.in_rounds()) return round_bounds(fabric, collective, limits);
  std::vector<Bound> all = bounds_in_steps(fabric, collective, limits);
  // For a given number of steps a formula shows this, with a proof.
  if (!goal.phases || (goal.steps && !why_no_formula(fabric, collective, goal))) return all;
  if (auto too_few = too_few_phases(all, *goal.phases)) all.insert(all.begin(), *std::move(too_few));
  return all;
}

}  // namespace quadrille::searching
