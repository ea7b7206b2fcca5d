// Idea: the topology proposes groups (model/topologies/). If it knows of none, two kinds are tried: the group of all
// automorphisms that keep the collective (automorphisms.cpp), if it is small enough, and the groups that single
// automorphisms generate. The fewer elements a group has, the more schedules are invariant under it, and the larger
// the formula.
//
//   a ring of 6, written as a graph, allgather: all 12 automorphisms; the 6 rotations, by one of them; the 2 of one
//   reflection
//
// Cost: elements x nodes, of 4096 elements at most.
#include "verifier/search/problem/symmetry.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "model/collective_family.h"
#include "model/topology.h"

namespace quadrille::searching {
namespace {

constexpr std::size_t most_elements = 4096;
constexpr std::size_t most_numbers = std::size_t{1} << 24;  // elements x nodes: twice 64 MiB

Permutation identity(std::uint32_t nodes) {
  Permutation permutation(nodes);
  std::iota(permutation.begin(), permutation.end(), 0U);
  return permutation;
}

// The group that the generators generate; nothing if it has more than a few thousand elements. A generator that is in
// the group already adds nothing. Every other one at least doubles the group, so few are multiplied with.
std::optional<Group> generated(std::string name, std::uint32_t nodes, const std::vector<Permutation>& generators,
                               Watch* watch) {
  Group group{std::move(name), {identity(nodes)}};
  std::set<Permutation> seen{group.elements.front()};
  std::vector<const Permutation*> useful;
  for (const Permutation& generator : generators) {
    if (seen.contains(generator)) continue;
    useful.push_back(&generator);
    // Closes the group: multiplies every element, also those that this adds, by every useful generator.
    for (std::size_t next = 0; next < group.elements.size(); ++next) {
      require_open(watch);
      for (const Permutation* factor : useful) {
        Permutation product(nodes);
        for (std::uint32_t v = 0; v < nodes; ++v) product[v] = (*factor)[group.elements[next][v]];
        if (!seen.insert(product).second) continue;
        group.elements.push_back(std::move(product));
        if (group.elements.size() > most_elements || group.elements.size() > most_numbers / nodes) return std::nullopt;
      }
    }
  }
  return group;
}

// Colours for processors: a symmetry may exchange only processors of one colour. The root has its own colour; where
// contributions must stay intervals, p shares its colour with n - 1 - p only.
std::vector<std::uint32_t> colours_of(const Collective& collective) {
  const std::uint32_t n = collective.processors();
  const bool intervals = collective.combining() && collective.ordered();
  std::vector<std::uint32_t> colours(n, n);
  for (std::uint32_t p = 0; p < n && intervals; ++p) colours[p] = std::min(p, n - 1 - p);
  if (collective.rooted()) colours[collective.description().root] = n + 1;
  return colours;
}

// The order of the permutation: the least k > 0 such that k applications are the identity; `most` if it is more.
std::size_t order_of(const Permutation& permutation, std::size_t most) {
  std::size_t order = 1;
  std::vector<bool> seen(permutation.size());
  for (std::uint32_t v = 0; v < permutation.size() && order < most; ++v) {
    std::size_t length = 0;
    for (std::uint32_t w = v; !seen[w]; w = permutation[w], ++length) seen[w] = true;
    if (length > 0) order = std::lcm(order, length);
  }
  return std::min(order, most);
}

// Some elements, of each order, of the group that the generators generate. They are taken from the generators and
// their products in a fixed order that mixes them (each element times one of the generators).
std::vector<Permutation> some_elements(const std::vector<Permutation>& generators) {
  constexpr std::size_t looked_at = 256;
  constexpr std::size_t kept = 8;
  constexpr std::size_t of_an_order = 2;
  std::vector<Permutation> elements = generators;
  for (std::size_t next = 0; elements.size() < looked_at; ++next) {
    const Permutation& factor = generators[next % generators.size()];
    Permutation product(factor.size());
    for (std::size_t v = 0; v < product.size(); ++v) product[v] = factor[elements[next][v]];
    elements.push_back(std::move(product));
  }
  std::vector<std::pair<std::size_t, std::size_t>> by_order;  // order, place
  for (std::size_t i = 0; i < elements.size(); ++i) by_order.emplace_back(order_of(elements[i], most_elements + 1), i);
  std::stable_sort(by_order.begin(), by_order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Permutation> some;
  std::map<std::size_t, std::size_t> number;  // number of elements taken, by order
  for (const auto& [order, place] : by_order) {
    if (order == 1 || order > most_elements || some.size() == kept || number[order]++ >= of_an_order) continue;
    some.push_back(elements[place]);
  }
  return some;
}

// The group of all automorphisms that keep the collective, and the groups that some single elements generate.
std::vector<Symmetry> found_symmetries(const Fabric& fabric, const Collective& collective, Watch* watch) {
  std::vector<Permutation> generators = automorphism_generators(fabric, colours_of(collective), watch);
  std::vector<Symmetry> all;
  if (generators.empty()) return all;
  for (Permutation& one : some_elements(generators))
    all.push_back({"the powers of one automorphism", {std::move(one)}});
  all.push_back({"all automorphisms", std::move(generators)});
  return all;
}

std::vector<Symmetry> candidates(const Fabric& fabric, const Collective& collective, Watch* watch) {
  auto known = fabric.topology().symmetries(fabric);
  return known ? *std::move(known) : found_symmetries(fabric, collective, watch);
}

// Whether the permutation keeps the contribution sets of an ordered operation: it must map intervals to intervals.
bool keeps_intervals(const Collective& collective, const Permutation& permutation) {
  const std::uint32_t n = collective.processors();
  const auto is = [&](auto image) {
    for (std::uint32_t p = 0; p < n; ++p) {
      if (permutation[p] != image(p)) return false;
    }
    return true;
  };
  return is([](std::uint32_t p) { return p; }) || is([&](std::uint32_t p) { return n - 1 - p; });
}

// Whether the permutation maps the collective to itself.
bool keeps(const Collective& collective, const Permutation& permutation) {
  const std::uint32_t root = collective.description().root;
  if (collective.rooted() && permutation[root] != root) return false;
  return !collective.combining() || !collective.ordered() || keeps_intervals(collective, permutation);
}

// The number of packets that a half-duplex link carries in a step; its directions' capacities may differ
// (model/MODEL.md, capacity).
std::uint32_t together(const Fabric& fabric, ChannelId id) { return fabric.channel(fabric.link(id)).capacity; }

}  // namespace

bool is_automorphism(const Fabric& fabric, const Permutation& permutation) {
  const bool half = fabric.rules().duplex == Duplex::half;
  return std::all_of(fabric.all_channels().begin(), fabric.all_channels().end(), [&](const Channel& channel) {
    const auto image =
        fabric.channel_between(NodeId{permutation[channel.from.value]}, NodeId{permutation[channel.to.value]});
    return image && fabric.channel(*image).capacity == channel.capacity &&
           (!half || together(fabric, *image) == together(fabric, *fabric.channel_between(channel.from, channel.to)));
  });
}

Group trivial_group(const Fabric& fabric) { return {"none", {identity(fabric.nodes())}}; }

std::uint32_t image_of_value(const Collective& collective, std::uint32_t value, const Permutation& permutation) {
  if (!collective.shape()->unit_per_wanter) return value;
  const std::uint32_t parts = collective.shape()->parts;
  return permutation[value / parts] * parts + value % parts;
}

std::vector<Group> groups_of(const Fabric& fabric, const Collective& collective, Watch* watch) {
  if (collective.kind().facts().always_ordered || collective.listed()) return {};
  if (fabric.processors() < 2) return {};
  std::vector<Group> groups;
  for (Symmetry& candidate : candidates(fabric, collective, watch)) {
    // No proposal is trusted: a generator that does not keep the fabric and the collective is no symmetry.
    std::erase_if(candidate.generators, [&](const Permutation& generator) {
      return !keeps(collective, generator) || !is_automorphism(fabric, generator);
    });
    std::optional<Group> group = generated(std::move(candidate.name), fabric.nodes(), candidate.generators, watch);
    if (!group || group->elements.size() == 1) continue;
    const bool known = std::any_of(groups.begin(), groups.end(),
                                   [&](const Group& other) { return other.elements == group->elements; });
    if (!known) groups.push_back(std::move(*group));
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const Group& a, const Group& b) { return a.elements.size() > b.elements.size(); });
  return groups;
}

// Idea: one hop of each orbit determines an invariant schedule, so a formula needs variables for these hops only. The
// representative of a pair (chunk, place) is found in two steps: first the least image of the chunk; then the lowest
// image of the place under the elements that map the chunk to it.
//
//   k -> k xor x on 4 leaves, total exchange: 0->1, 1->0, 2->3, 3->2 are one orbit; its first member is 0->1
//
// Cost: chunks x elements of the group, once; then the elements that lead to the first member for each question.

namespace {

ChunkId image(const Collective& collective, ChunkId chunk, const Permutation& permutation) {
  ChunkName name = collective.name(chunk);
  name.origin = permutation[name.origin];
  if (name.target) name.target = permutation[*name.target];
  return collective.chunk(name).value();
}

}  // namespace

Orbits::Orbits(const Fabric& fabric, const Collective& collective, const std::vector<Moves>& moves, const Group& group,
               Watch* watch)
    : trivial_(group.elements.size() == 1), moves_(moves), group_(group) {
  if (trivial_) return;
  nodes_.assign(fabric.nodes(), std::numeric_limits<std::uint32_t>::max());
  channels_.assign(fabric.channels(), std::numeric_limits<std::uint32_t>::max());
  for (const Permutation& element : group.elements) {
    require_open(watch);
    std::vector<std::uint32_t> images(fabric.channels());
    for (std::uint32_t id = 0; id < fabric.channels(); ++id) {
      const Channel& channel = fabric.channel(ChannelId{id});
      images[id] =
          fabric.channel_between(NodeId{element[channel.from.value]}, NodeId{element[channel.to.value]}).value().value;
      channels_[id] = std::min(channels_[id], images[id]);
    }
    channel_images_.push_back(std::move(images));
    for (std::uint32_t v = 0; v < fabric.nodes(); ++v) nodes_[v] = std::min(nodes_[v], element[v]);
  }
  std::map<ChunkId, std::size_t> number;
  for (std::size_t m = 0; m < moves.size(); ++m) number[moves[m].chunk] = m;
  chunks_.resize(moves.size());
  for (std::size_t m = 0; m < moves.size(); ++m) {
    require_open(watch);
    ToFirst& to = chunks_[m];
    to.first = moves.size();
    for (std::uint32_t g = 0; g < group.elements.size(); ++g) {
      // Finds the least image of the chunk, and all elements that lead to it.
      const std::size_t other = number.at(image(collective, moves[m].chunk, group.elements[g]));
      if (other < to.first) to = {other, {}};
      if (other == to.first) to.by.push_back(g);
    }
  }
}

Orbits::Pair Orbits::place(std::size_t chunk, std::size_t place) const {
  if (trivial_) return {chunk, place};
  const ToFirst& to = chunks_[chunk];
  std::uint32_t first = std::numeric_limits<std::uint32_t>::max();
  for (const std::uint32_t g : to.by) {
    first = std::min(first, group_.elements[g][moves_[chunk].places[place].node.value]);
  }
  return {to.first, moves_[to.first].place_of(NodeId{first})};
}

Orbits::Pair Orbits::crossing(std::size_t chunk, std::size_t crossing) const {
  if (trivial_) return {chunk, crossing};
  const ToFirst& to = chunks_[chunk];
  std::uint32_t first = std::numeric_limits<std::uint32_t>::max();
  for (const std::uint32_t g : to.by) {
    first = std::min(first, channel_images_[g][moves_[chunk].crossings[crossing].channel.value]);
  }
  return {to.first, moves_[to.first].crossing_of(ChannelId{first})};
}

}  // namespace quadrille::searching
