// Splits are updated when a node changes sides: only the links at that node are looked at.
//
//   on the ring 0-1-2-3 with {0} inside, there is capacity for 1 packet to each of 1 and 3. When 1 moves inside, the
//   link 0-1 no longer crosses, and 1-2 does. The capacity stays 2, and a total exchange has 4 packets to carry over
//   it: 2 steps.
//
// Cost of a move: the links at the node.
#include "verifier/bounds/split.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <utility>

#include "model/distances.h"

namespace quadrille::bounds {
namespace {

constexpr std::uint32_t no_node = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t most_known = 24;
constexpr int most_settlings = 4;
constexpr std::size_t mask_bits = 64;
constexpr std::size_t most_chunks = 4096;  // that are not alike

// The demand where `size` of the processors are inside, the root among them or not; of a prefix, the most that it can
// be.
CutDemand crossing_by_size(const DemandShape& shape, std::uint64_t processors, std::uint64_t size, bool root_inside) {
  if (size == 0 || size == processors) return {};
  // The number of distinct units by their ends on one side, which has `there` processors, the root among them or not.
  const auto ends = [](DemandShape::Ends who, bool own, std::uint64_t there, bool root) -> std::uint64_t {
    if (who == DemandShape::Ends::root) return root ? 1 : 0;
    return own ? there : 1;
  };
  const auto across = [&](std::uint64_t near, bool root_near) {
    return shape.parts * ends(shape.suppliers, shape.unit_per_supplier, near, root_near) *
           ends(shape.wanters, shape.unit_per_wanter, processors - near, !root_near);
  };
  return {across(size, root_inside), across(processors - size, !root_inside)};
}

}  // namespace

CutGraph::CutGraph(const Fabric& fabric) : processors_(fabric.processors()) {
  const bool half_duplex = fabric.rules().duplex == Duplex::half;
  const auto capacity = [&](ChannelId e) -> std::uint64_t {
    return fabric.channel(half_duplex ? fabric.link(e) : e).capacity;
  };
  // Both lists of a node's channels are in order of their other ends.
  for (NodeId v(0); v.value < fabric.nodes(); ++v.value) {
    starts_.push_back(neighbours_.size());
    const ChannelIds out = fabric.channels_from(v);
    const ChannelIds in = fabric.channels_to(v);
    for (std::size_t i = 0, j = 0; i < out.size() || j < in.size();) {
      const std::uint32_t ahead = i < out.size() ? fabric.channel(out[i]).to.value : no_node;
      const std::uint32_t behind = j < in.size() ? fabric.channel(in[j]).from.value : no_node;
      Neighbour& neighbour = neighbours_.emplace_back();
      neighbour.node = std::min(ahead, behind);
      if (ahead <= behind) neighbour.to = capacity(out[i++]);
      if (behind <= ahead) neighbour.from = capacity(in[j++]);
      if (half_duplex) neighbour.both = std::max(neighbour.to, neighbour.from);
    }
  }
  starts_.push_back(neighbours_.size());
}

bool CutGraph::symmetric() const {
  return std::ranges::all_of(neighbours_, [](const Neighbour& it) { return it.to == it.from; });
}

std::vector<std::uint32_t> CutGraph::hops_from(std::uint32_t node) const {
  std::vector<std::uint32_t> hops(nodes(), unreachable);
  std::vector<std::uint32_t> reached{node};
  hops[node] = 0;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const Neighbour& next : around(reached[i])) {
      if (hops[next.node] != unreachable) continue;
      hops[next.node] = hops[reached[i]] + 1;
      reached.push_back(next.node);
    }
  }
  return hops;
}

ExpectedCrossings::ExpectedCrossings(const Collective& collective) {
  const auto& shape = collective.shape();
  if (shape) root_ = shape->root;
  const std::uint64_t n = collective.processors();
  for (std::uint64_t size = 0; size <= n; ++size) {
    const std::uint64_t evenly = n < 2 ? 0 : collective.demands() * size / n * (n - size) / (n - 1);
    with_.push_back(shape ? crossing_by_size(*shape, n, size, true) : CutDemand{evenly, evenly});
    without_.push_back(shape ? crossing_by_size(*shape, n, size, false) : CutDemand{evenly, evenly});
  }
  if (n > mask_bits) return;
  if (!shape) find_chunks(collective);
  if (shape && shape->by_rank()) prefix_parts_ = shape->parts;
}

// Groups chunks that the same processors hold and the same want.
void ExpectedCrossings::find_chunks(const Collective& collective) {
  const auto mask_of = [](const std::vector<std::uint32_t>& processors) {
    std::uint64_t mask = 0;
    for (const std::uint32_t p : processors) mask |= std::uint64_t{1} << p;
    return mask;
  };
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> numbers;
  for (const CustomChunk& chunk : collective.description().chunks) {
    ++numbers[{mask_of(chunk.held_by), mask_of(chunk.wanted_by)}];
  }
  if (numbers.size() > most_chunks) return;
  for (const auto& [masks, number] : numbers) chunks_.push_back({masks.first, masks.second, number});
}

CutDemand ExpectedCrossings::of(const Sides& sides) const {
  if (prefix_parts_ > 0 && sides.mask != 0 && sides.size + 1 < with_.size()) {
    const std::uint64_t others = ~sides.mask & (~std::uint64_t{0} >> (mask_bits + 1 - with_.size()));
    const bool out = static_cast<int>(std::countr_zero(sides.mask)) < static_cast<int>(std::bit_width(others)) - 1;
    const bool in = static_cast<int>(std::countr_zero(others)) < static_cast<int>(std::bit_width(sides.mask)) - 1;
    return {out ? prefix_parts_ : 0, in ? prefix_parts_ : 0};
  }
  if (chunks_.empty()) return (sides.root_inside ? with_ : without_)[sides.size];
  CutDemand sum;
  for (const Chunks& it : chunks_) {
    if ((it.held & ~sides.mask) == 0 && (it.wanted & ~sides.mask) != 0) sum.out += it.number;
    if ((it.held & sides.mask) == 0 && (it.wanted & sides.mask) != 0) sum.in += it.number;
  }
  return sum;
}

void Split::set(const std::vector<bool>& inside) {
  for (std::uint32_t v = 0; v < graph_->nodes(); ++v) {
    if (inside_[v] != inside[v]) flip(v);
  }
}

void Split::settle_switches() {
  for (int turn = 0; turn < most_settlings; ++turn) {
    bool moved = false;
    for (std::uint32_t v = graph_->processors(); v < graph_->nodes(); ++v) {
      const State state = after(v);
      if (state.out + state.in >= now_.out + now_.in) continue;
      flip(v);
      moved = true;
    }
    if (!moved) return;
  }
}

bool Split::on_the_border(std::uint32_t node) const {
  return std::ranges::any_of(graph_->around(node),
                             [&](const Neighbour& it) { return inside_[it.node] != inside_[node]; });
}

Split::State Split::after(std::uint32_t node) const {
  State state = now_;
  const bool leaves = inside_[node];
  for (const Neighbour& it : graph_->around(node)) {
    if (leaves == inside_[it.node]) {  // its link now crosses
      state.out += leaves ? it.from : it.to;
      state.in += leaves ? it.to : it.from;
      state.both += it.both;
    } else {
      state.out -= leaves ? it.to : it.from;
      state.in -= leaves ? it.from : it.to;
      state.both -= it.both;
    }
  }
  if (node < graph_->processors()) {
    state.sides.size += leaves ? ~std::uint32_t{0} : 1;
    if (node == crossings_->root()) state.sides.root_inside = !leaves;
    if (graph_->processors() <= mask_bits) state.sides.mask ^= std::uint64_t{1} << node;
  }
  return state;
}

double Split::steps_of(const State& state) const {
  const CutDemand it = crossings_->of(state.sides);
  const auto over = [](std::uint64_t packets, std::uint64_t capacity) {
    return capacity == 0 ? 0 : static_cast<double>(packets) / static_cast<double>(capacity);
  };
  return std::max({over(it.out, state.out), over(it.in, state.in), over(it.out + it.in, state.both)});
}

void BestSplits::offer(const Split& split) {
  const double steps = split.steps();
  if (steps <= 0 || (known_.size() == most_known && steps <= known_.back().steps)) return;
  const auto place = std::ranges::find_if(known_, [&](const Known& it) { return it.steps < steps; });
  for (auto same = place; same != known_.begin() && (same - 1)->steps == steps; --same) {
    if ((same - 1)->inside == split.inside()) return;
  }
  known_.insert(place, {steps, split.inside()});
  if (known_.size() > most_known) known_.pop_back();
}

// Counts the units that the two sides want from each other.
//
//   allgather of 8, 3 inside: 3 chunks must leave, for the others, and 5 must enter; 4 processors of a broadcast, its
//   root among them: its one chunk must leave
//
// Cost: one look at each processor; of listed collectives, at each chunk.

namespace {

std::uint64_t listed_crossing(const Collective& collective, const std::vector<bool>& inside, bool outwards) {
  std::uint64_t crossing = 0;
  const auto is_behind = [&](std::uint32_t processor) { return inside[processor] == outwards; };
  for (const CustomChunk& chunk : collective.description().chunks) {
    const bool all_behind = std::all_of(chunk.held_by.begin(), chunk.held_by.end(), is_behind);
    const bool one_ahead = !std::all_of(chunk.wanted_by.begin(), chunk.wanted_by.end(), is_behind);
    crossing += all_behind && one_ahead ? 1 : 0;
  }
  return crossing;
}

// Processor q wants the contributions of all below it. So units leave the group if some processor outside is above
// one inside.
CutDemand prefix_crossing(std::uint64_t parts, const std::vector<bool>& inside) {
  const auto first = std::find(inside.begin(), inside.end(), true) - inside.begin();
  const auto first_outside = std::find(inside.begin(), inside.end(), false) - inside.begin();
  const auto last = inside.rend() - std::find(inside.rbegin(), inside.rend(), true) - 1;
  const auto last_outside = inside.rend() - std::find(inside.rbegin(), inside.rend(), false) - 1;
  return {first < last_outside ? parts : 0, first_outside < last ? parts : 0};
}

}  // namespace

CutDemand crossing(const Collective& collective, const std::vector<bool>& inside) {
  const auto size = static_cast<std::uint64_t>(std::count(inside.begin(), inside.end(), true));
  if (size == 0 || size == inside.size()) return {};
  const auto& shape = collective.shape();
  if (!shape) {
    return {listed_crossing(collective, inside, true), listed_crossing(collective, inside, false)};
  }
  if (shape->by_rank()) return prefix_crossing(shape->parts, inside);
  return crossing_by_size(*shape, inside.size(), size, inside[shape->root]);
}

}  // namespace quadrille::bounds
