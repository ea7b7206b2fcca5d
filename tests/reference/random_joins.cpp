#include "tests/reference/random_joins.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace quadrille::reference {

namespace {

using StepRow = StoredRows::StepRow;

class JoinPlan {
 public:
  JoinPlan(Dice& dice, const Fabric& fabric, const Collective& collective, std::uint32_t value, NodeId root)
      : dice_(dice), fabric_(fabric), collective_(collective), value_(value), root_(root) {
    grow();
  }

  // The step after which everything is there; the rows are added.
  std::uint32_t gather(std::uint32_t since, std::vector<StepRow>& rows) {
    bring(root_, since, rows);
    return last_;
  }

 private:
  // A tree of shortest ways to the root.
  void grow() {
    std::vector<NodeId> nodes = {root_};
    std::set<NodeId> known = {root_};
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      for (const ChannelId channel : fabric_.channels_to(nodes[i])) {
        const NodeId from = fabric_.channel(channel).from;
        if (!known.insert(from).second) continue;
        children_[nodes[i]].push_back(channel);
        nodes.push_back(from);
      }
    }
  }

  // Brings all that is below `node` to it: some contributor, if there is one, and the step after which it is there.
  std::pair<std::optional<std::uint32_t>, std::uint32_t> bring(NodeId node, std::uint32_t since,
                                                               std::vector<StepRow>& rows) {
    std::optional<std::uint32_t> some;
    if (fabric_.is_processor(node)) some = node.value;
    std::uint32_t there = since;
    const NodeId target = fabric_.is_processor(node) ? node : target_;
    for (const ChannelId channel : children_[node]) {
      const NodeId outer = std::exchange(target_, target);
      const auto [from, ready] = bring(fabric_.channel(channel).from, since, rows);
      target_ = outer;
      if (!from) continue;
      const std::uint32_t step = ready + 1 + (dice_.one_in(6) ? dice_.below(3) : 0);
      there = std::max(there, step);
      last_ = std::max(last_, step);
      some = fabric_.is_processor(node) ? node.value : *from;
      const auto packet = collective_.chunk({*from, target.value, value_});
      const LaneId lane(dice_.below(fabric_.channel(channel).capacity));
      if (packet) rows.push_back({StepId(step), Row{channel, lane, *packet}});
    }
    return {some, there};
  }

  Dice& dice_;
  const Fabric& fabric_;
  const Collective& collective_;
  std::uint32_t value_;
  NodeId root_;
  NodeId target_{0};  // the processor to which what is in a switch goes
  std::map<NodeId, std::vector<ChannelId>> children_;
  std::uint32_t last_ = 0;
};

}  // namespace

std::vector<StepRow> joining_rows(Dice& dice, const Fabric& fabric, const Collective& collective) {
  std::vector<StepRow> rows;
  std::uint32_t since = 0;
  for (std::uint32_t value = 0; value < std::min(collective.values(), 6U); ++value) {
    for (std::uint32_t p = 0; p < fabric.processors(); ++p) {
      if (!collective.wanted_contributions(value, NodeId(p)) || rows.size() > 300) continue;
      const std::uint32_t done = JoinPlan(dice, fabric, collective, value, NodeId(p)).gather(since, rows);
      if (!dice.one_in(3)) since = std::max(since, done);
      if (dice.one_in(3)) break;
    }
  }
  return rows;
}

}  // namespace quadrille::reference
