#include "verifier/search/automorphisms.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace quadrille::searching {
namespace {

constexpr std::uint32_t most_graph_nodes = 64;
constexpr std::uint64_t most_tried = std::uint64_t{1} << 22;  // pairs of a node and its image: about a second

// Node by node. Each node but the first has a neighbour before it, where there is one, so that few others come into
// question.
class Automorphisms {
 public:
  Automorphisms(const Fabric& fabric, std::size_t most)
      : fabric_(fabric), most_(most), used_(fabric.nodes()), image_(fabric.nodes()) {}

  std::vector<Permutation> all() {
    if (fabric_.nodes() > most_graph_nodes) return {};
    find_order();
    extend(0);
    if (given_up()) found_.clear();
    return std::move(found_);
  }

 private:
  bool given_up() const { return found_.size() > most_ || tried_ > most_tried; }

  void find_order() {
    std::vector<bool> reached(fabric_.nodes());
    for (std::uint32_t v = 0; v < fabric_.nodes(); ++v) {
      std::size_t next = order_.size();
      reach(v, reached);
      for (; next < order_.size(); ++next) {
        for (const ChannelId id : fabric_.channels_from(NodeId{order_[next]})) {
          reach(fabric_.channel(id).to.value, reached);
        }
      }
    }
  }

  void reach(std::uint32_t v, std::vector<bool>& reached) {
    if (!reached[v]) order_.push_back(v);
    reached[v] = true;
  }

  // Finds images for the nodes from `place` in the order on.
  void extend(std::size_t place) {
    if (place == order_.size()) {
      found_.push_back(image_);
      return;
    }
    const std::uint32_t v = order_[place];
    for (std::uint32_t w = 0; w < fabric_.nodes() && !given_up(); ++w) {
      if (used_[w] || fabric_.is_processor(NodeId{v}) != fabric_.is_processor(NodeId{w}) || !fits(place, w)) continue;
      used_[w] = true;
      image_[v] = w;
      extend(place + 1);
      used_[w] = false;
    }
  }

  std::uint32_t capacity(std::uint32_t from, std::uint32_t to) const {
    const auto id = fabric_.channel_between(NodeId{from}, NodeId{to});
    return id ? fabric_.channel(*id).capacity : 0;
  }

  // Whether w, for the node in that place, agrees with the channels between it and the nodes before it.
  bool fits(std::size_t place, std::uint32_t w) {
    ++tried_;
    const std::uint32_t v = order_[place];
    const NodeId image{w};
    if (fabric_.channels_from(NodeId{v}).size() != fabric_.channels_from(image).size()) return false;
    return std::all_of(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(place), [&](std::uint32_t u) {
      return capacity(u, v) == capacity(image_[u], w) && capacity(v, u) == capacity(w, image_[u]);
    });
  }

  const Fabric& fabric_;
  std::size_t most_;
  std::vector<bool> used_;
  Permutation image_;
  std::vector<std::uint32_t> order_;
  std::vector<Permutation> found_;
  std::uint64_t tried_ = 0;
};

}  // namespace

std::vector<Permutation> automorphisms_of(const Fabric& fabric, std::size_t most) {
  return Automorphisms(fabric, most).all();
}

}  // namespace quadrille::searching
