// Idea and proof: time_reversal.h. A schedule is reduced to the rows that lead to first receptions. They form a tree
// for each chunk. Then each row (t, u->v) becomes (T + 1 - t, v->u).
//
//   broadcast from 0 on the line 0-1-2: 0->1 in step 1, 1->2 in step 2; as a reduce: 2->1 in step 1, 1->0 in step 2; as
//   an allreduce: the reduce, then 0->1 in step 3 and 1->2 in step 4
//
// Cost: for each processor and chunk, a search through the chunk's rows for each switch on the way.
#include "verifier/search/time_reversal.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "model/collective_family.h"

namespace quadrille::searching {
namespace {

// The rows of one chunk that form a tree from where it starts to all processors: the first row into each processor;
// and, for each row out of a switch, the latest row into that switch before it.
class Tree {
 public:
  // A row of the tree, the processor from which the chunk comes to it, and a processor to which it goes.
  struct Branch {
    std::uint32_t step;
    ChannelId channel;
    std::uint32_t above;
    std::uint32_t below;
  };

  Tree(const Fabric& fabric, std::vector<StepRow> rows) : fabric_(fabric), rows_(std::move(rows)), kept_(rows_.size()) {
    std::sort(rows_.begin(), rows_.end(), [](const StepRow& a, const StepRow& b) {
      return std::pair(a.step, a.row.channel) < std::pair(b.step, b.row.channel);
    });
  }

  // Adds the rows that lead to the first row into the processor.
  void add(std::uint32_t processor, std::vector<Branch>& tree) {
    std::vector<std::size_t> way;
    auto at = into(NodeId(processor), max_step, true);
    for (; at && !fabric_.is_processor(tail(*at)); at = into(tail(*at), rows_[*at].step.value, false)) {
      way.push_back(*at);
    }
    if (!at) return;  // no row brought the chunk to where this one begins
    way.push_back(*at);
    for (const std::size_t i : way) {
      if (!kept_[i]) tree.push_back({rows_[i].step.value, rows_[i].row.channel, tail(*at).value, processor});
      kept_[i] = true;
    }
  }

 private:
  NodeId tail(std::size_t row) const { return fabric_.channel(rows_[row].row.channel).from; }

  // The first, or the last, row into the node before the step.
  std::optional<std::size_t> into(NodeId node, std::uint32_t before, bool first) const {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (rows_[i].step.value >= before && !(first && before == max_step)) break;
      if (fabric_.channel(rows_[i].row.channel).to != node) continue;
      found = i;
      if (first) break;
    }
    return found;
  }

  const Fabric& fabric_;
  std::vector<StepRow> rows_;
  std::vector<bool> kept_;
};

// The trees of all chunks.
std::map<ChunkId, std::vector<Tree::Branch>> trees(const Fabric& fabric, const Collective& copying,
                                                   const std::vector<StepRow>& rows) {
  std::map<ChunkId, std::vector<StepRow>> of_chunk;
  for (const StepRow& it : rows) of_chunk[it.row.chunk].push_back(it);
  std::map<ChunkId, std::vector<Tree::Branch>> result;
  for (auto& [chunk, its_rows] : of_chunk) {
    Tree tree(fabric, std::move(its_rows));
    for (std::uint32_t p = 0; p < fabric.processors(); ++p) {
      if (!copying.starts_at(chunk, NodeId(p))) tree.add(p, result[chunk]);
    }
  }
  return result;
}

std::uint32_t last_step(const std::vector<StepRow>& rows) {
  std::uint32_t last = 0;
  for (const StepRow& it : rows) last = std::max(last, it.step.value);
  return last;
}

}  // namespace

std::optional<Collective> time_reversed_of(const Fabric& fabric, const Collective& collective) {
  if (!collective.combining() || collective.ordered()) return std::nullopt;
  if (fabric.has_switches() && !fabric.switches_reduce()) return std::nullopt;
  const auto mirror = collective.shape()->mirrored();
  if (!mirror || mirror->combining()) return std::nullopt;
  if (!links_are_alike(fabric)) return std::nullopt;
  return collective_of_shape(*mirror, collective.processors());
}

// Each branch becomes a packet to the processor above it. Where several packets have joined in a switch, the row has
// the name of any of them.
std::vector<StepRow> time_reversed_rows(const Fabric& fabric, const Collective& combining, const Collective& copying,
                                        const std::vector<StepRow>& rows) {
  const std::uint32_t T = last_step(rows);
  std::vector<StepRow> result;
  for (const auto& [chunk, tree] : trees(fabric, copying, rows)) {
    for (const Tree::Branch& it : tree) {
      const auto packet = copying.dual_chunk(chunk, NodeId(it.above), NodeId(it.below), combining).value();
      result.push_back({StepId{T + 1 - it.step}, {fabric.reverse(it.channel).value(), LaneId{0}, packet}});
    }
  }
  return result;
}

std::vector<StepRow> rows_of_results(const Fabric& fabric, const Collective& combining, const Collective& copying,
                                     const std::vector<StepRow>& rows, std::uint32_t later) {
  std::vector<StepRow> all;
  for (const auto& [chunk, tree] : trees(fabric, copying, rows)) {
    for (const Tree::Branch& it : tree) {
      const auto packet = combining.chunk({it.above, it.below, copying.dual_value(chunk)}).value();
      all.push_back({StepId{later + it.step}, {it.channel, LaneId{0}, packet}});
    }
  }
  return all;
}

std::vector<StepRow> reduce_then_broadcast(const Fabric& fabric, const Collective& allreduce, const Collective& copying,
                                           const std::vector<StepRow>& before, const std::vector<StepRow>& after) {
  std::vector<StepRow> all = time_reversed_rows(fabric, allreduce, copying, before);
  const std::vector<StepRow> results = rows_of_results(fabric, allreduce, copying, after, last_step(all));
  all.insert(all.end(), results.begin(), results.end());
  return all;
}

}  // namespace quadrille::searching
