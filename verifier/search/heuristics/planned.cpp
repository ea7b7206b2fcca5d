// Idea: try the groups of the fabric's symmetries, largest first, that are shifts (trips.h): those that the topology
// knows, that are found, or that the processors' numbers suggest; and last the identity alone. A plan is for the
// packets of the first processor of each orbit; the images of its hops are the schedule.
//
//   total exchange, torus of 8x8: 63 trips, 64 steps, which is the bound; all-gather, hypercube of 8: a tree of 256, 32
//   steps
//
// Cost: trips.h; and the rows of the table.
#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "verifier/search/heuristics/schedules.h"
#include "verifier/search/heuristics/trips.h"
#include "verifier/search/problem/problem.h"
#include "verifier/search/problem/rows.h"
#include "verifier/search/problem/symmetry.h"

namespace quadrille::searching {
namespace {

constexpr std::uint64_t most_rows = std::uint64_t{1} << 23;
constexpr std::uint64_t most_work = std::uint64_t{1} << 29;  // of trips or trees x channels
constexpr std::uint32_t tree_tries = 8;

class PlannedSchedules {
 public:
  PlannedSchedules(const Fabric& fabric, const Collective& collective, std::uint64_t enough, Watch& watch,
                   const SearchProblem::Consider& consider)
      : fabric_(fabric), collective_(collective), enough_(enough), watch_(watch), consider_(consider) {}

  void run() {
    std::vector<Group> groups = groups_of(fabric_, collective_, &watch_);
    if (!collective_.listed() && collective_.symmetric()) {
      std::ranges::move(numbered_shifts(fabric_, watch_), std::back_inserter(groups));
      std::ranges::stable_sort(groups, std::greater<>(), [](const Group& group) { return group.elements.size(); });
    }
    for (const Group& group : groups) {
      if (!plan(group)) return;
    }
    plan(trivial_group(fabric_));
  }

 private:
  // Returns whether another plan may be of use.
  bool plan(const Group& group) {
    const auto shifts = ShiftGroup::make(fabric_, group);
    if (!shifts || collective_.demands() / shifts->number() > most_work / fabric_.channels()) return true;
    const std::string name = shifts->number() == 1 ? "" : group.name;
    if (collective_.combining()) return plan_flights(*shifts, name);
    return collective_.unicast() ? plan_trips(*shifts, name) : plan_trees(*shifts, name);
  }

  // --- packets for one processor each
  // ---------------------------------------------------------------------------------

  bool plan_trips(const ShiftGroup& shifts, const std::string& name) {
    std::vector<PlannedTrip> trips;
    std::vector<ChunkId> chunks;
    for (std::uint64_t number = 0; number < collective_.demands(); ++number) {
      const auto [chunk, target] = collective_.demand_at(number);
      const NodeId from{starts_of(collective_, chunk).front()};
      if (shifts.place_of(from).shift != 0) continue;
      trips.push_back({from, target});
      chunks.push_back(chunk);
    }
    const SharedRoom room(fabric_, shifts);
    const std::uint64_t load = choose_routes(fabric_, shifts, room, trips, enough_, watch_);
    if (load == 0 || load >= shortest_) return true;
    const std::uint64_t steps = choose_steps(fabric_, shifts, room, trips, std::max(load, enough_), watch_);
    if (steps >= shortest_) return true;
    std::uint64_t hops = 0;
    for (const PlannedTrip& trip : trips) hops += trip.route.size();
    if (hops * shifts.number() > most_rows) return true;
    shortest_ = steps;
    return offer(rows_of(shifts, trips, chunks), {.kind = Method::Kind::balanced_routes, .name = name});
  }

  std::vector<StepRow> rows_of(const ShiftGroup& shifts, const std::vector<PlannedTrip>& trips,
                               const std::vector<ChunkId>& chunks) const {
    std::vector<StepRow> rows;
    for (std::size_t i = 0; i < trips.size(); ++i) {
      for (std::uint32_t shift = 0; shift < shifts.number(); ++shift) {
        ChunkId chunk = chunks[i];
        if (shift != 0) {
          ChunkName name = collective_.name(chunk);
          name.origin = shifts.image(NodeId{name.origin}, shift).value;
          if (name.target) name.target = shifts.image(NodeId{*name.target}, shift).value;
          chunk = collective_.chunk(name).value();
        }
        for (std::size_t hop = 0; hop < trips[i].route.size(); ++hop) {
          rows.push_back({StepId{trips[i].steps[hop]}, {shifts.image(trips[i].route[hop], shift), LaneId{0}, chunk}});
        }
      }
    }
    return rows;
  }

  // --- chunks for all
  // -------------------------------------------------------------------------------------------------

  bool plan_trees(const ShiftGroup& shifts, const std::string& name) {
    const Rules& rules = fabric_.rules();
    const bool free = rules.ports != Ports::single && rules.duplex != Duplex::half && !fabric_.has_switches();
    if (!free || collective_.listed() || collective_.demands() > most_rows) return true;
    for (std::uint32_t seed = 1; seed <= tree_tries; ++seed) {
      std::vector<StepRow> rows = spanning_trees(fabric_, collective_, shifts, seed, shortest_ - 1, watch_);
      if (rows.empty()) continue;
      shortest_ = rows.back().step.value;
      if (!offer(std::move(rows), {.kind = Method::Kind::spanning_trees, .name = name})) return false;
    }
    return true;
  }

  // --- values for one processor each
  // ----------------------------------------------------------------------------------

  bool plan_flights(const ShiftGroup& shifts, const std::string& name) {
    const std::uint64_t n = fabric_.processors();
    const std::uint64_t flights = (n - 1) * collective_.values();
    if (flights * fabric_.nodes() > most_rows || flights / shifts.number() * n > most_work / fabric_.channels())
      return true;
    for (std::uint32_t seed = 1; seed <= tree_tries; ++seed) {
      std::vector<StepRow> rows = flight_trees(fabric_, collective_, shifts, seed, shortest_ - 1, watch_);
      if (rows.empty()) continue;
      shortest_ = std::ranges::max_element(rows, {}, &StepRow::step)->step.value;
      if (!offer(std::move(rows), {.kind = Method::Kind::flight_trees, .name = name})) return false;
    }
    return true;
  }

  bool offer(std::vector<StepRow> rows, Method method) const {
    return consider_(table_of(fabric_, collective_, "planned", std::move(rows)), std::move(method));
  }

  const Fabric& fabric_;
  const Collective& collective_;
  std::uint64_t enough_;
  Watch& watch_;
  const SearchProblem::Consider& consider_;
  std::uint64_t shortest_ = max_step;  // the steps of the shortest schedule that was handed over
};

}  // namespace

void planned_schedules(const Fabric& fabric, const Collective& collective, std::uint64_t enough, Watch& watch,
                       const SearchProblem::Consider& consider) {
  if (fabric.in_rounds() || fabric.rules().queue.limit || collective.demands() == 0) return;
  if (collective.combining()) {
    const bool one_wants = collective.shape() && !collective.shape()->shared() && !collective.shape()->by_rank();
    if (!one_wants || collective.ordered() || (fabric.has_switches() && fabric.switches_reduce())) return;
  }
  PlannedSchedules(fabric, collective, enough, watch, consider).run();
}

}  // namespace quadrille::searching
