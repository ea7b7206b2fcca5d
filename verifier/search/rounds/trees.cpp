// Idea: in rounds messages may have any length. So one tree towards a root serves all values, or chunks, at once, and
// one tree from the root brings everything to where it is wanted. Copies that are of no use are left out (tables.h).
// Contributions are combined on the way to the root, and results go out whole.
//
//   allreduce of 16 with single ports, all neighbours: 4 rounds to the root, and 4 back
//
// Cost: that of two trees (spread.h) for each root and shape, and of their tables.
#include "verifier/search/rounds/trees.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "verifier/search/rounds/joins.h"
#include "verifier/search/rounds/spread.h"
#include "verifier/search/rounds/tables.h"

namespace quadrille::searching {
namespace {

constexpr std::uint64_t most_tree_looks = std::uint64_t{1} << 22;  // at channels, for one tree: a moment
constexpr std::uint64_t most_rows = std::uint64_t{1} << 18;

using SpreadMessages = std::vector<SpreadMessage>;

struct TwoTrees {
  SpreadMessages in;   // towards the root; the last round first
  SpreadMessages out;  // from the root
};

std::uint32_t rounds_of(const SpreadMessages& messages) { return messages.empty() ? 0 : messages.back().round; }

std::optional<TwoTrees> two_trees(const Fabric& fabric, const Collective& collective, NodeId root, Next next,
                                  Watch& watch) {
  const auto& shape = collective.shape();
  const bool only_out = shape && shape->suppliers == DemandShape::Ends::root;
  const bool only_in = shape && shape->wanters == DemandShape::Ends::root;
  const bool branches = !collective.combining() && !fabric.switches_forward() && fabric.has_switches();
  TwoTrees trees;
  if (!only_out) {
    auto in = spread(fabric, root, Direction::to, messages_join(fabric, collective), next, watch);
    if (!in) return std::nullopt;
    trees.in = *std::move(in);
  }
  if (!only_in) {
    auto out = spread(fabric, root, Direction::from, branches, next, watch);
    if (!out) return std::nullopt;
    trees.out = *std::move(out);
  }
  return trees;
}

std::optional<SendTable> copied(const Fabric& fabric, const Collective& collective, const TwoTrees& trees) {
  std::vector<DrawnMessage> drawn;
  const std::uint32_t turn = rounds_of(trees.in);
  std::uint32_t number = 0;
  for (const SpreadMessage& it : trees.in) {
    drawn.push_back({turn + 1 - it.round, number++, it.news.front(), {it.known}, it.ways});
  }
  for (const SpreadMessage& it : trees.out) {
    drawn.push_back({turn + it.round, number++, it.known, it.news, it.ways});
  }
  return round_table(fabric, collective, "trees", std::move(drawn));
}

// The values that are wanted at each processor, or beyond it in the tree.
std::vector<std::set<std::uint32_t>> wanted_beyond(const Collective& collective, const SpreadMessages& out) {
  std::vector<std::set<std::uint32_t>> wanted(collective.processors());
  for (std::uint64_t number = 0; number < collective.demands(); ++number) {
    const auto [value, processor] = collective.demand_at(number);
    wanted[processor.value].insert(static_cast<std::uint32_t>(value.value));
  }
  for (auto it = out.rbegin(); it != out.rend(); ++it) {
    for (const NodeId end : it->news)
      wanted[it->known.value].insert(wanted[end.value].begin(), wanted[end.value].end());
  }
  return wanted;
}

template <class Values>
bool name_packets(const Collective& collective, NodeId from, NodeId to, const Values& values, JoiningMessage& message) {
  for (const std::uint32_t value : values) {
    const auto packet = collective.chunk({from.value, to.value, value});
    if (!packet) return false;
    message.packets[from].push_back(*packet);
  }
  return true;
}

std::optional<SendTable> combined(const Fabric& fabric, const Collective& collective, const TwoTrees& trees) {
  std::set<std::uint32_t> all;
  for (std::uint32_t value = 0; value < collective.values(); ++value) all.insert(value);
  std::vector<JoiningMessage> messages;
  const std::uint32_t turn = rounds_of(trees.in);
  for (const SpreadMessage& it : trees.in) {
    JoiningMessage message{turn + 1 - it.round, it.known, it.ways, {}};
    for (const NodeId end : it.news) {
      if (!name_packets(collective, end, it.known, all, message)) return std::nullopt;
    }
    messages.push_back(std::move(message));
  }
  const auto wanted = wanted_beyond(collective, trees.out);
  for (const SpreadMessage& it : trees.out) {
    JoiningMessage message{turn + it.round, it.news.front(), it.ways, {}};
    if (!name_packets(collective, it.known, message.receiver, wanted[message.receiver.value], message)) {
      return std::nullopt;
    }
    if (!message.packets.empty()) messages.push_back(std::move(message));
  }
  return joined_table(fabric, collective, "trees", std::move(messages));
}

bool has_trees(const Fabric& fabric, const Collective& collective) {
  const std::uint64_t n = fabric.processors();
  if (n < 2 || n * (fabric.channels() + fabric.nodes()) > most_tree_looks) return false;
  if (collective.demands() > most_rows) return false;
  if (!collective.combining()) return true;
  return n * collective.values() <= most_rows && !collective.shape()->by_rank();
}

}  // namespace

void for_round_trees(const Fabric& fabric, const Collective& collective, Watch& watch,
                     const std::function<bool(SendTable table)>& take) {
  if (!has_trees(fabric, collective)) return;
  const auto& shape = collective.shape();
  std::set<std::uint32_t> roots{0, fabric.processors() / 2};
  if (shape && shape->rooted()) roots = {shape->root};
  for (const Next next : {Next::farthest, Next::nearest}) {
    for (const std::uint32_t root : roots) {
      const auto trees = two_trees(fabric, collective, NodeId(root), next, watch);
      if (!trees) continue;
      auto table = collective.combining() ? combined(fabric, collective, *trees) : copied(fabric, collective, *trees);
      if (table && !take(*std::move(table))) return;
    }
  }
}

}  // namespace quadrille::searching
