// The search problem of copying collectives: the formula of verifier/FORMULA.md over the moves that can be of use,
// with or without a group and detours. Four variants of list scheduling give schedules to begin with (schedules.h);
// with single ports, matchings do.
//
//   total exchange on a mesh: one formula is over all paths, and a smaller one over shortest paths only; a solution of
//   either is a schedule, but only the first can show that there is none
#include "verifier/search/copying.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "model/text/counted.h"
#include "verifier/search/formulas/formula.h"
#include "verifier/search/heuristics/schedules.h"

namespace quadrille::searching {
namespace {

constexpr std::uint32_t greedy_variants = 4;
constexpr std::uint64_t greedy_work = std::uint64_t{1} << 30;  // steps x (chunks x channels that they can cross)
constexpr std::uint64_t bytes_per_hop = 600;                   // of a formula in a solver, as measured

}  // namespace

CopyingProblem::CopyingProblem(const Fabric& fabric, const Collective& collective, const SearchGoal& goal,
                               std::vector<Moves> moves, Watch& watch)
    : fabric_(fabric),
      collective_(collective),
      goal_(goal),
      watch_(watch),
      moves_(std::move(moves)),
      shortest_moves_(shortest_moves(moves_)),
      copies_(std::any_of(moves_.begin(), moves_.end(), [](const Moves& it) { return it.copies; })) {}

// None for chunks that go as copies: orbits are of nodes and channels, and a copy is also distinguished by its
// target.
std::vector<Group> CopyingProblem::groups() const {
  return copies_ ? std::vector<Group>{} : groups_of(fabric_, collective_, &watch_);
}

std::optional<PathChoice> CopyingProblem::fewer_paths() const {
  const auto crossings = [](const std::vector<Moves>& moves) {
    std::size_t number = 0;
    for (const Moves& it : moves) number += it.crossings.size();
    return number;
  };
  if (crossings(shortest_moves_) == crossings(moves_)) return std::nullopt;
  return PathChoice::shortest;
}

std::uint64_t CopyingProblem::size(std::uint32_t T, PathChoice paths) const {
  return hops_within(paths == PathChoice::all ? moves_ : shortest_moves_, T);
}

std::uint64_t CopyingProblem::bytes_each() const { return bytes_per_hop; }

std::string CopyingProblem::size_text(std::uint64_t size) const { return fmt::format("{} possible hops", size); }

std::unique_ptr<ScheduleFormula> CopyingProblem::formula(std::uint32_t T, const Group& group, PathChoice paths,
                                                         Watch& watch) const {
  return std::make_unique<ChunkFormula>(
      Question{fabric_, collective_, T, goal_.inject_once, goal_.keep_to_paths, phases_within(T)},
      paths == PathChoice::all ? moves_ : shortest_moves_, group, &watch);
}

std::optional<std::uint32_t> CopyingProblem::phases_within(std::uint32_t T) const {
  if (!goal_.phases || *goal_.phases >= T) return std::nullopt;
  return goal_.phases;
}

std::string CopyingProblem::refutation(std::uint32_t T) const {
  return fmt::format("the formula that says that there is a schedule of {}{} is unsatisfiable", counted(T, "step"),
                     phases_within(T) ? " in " + counted(*goal_.phases, "phase") : "");
}

SendTable CopyingProblem::table(std::string name, std::vector<StepRow> rows) const {
  // Rows of copies have been checked for use already, copy by copy (ChunkFormula::rows).
  if (!copies_) rows = useful_rows(fabric_, collective_, std::move(rows));
  return table_of(fabric_, collective_, std::move(name), std::move(rows));
}

bool CopyingProblem::keeps_to_goal(const SendTable& table) const {
  if (!goal_.inject_once && !goal_.keep_to_paths) return true;
  std::map<ChunkId, const Moves*> moves;
  for (const Moves& it : moves_) moves[it.chunk] = &it;
  std::map<std::pair<ChunkId, NodeId>, StepId> injected;
  for (const auto& [step, row] : all_rows(table)) {
    const auto found = moves.find(row.chunk);
    if (found == moves.end()) return false;  // no demand needs this packet
    const Moves& it = *found->second;
    const std::size_t crossing = it.crossing_of(row.channel);
    if (crossing == it.crossings.size()) return false;
    const ChunkPlace& from = it.places[it.crossings[crossing].from];
    if (!goal_.inject_once || !from.start) continue;
    const auto [known, added] = injected.try_emplace({row.chunk, from.node}, step);
    if (!added && known->second != step) return false;
  }
  return true;
}

void CopyingProblem::construct(std::uint64_t lower_bound, const Consider& consider) const {
  std::uint64_t crossings = 1;
  for (const Moves& it : moves_) crossings += it.crossings.size();
  if (copies_ || lower_bound > greedy_work / crossings) return;  // list scheduling would branch in switches
  for (std::uint32_t variant = 0; variant < greedy_variants; ++variant) {
    SendTable found = table("greedy", greedy_schedule(fabric_, moves_, variant, &watch_));
    if (!consider(std::move(found), {.kind = Method::Kind::list_scheduling})) return;
  }
  if (goal_.inject_once || goal_.keep_to_paths) return;  // matchings inject a chunk wherever it is rare
  matched_schedules(fabric_, moves_, lower_bound, watch_, [&](std::vector<StepRow> rows) {
    return consider(table("matchings", std::move(rows)), {.kind = Method::Kind::matchings});
  });
}

}  // namespace quadrille::searching
