#include "model/route.h"

#include <array>
#include <bit>
#include <mutex>

namespace quadrille {

class Router::Strategy {
 public:
  virtual ~Strategy() = default;
  virtual bool append(NodeId source, NodeId target, std::vector<ChannelId>& channels) const = 0;
  virtual std::optional<std::uint32_t> distance(NodeId source, NodeId target) const = 0;
  virtual std::optional<NodeId> common_ancestor(NodeId, NodeId) const { return std::nullopt; }
};

// --- trees and stars --------------------------------------------------------------------------------------------

// The numbers of a tree's channels follow from their places. A leaf has one channel, so the channel up from leaf x is
// x. A switch of a level below the root has arity + 1: to its children, then to its parent. So with base[i] the first
// channel out of level i, the channel down from (i, j) to its child k is base[i] + j·(arity+1) + k, and the one up is
// base[i] + j·(arity+1) + arity. A route costs a few operations a channel; nothing is looked up.
class Router::TreeRoutes final : public Strategy {
 public:
  explicit TreeRoutes(const Fabric& fabric) : levels_(fabric.levels()) {
    const auto* star = std::get_if<StarShape>(&fabric.shape());
    arity_ = star ? star->processors : std::get<FatTreeShape>(fabric.shape()).arity;
    std::uint32_t first_channel = 0;
    for (std::uint32_t i = 1; i <= levels_; ++i) {
      const std::uint32_t width_below = fabric.switch_at(i, 0)->value - starts_[i - 1];
      first_channel += width_below * (i == 1 ? 1 : arity_ + 1);
      starts_[i] = starts_[i - 1] + width_below;
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
    const Place from = place_of(source);
    const Place to = place_of(target);
    const Place top = arity_ == 2 ? meeting<2>(from, to) : meeting<0>(from, to);
    return 2 * top.level - from.level - to.level;
  }

  std::optional<NodeId> common_ancestor(NodeId a, NodeId b) const override {
    const Place top = meeting<0>(place_of(a), place_of(b));
    return NodeId(starts_[top.level] + top.index);
  }

 private:
  // Node `index` of a level.
  struct Place {
    std::uint32_t level;
    std::uint32_t index;
  };

  Place place_of(NodeId node) const {
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
  Place meeting(Place a, Place b) const {
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
    Place from = place_of(source);
    Place to = place_of(target);
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
  std::uint32_t arity_ = 2;
  std::array<std::uint32_t, 32> starts_{};  // the first node of each level
  std::array<std::uint32_t, 32> bases_{};   // the first channel out of each level
};

// --- grids ------------------------------------------------------------------------------------------------------

class Router::GridRoutes final : public Strategy {
 public:
  explicit GridRoutes(Fabric fabric) : fabric_(std::move(fabric)) {
    const auto& shape = std::get<GridShape>(fabric_.shape());
    std::uint32_t stride = fabric_.processors();
    for (const std::uint32_t extent : shape.extents) {
      stride /= extent;
      if (extent > 1) dimensions_.push_back({extent, stride, shape.wraps});
    }
  }

  bool append(NodeId source, NodeId target, std::vector<ChannelId>& channels) const override {
    NodeId at = source;
    for (const Dimension& d : dimensions_) {
      std::uint32_t x = d.coordinate(at);
      const Way way = d.way(x, d.coordinate(target));
      for (std::uint32_t i = 0; i < way.length; ++i) {
        const std::uint32_t next_x = d.next(x, way.upwards);
        const NodeId next(at.value - x * d.stride + next_x * d.stride);
        channels.push_back(*fabric_.channel_between(at, next));
        at = next;
        x = next_x;
      }
    }
    return true;
  }

  std::optional<std::uint32_t> distance(NodeId source, NodeId target) const override {
    std::uint32_t sum = 0;
    for (const Dimension& d : dimensions_) sum += d.way(d.coordinate(source), d.coordinate(target)).length;
    return sum;
  }

 private:
  struct Way {
    bool upwards;
    std::uint32_t length;
  };

  struct Dimension {
    std::uint32_t extent;
    std::uint32_t stride;
    bool wraps;

    std::uint32_t coordinate(NodeId node) const { return node.value / stride % extent; }

    std::uint32_t next(std::uint32_t x, bool upwards) const {
      if (upwards) return x + 1 == extent ? 0 : x + 1;
      return x == 0 ? extent - 1 : x - 1;
    }

    // With wraps the shorter way, upwards on a tie. (Of a wrapped dimension of two points, one link serves both ways.)
    Way way(std::uint32_t from, std::uint32_t to) const {
      if (!wraps) return from <= to ? Way{true, to - from} : Way{false, from - to};
      const std::uint32_t up = to >= from ? to - from : to + extent - from;
      return up <= extent - up ? Way{true, up} : Way{false, extent - up};
    }
  };

  Fabric fabric_;
  std::vector<Dimension> dimensions_;
};

// --- complete graphs --------------------------------------------------------------------------------------------

class Router::DirectRoutes final : public Strategy {
 public:
  explicit DirectRoutes(std::uint32_t processors) : processors_(processors) {}

  bool append(NodeId source, NodeId target, std::vector<ChannelId>& channels) const override {
    if (source == target) return true;
    const std::uint32_t index = target < source ? target.value : target.value - 1;
    channels.emplace_back(source.value * (processors_ - 1) + index);
    return true;
  }

  std::optional<std::uint32_t> distance(NodeId source, NodeId target) const override {
    return source == target ? 0 : 1;
  }

 private:
  std::uint32_t processors_;
};

// --- graphs -----------------------------------------------------------------------------------------------------

// For each target that is asked for, once, a breadth-first search; then at every node the first channel of its route to
// the target: 4 bytes for each target and node.
//
// Why the routes from one source s form a tree: let v lie on the route from s to t. At each node u before v, a
// neighbour that is nearer to v is nearer to t too (u's distance to t leads through v), and the chosen one is nearer to
// both; it has the lowest number among those nearer to t, hence among those nearer to v. So the route to v begins
// alike.
class Router::ShortestRoutes final : public Strategy {
 public:
  explicit ShortestRoutes(Fabric fabric)
      : fabric_(std::move(fabric)), once_(new std::once_flag[fabric_.nodes()]), first_channels_(fabric_.nodes()) {}

  bool append(NodeId source, NodeId target, std::vector<ChannelId>& channels) const override {
    if (source == target) return true;
    const std::vector<ChannelId>& first = first_channels_to(target);
    if (first[source.value] == no_channel) return false;
    for (NodeId at = source; at != target; at = fabric_.channel(channels.back()).to) {
      channels.push_back(first[at.value]);
    }
    return true;
  }

  std::optional<std::uint32_t> distance(NodeId source, NodeId target) const override {
    std::vector<ChannelId> route;
    if (!append(source, target, route)) return std::nullopt;
    return static_cast<std::uint32_t>(route.size());
  }

 private:
  static constexpr ChannelId no_channel{0xffffffff};
  static constexpr std::uint32_t far_away = 0xffffffff;

  // By node: the first channel of its route to `target`; no_channel where there is none, and at the target.
  const std::vector<ChannelId>& first_channels_to(NodeId target) const {
    std::call_once(once_[target.value], [&] { first_channels_[target.value] = find_first_channels(target); });
    return first_channels_[target.value];
  }

  // Links go both ways, so a node's distance to the target is the target's distance to it.
  std::vector<std::uint32_t> distances_to(NodeId target) const {
    std::vector<std::uint32_t> distances(fabric_.nodes(), far_away);
    distances[target.value] = 0;
    std::vector<NodeId> reached{target};
    for (std::size_t i = 0; i < reached.size(); ++i) {
      const NodeId node = reached[i];
      for (const ChannelId id : fabric_.channels_from(node)) {
        const NodeId next = fabric_.channel(id).to;
        if (distances[next.value] != far_away) continue;
        distances[next.value] = distances[node.value] + 1;
        reached.push_back(next);
      }
    }
    return distances;
  }

  std::vector<ChannelId> find_first_channels(NodeId target) const {
    const std::vector<std::uint32_t> distances = distances_to(target);
    std::vector<ChannelId> first(fabric_.nodes(), no_channel);
    for (NodeId node(0); node.value < fabric_.nodes(); ++node.value) {
      if (node == target || distances[node.value] == far_away) continue;
      for (const ChannelId id : fabric_.channels_from(node)) {
        if (distances[fabric_.channel(id).to.value] + 1 != distances[node.value]) continue;
        first[node.value] = id;
        break;
      }
    }
    return first;
  }

  Fabric fabric_;
  std::unique_ptr<std::once_flag[]> once_;  // a flag for each target
  mutable std::vector<std::vector<ChannelId>> first_channels_;
};

// --- the router -------------------------------------------------------------------------------------------------

Router::Router(Fabric fabric) {
  const Shape& shape = fabric.shape();
  if (std::holds_alternative<FatTreeShape>(shape) || std::holds_alternative<StarShape>(shape)) {
    strategy_ = std::make_shared<TreeRoutes>(fabric);
  } else if (std::holds_alternative<GridShape>(shape)) {
    strategy_ = std::make_shared<GridRoutes>(std::move(fabric));
  } else if (std::holds_alternative<CompleteShape>(shape)) {
    strategy_ = std::make_shared<DirectRoutes>(fabric.processors());
  } else {
    strategy_ = std::make_shared<ShortestRoutes>(std::move(fabric));
  }
}

bool Router::append_route(NodeId source, NodeId target, std::vector<ChannelId>& channels) const {
  return strategy_->append(source, target, channels);
}

std::optional<std::uint32_t> Router::distance(NodeId source, NodeId target) const {
  return strategy_->distance(source, target);
}

std::optional<NodeId> Router::lowest_common_ancestor(NodeId a, NodeId b) const {
  return strategy_->common_ancestor(a, b);
}

}  // namespace quadrille
