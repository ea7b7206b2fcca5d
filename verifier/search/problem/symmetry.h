// Symmetries of a fabric, and what remains of a problem when the search is for invariant schedules only.
//
// A group of automorphisms maps a schedule to a schedule. A schedule that is invariant under the group is determined
// by one hop of each orbit: on a fat tree with the group k -> k xor x, the n(n-1) messages of a total exchange are
// n-1 orbits. An invariant schedule is a schedule, but if no invariant schedule exists, another one may.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/watch.h"
#include "verifier/search/problem/moves.h"

namespace quadrille::searching {

// permutation[v] is the node that node v becomes. Processors become processors; channels become channels of the same
// capacity; half-duplex links become links that carry as much.
using Permutation = std::vector<std::uint32_t>;

struct Group {
  std::string name;                   // for example "k -> k xor x, all x"
  std::vector<Permutation> elements;  // all of them, the identity first
};

// Groups that map the fabric to itself and the collective to itself, largest first, without the trivial one. They are
// a few at most, each of a few thousand elements at most. None for custom collectives and prefixes.
// Throws Ended when the watch, if there is one, has reached its limits.
std::vector<Group> groups_of(const Fabric& fabric, const Collective& collective, Watch* watch = nullptr);

// The value that `value` of a combining collective becomes. If it belongs to a processor, it goes with that
// processor.
std::uint32_t image_of_value(const Collective& collective, std::uint32_t value, const Permutation& permutation);

// Whether the permutation maps the fabric to itself.
bool is_automorphism(const Fabric& fabric, const Permutation& permutation);

// Returns the group of the identity alone.
Group trivial_group(const Fabric& fabric);

// The orbits, under a group, of channels, of nodes, and of pairs of a chunk with one of its places or crossings. The
// first member represents its orbit.
class Orbits {
 public:
  // A place or crossing of moves[chunk], by its index there.
  struct Pair {
    std::size_t chunk = 0;
    std::size_t index = 0;
    bool operator==(const Pair&) const = default;
  };

  // Keeps references to `moves` and `group`. Cost: chunks x elements. Throws Ended when the watch, if
  // there is one, has reached its limits.
  Orbits(const Fabric& fabric, const Collective& collective, const std::vector<Moves>& moves, const Group& group,
         Watch* watch = nullptr);

  Pair place(std::size_t chunk, std::size_t place) const;
  Pair crossing(std::size_t chunk, std::size_t crossing) const;
  bool trivial() const { return trivial_; }  // whether every orbit has one member
  bool represents_node(NodeId node) const { return trivial_ || nodes_[node.value] == node.value; }
  bool represents_channel(ChannelId channel) const { return trivial_ || channels_[channel.value] == channel.value; }

 private:
  // The chunk that represents another, and the elements of the group that map the other to it.
  struct ToFirst {
    std::size_t first = 0;
    std::vector<std::uint32_t> by;
  };
  std::uint32_t least(std::size_t chunk, const std::vector<std::vector<std::uint32_t>>& images, std::uint32_t of) const;

  bool trivial_;
  const std::vector<Moves>& moves_;
  const Group& group_;
  std::vector<ToFirst> chunks_;
  std::vector<std::uint32_t> nodes_;
  std::vector<std::uint32_t> channels_;
  std::vector<std::vector<std::uint32_t>> channel_images_;  // [element][channel]
};

// Generators of the group of all automorphisms of the fabric. An automorphism is a permutation of the nodes that
// keeps channels, capacities (half duplex: also what links carry), the distinction between processors and switches,
// and `colours`, a number for each processor. Empty if the identity is the only one, or if the fabric is too large
// (more than 2^16 nodes and channels). If finding all generators would take long, the result holds those that were
// found until then; they generate a subgroup. The same fabric gives the same generators.
// Throws Ended when the watch, if there is one, has reached its limits.
std::vector<Permutation> automorphism_generators(const Fabric& fabric, std::span<const std::uint32_t> colours,
                                                 Watch* watch = nullptr);

}  // namespace quadrille::searching
