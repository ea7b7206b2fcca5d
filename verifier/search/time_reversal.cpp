// Idea and proof: time_reversal.h. A schedule is reduced to its first receptions, which form a tree for each chunk, and
// each row (t, u->v) becomes (T + 1 - t, v->u).
//
//   broadcast from 0 on the line 0-1-2: 0->1 in step 1, 1->2 in step 2; as a reduce: 2->1 in step 1, 1->0 in step 2; as
//   an allreduce: the reduce, then 0->1 in step 3 and 1->2 in step 4
//
// Cost: sorting the rows.
#include "verifier/search/time_reversal.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "model/counted.h"
#include "verifier/search/copying.h"

namespace quadrille::searching {
namespace {

// The value that the chunk of a broadcast or allgather stands for.
std::uint32_t value_of(const Collective& copying, ChunkId chunk) {
  const ChunkName name = copying.name(chunk);
  const bool rooted = copying.kind() == CollectiveKind::broadcast;
  return rooted ? name.part : name.origin * copying.description().parts + name.part;
}

// The first row into each processor, of each chunk.
std::vector<StepRow> first_receptions(const Fabric& fabric, const Collective& copying, std::vector<StepRow> rows) {
  std::sort(rows.begin(), rows.end(), [](const StepRow& a, const StepRow& b) {
    return std::pair(a.step, a.row.channel) < std::pair(b.step, b.row.channel);
  });
  std::set<std::pair<ChunkId, NodeId>> received;
  std::erase_if(rows, [&](const StepRow& it) {
    const NodeId to = fabric.channel(it.row.channel).to;
    return copying.starts_at(it.row.chunk, to) || !received.emplace(it.row.chunk, to).second;
  });
  return rows;
}

std::uint32_t last_step(const std::vector<StepRow>& rows) {
  std::uint32_t last = 0;
  for (const StepRow& it : rows) last = std::max(last, it.step.value);
  return last;
}

// The packet that carries this value from the channel's one end to the other.
Row across(const Fabric& fabric, const Collective& combining, ChannelId e, std::uint32_t value) {
  const Channel& channel = fabric.channel(e);
  return {e, LaneId{0}, combining.chunk({channel.from.value, channel.to.value, value}).value()};
}

// Requires that the links of the rows go both ways.
std::vector<StepRow> reversed(const Fabric& fabric, const Collective& combining, const Collective& copying,
                              std::vector<StepRow> rows) {
  rows = first_receptions(fabric, copying, std::move(rows));
  const std::uint32_t T = last_step(rows);
  for (auto& [step, row] : rows) {
    step = StepId{T + 1 - step.value};
    row = across(fabric, combining, fabric.reverse(row.channel).value(), value_of(copying, row.chunk));
  }
  return rows;
}

class BackwardsProblem final : public Problem {
 public:
  BackwardsProblem(const Fabric& fabric, const Collective& collective, Collective copying, const SearchGoal& goal,
                   std::vector<Moves> moves, Watch& watch)
      : fabric_(fabric),
        collective_(collective),
        copying_(std::move(copying)),
        goal_{goal.steps, false, false, std::nullopt},
        forwards_(fabric_, copying_, goal_, std::move(moves), watch) {}

  std::vector<Group> groups() const override { return forwards_.groups(); }
  bool has_shortest_paths() const override { return forwards_.has_shortest_paths(); }
  std::uint64_t size(std::uint32_t T, Paths paths) const override { return forwards_.size(T, paths); }
  std::uint64_t bytes_each() const override { return forwards_.bytes_each(); }
  std::string size_text(std::uint64_t size) const override { return forwards_.size_text(size); }
  std::unique_ptr<ScheduleFormula> formula(std::uint32_t T, const Group& group, Paths paths,
                                           Watch& watch) const override {
    return forwards_.formula(T, group, paths, watch);
  }
  FormulaKind about() const override { return FormulaKind::time_reversed; }

  std::string refutation(std::uint32_t T) const override {
    return fmt::format(
        "time-reversed this is {} on a fabric without switches, whose links are alike in both directions, and the "
        "formula that says that it has a schedule of {} is unsatisfiable",
        copying_.notation(), counted(T, "step"));
  }

  SendTable table(std::string name, std::vector<StepRow> rows) const override {
    return table_of(fabric_, collective_, std::move(name), reversed(fabric_, collective_, copying_, std::move(rows)));
  }

  bool keeps_to_goal(const SendTable& /*table*/) const override { return true; }

  void construct(std::uint64_t lower_bound, const Consider& consider) const override {
    forwards_.construct(lower_bound, [&](const SendTable& table, Method method) {
      method.use = Method::Use::time_reversed;
      method.of = copying_.notation();
      return consider(this->table(table.schedule, all_rows(table)), std::move(method));
    });
  }

 private:
  const Fabric& fabric_;
  const Collective& collective_;
  Collective copying_;
  SearchGoal goal_;
  CopyingProblem forwards_;
};

}  // namespace

std::optional<Collective> time_reversed_of(const Fabric& fabric, const Collective& collective) {
  if (!collective.combining() || collective.ordered() || fabric.nodes() != fabric.processors()) return std::nullopt;
  const auto kind = Collective::dual(collective.kind());
  if (!kind) return std::nullopt;
  for (std::uint32_t e = 0; e < fabric.channels(); ++e) {
    const auto back = fabric.reverse(ChannelId{e});
    if (!back || fabric.channel(ChannelId{e}).capacity != fabric.channel(*back).capacity) return std::nullopt;
  }
  CollectiveDescription description = collective.description();
  description.kind = *kind;
  return Collective::make(std::move(description), collective.processors()).value();
}

std::unique_ptr<Problem> time_reversed_problem(const Fabric& fabric, const Collective& collective, Collective copying,
                                               const SearchGoal& goal, std::vector<Moves> moves, Watch& watch) {
  return std::make_unique<BackwardsProblem>(fabric, collective, std::move(copying), goal, std::move(moves), watch);
}

std::vector<StepRow> reduce_then_broadcast(const Fabric& fabric, const Collective& allreduce, const Collective& copying,
                                           std::vector<StepRow> rows) {
  rows = first_receptions(fabric, copying, std::move(rows));
  std::vector<StepRow> all = reversed(fabric, allreduce, copying, rows);
  const std::uint32_t T = last_step(rows);
  for (const auto& [step, row] : rows) {
    all.push_back({StepId{T + step.value}, across(fabric, allreduce, row.channel, value_of(copying, row.chunk))});
  }
  return all;
}

}  // namespace quadrille::searching
