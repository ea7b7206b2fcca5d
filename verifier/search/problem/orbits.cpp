// Idea: one hop of each orbit determines an invariant schedule, so a formula needs variables for these hops only. The
// representative of a pair (chunk, place) is found in two steps: first the least image of the chunk; then the lowest
// image of the place under the elements that map the chunk to it.
//
//   k -> k xor x on 4 leaves, total exchange: 0->1, 1->0, 2->3, 3->2 are one orbit; its first member is 0->1
//
// Cost: chunks x elements of the group, once; then the elements that lead to the first member for each question.
#include <algorithm>
#include <limits>
#include <map>

#include "verifier/search/problem/symmetry.h"

namespace quadrille::searching {
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
