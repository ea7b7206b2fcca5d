// The numbers of a tree's channels follow from their places. A leaf has one channel, so the channel up from leaf x is
// x. A switch of a level below the root has arity + 1: to its children, then to its parent. So with base[i] the first
// channel out of level i, the channel down from (i, j) to its child k is base[i] + j·(arity+1) + k, and the one up is
// base[i] + j·(arity+1) + arity.
#include "model/topologies/tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

namespace quadrille::topologies {
namespace {

// The channels of node j of level i: down to its children, then up to its parent.
void add_node(const CompleteTree& tree, std::uint32_t i, std::uint32_t j, Wiring& wiring) {
  const NodeId node(wiring.level_starts[i] + j);
  if (i > 0) {
    const std::uint32_t first_child = wiring.level_starts[i - 1] + j * tree.arity;
    for (std::uint32_t k = 0; k < tree.arity; ++k) {
      wiring.channels.push_back({node, NodeId(first_child + k), tree.capacities[i - 1], i});
    }
  }
  if (i < tree.levels()) {
    const NodeId parent(wiring.level_starts[i + 1] + j / tree.arity);
    wiring.channels.push_back({node, parent, tree.capacities[i], i + 1});
  }
}

class TreeRoutes final : public Routes {
 public:
  explicit TreeRoutes(const CompleteTree& tree) : levels_(tree.levels()), arity_(tree.arity) {
    std::uint32_t width = 1;
    for (std::uint32_t i = 0; i < levels_; ++i) width *= arity_;
    std::uint32_t first_channel = 0;
    for (std::uint32_t i = 1; i <= levels_; ++i, width /= arity_) {
      first_channel += width * (i == 1 ? 1 : arity_ + 1);
      starts_[i] = starts_[i - 1] + width;
      bases_[i] = first_channel;
    }
  }

  bool append(NodeId source, NodeId target, std::vector<ChannelId>& channels) const override {
    if (arity_ == 2) {
      append_route<2>(source, target, channels);
    } else {
      append_route<0>(source, target, channels);
    }
    return true;
  }

  std::optional<std::uint32_t> distance(NodeId source, NodeId target) const override {
    const LevelIndex from = place_of(source);
    const LevelIndex to = place_of(target);
    const LevelIndex top = arity_ == 2 ? meeting<2>(from, to) : meeting<0>(from, to);
    return 2 * top.level - from.level - to.level;
  }

  std::optional<NodeId> lowest_common_ancestor(NodeId a, NodeId b) const override {
    const LevelIndex top = meeting<0>(place_of(a), place_of(b));
    return NodeId(starts_[top.level] + top.index);
  }

 private:
  // Node `index` of a level.
  struct LevelIndex {
    std::uint32_t level;
    std::uint32_t index;
  };

  LevelIndex place_of(NodeId node) const {
    std::uint32_t level = 0;
    while (level < levels_ && node.value >= starts_[level + 1]) ++level;
    return {level, node.value - starts_[level]};
  }

  // In these templates `fixed` is the arity if the compiler may know it (2: divisions become shifts), else 0.
  template <std::uint32_t fixed>
  std::uint32_t arity() const {
    return fixed == 0 ? arity_ : fixed;
  }

  // The lowest place above both (or one of them, if it is above the other).
  template <std::uint32_t fixed>
  LevelIndex meeting(LevelIndex a, LevelIndex b) const {
    for (; a.level < b.level; ++a.level) a.index /= arity<fixed>();
    for (; b.level < a.level; ++b.level) b.index /= arity<fixed>();
    if constexpr (fixed == 2) {
      const auto climb = static_cast<std::uint32_t>(std::bit_width(a.index ^ b.index));
      return {a.level + climb, a.index >> climb};
    }
    while (a.index != b.index) {
      a.index /= arity<fixed>();
      b.index /= arity<fixed>();
      ++a.level;
    }
    return a;
  }

  template <std::uint32_t fixed>
  void append_route(NodeId source, NodeId target, std::vector<ChannelId>& channels) const {
    LevelIndex from = place_of(source);
    LevelIndex to = place_of(target);
    const std::uint32_t top = meeting<fixed>(from, to).level;
    const std::size_t before = channels.size();
    channels.resize(before + 2 * top - from.level - to.level);
    ChannelId* up = channels.data() + before;
    if (from.level == 0 && top > 0) {
      *up++ = ChannelId(from.index);
      from = {1, from.index / arity<fixed>()};
    }
    for (; from.level < top; ++from.level) {
      *up++ = ChannelId(bases_[from.level] + from.index * (arity<fixed>() + 1) + arity<fixed>());
      from.index /= arity<fixed>();
    }
    ChannelId* down = channels.data() + channels.size();
    while (to.level < top) {
      const std::uint32_t child = to.index % arity<fixed>();
      to = {to.level + 1, to.index / arity<fixed>()};
      *--down = ChannelId(bases_[to.level] + to.index * (arity<fixed>() + 1) + child);
    }
  }

  std::uint32_t levels_;
  std::uint32_t arity_;
  std::array<std::uint32_t, 32> starts_{};  // the first node of each level
  std::array<std::uint32_t, 32> bases_{};   // the first channel out of each level
};

// The cut off subtree `index` below the channels of a level, which has `size` leaves.
Cut subtree_cut(const Fabric& fabric, std::uint64_t size, std::uint32_t level, std::uint64_t index) {
  const std::uint64_t first = index * size;
  Cut cut{std::vector<bool>(fabric.processors()), level, {}};
  std::fill_n(cut.inside.begin() + static_cast<std::ptrdiff_t>(first), size, true);
  cut.name =
      size == 1 ? fmt::format("processor {}", first) : fmt::format("the subtree of switch {}.{}", level - 1, index);
  const NodeId top = level == 1 ? NodeId{static_cast<std::uint32_t>(first)} : *fabric.switch_at(level - 1, index);
  cut.out.push_back(fabric.channels_from(top).back());  // a node's last channel goes to its parent
  cut.in.push_back(*fabric.reverse(cut.out.front()));
  return cut;
}

}  // namespace

WiringSize tree_size(const CompleteTree& tree) {
  std::uint64_t width = 1;
  WiringSize size{1, 0};
  for (std::uint32_t i = 0; i < tree.levels() && !size.too_large(); ++i) {
    width *= tree.arity;
    size = {size.nodes + width, size.channels + 2 * width};
  }
  return size;
}

Result<Wiring> tree_wiring(const CompleteTree& tree, Span where, const std::string& too_large_words) {
  const WiringSize size = tree_size(tree);
  if (size.too_large()) return too_large(where, too_large_words);
  std::uint64_t leaves = 1;
  for (std::uint32_t i = 0; i < tree.levels(); ++i) leaves *= tree.arity;
  Wiring wiring;
  wiring.processors = static_cast<std::uint32_t>(leaves);
  wiring.nodes = static_cast<std::uint32_t>(size.nodes);
  wiring.level_starts.push_back(0);
  for (std::uint32_t i = 0; i <= tree.levels(); ++i, leaves /= tree.arity) {
    wiring.level_starts.push_back(wiring.level_starts.back() + static_cast<std::uint32_t>(leaves));
  }
  wiring.channels.reserve(size.channels);
  for (std::uint32_t i = 0; i <= tree.levels(); ++i) {
    const std::uint32_t width = wiring.level_starts[i + 1] - wiring.level_starts[i];
    for (std::uint32_t j = 0; j < width; ++j) add_node(tree, i, j, wiring);
  }
  return wiring;
}

std::shared_ptr<const Routes> tree_routes(const CompleteTree& tree) { return std::make_shared<TreeRoutes>(tree); }

std::vector<CutFamily> tree_cuts(const CompleteTree& tree, const Fabric& fabric) {
  std::vector<CutFamily> families;
  std::uint64_t size = 1;
  for (std::uint32_t level = 1; level <= tree.levels(); ++level, size *= tree.arity) {
    families.push_back({fabric.processors() / size,
                        [fabric, size, level](std::uint64_t index) { return subtree_cut(fabric, size, level, index); },
                        [size](std::uint32_t processor) { return processor / size; }});
  }
  return families;
}

}  // namespace quadrille::topologies
