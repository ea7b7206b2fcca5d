// Lower bounds that no schedule can beat, and their reasons. Each argument is a function of its own (parts.h). This
// file calls them one after another, and puts the largest bound first.
//
//   allgather of 8 on a ring: 4 steps by distance, 4 by receptions (7 chunks over 2 channels, rounded up)
//
// Cost: one search through the fabric if it looks alike from every processor, else one for each processor. If that
// would take more than about a second, only a few processors are looked at: a bound over fewer processors is still a
// bound.
#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "verifier/bounds.h"
#include "verifier/bounds/parts.h"

namespace quadrille {

std::string_view to_string(BoundKind kind) {
  constexpr std::array<std::string_view, 13> names{
      "distance", "receptions",       "sends",          "half duplex", "traffic",   "mean lag", "holes",
      "cut",      "cut and distance", "flow over time", "doubling",    "transfers", "entries"};
  return names.at(static_cast<std::size_t>(kind));
}

std::vector<Bound> bounds::sorted(std::vector<std::optional<Bound>> some) {
  std::vector<Bound> all;
  for (std::optional<Bound>& bound : some) {
    if (bound) all.push_back(*std::move(bound));
  }
  std::stable_sort(all.begin(), all.end(), [](const Bound& a, const Bound& b) {
    return a.impossible() != b.impossible() ? a.impossible() : a.steps > b.steps;
  });
  std::set<BoundKind> kinds;
  std::erase_if(all, [&](const Bound& bound) { return !kinds.insert(bound.kind).second; });
  if (all.empty()) all.push_back({BoundKind::distance, 0, "nothing has to move"});
  return all;
}

namespace {

// Whether only the arguments by needs apply: contributions may come several times, or processors need several partial
// reductions. Then a needed unit still travels as many hops as it is away, and each value arrives in a row of its
// own. No prices are made of these bounds.
bool only_needs_count(const Collective& collective) { return collective.idempotent() || collective.leaves_own_out(); }

std::vector<Bound> bounds_by_needs(const Fabric& fabric, const Collective& collective, const bounds::NeedsOfAll& needs,
                                   const Limits& limits) {
  std::vector<Bound> all = bounds::sorted({bounds::receptions_bound(fabric, needs), bounds::sends_bound(fabric, needs),
                                           bounds::distance_bound(needs), bounds::transfers_bound(fabric, collective),
                                           bounds::entries_bound(fabric, collective, {}, limits)});
  for (Bound& bound : all) bound.prices = {};
  return all;
}

}  // namespace

std::vector<Bound> lower_bounds(const Fabric& fabric, const Collective& collective, const Limits& limits) {
  const bounds::NeedsOfAll needs = bounds::needs_of(fabric, collective, limits);
  if (only_needs_count(collective)) return bounds_by_needs(fabric, collective, needs, limits);
  const bounds::Cuts known = bounds::known_cuts(fabric, collective, limits);
  const bounds::Cuts found = bounds::found_cuts(fabric, collective, limits);
  std::vector<Bound> all = bounds::sorted({
      bounds::lag_bound(fabric, collective, needs),
      bounds::holes_bound(fabric, collective),
      bounds::level_bound(fabric, collective, known),
      bounds::cut_bound(fabric, collective, known),
      bounds::receptions_bound(fabric, needs),
      bounds::sends_bound(fabric, needs),
      bounds::half_duplex_bound(fabric, collective, needs),
      bounds::traffic_bound(fabric, collective, needs),
      bounds::distance_bound(needs),
      bounds::transfers_bound(fabric, collective),
      bounds::entries_bound(fabric, collective, {&known, &found}, limits),
      bounds::cut_bound(fabric, collective, found),
      bounds::window_bound(fabric, collective, known),
      bounds::window_bound(fabric, collective, found),
  });
  for (Bound& bound : all) bound.paper = bounds::paper_formula(bound.kind, fabric, collective);
  return all;
}

Bound best_bound(const Fabric& fabric, const Collective& collective, std::uint64_t steps, const Limits& limits) {
  if (fabric.in_rounds()) return round_bounds(fabric, collective, limits).front();
  Bound best = lower_bounds(fabric, collective, limits).front();
  if (best.impossible() || *best.steps >= steps) return best;
  return flow_bound(fabric, collective, *best.steps, few_rows, limits).value_or(std::move(best));
}

}  // namespace quadrille
