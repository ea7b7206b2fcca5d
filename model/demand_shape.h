// DemandShape is the general form of a collective's demand, whatever its name: who supplies, who wants, and what they
// share. Each family states its shape once. Bounds, searches and exporters ask for the shape, so a collective that
// lists its chunks is treated like the standard one with the same list.
//
// A unit is a chunk (copying) or a value (combining).
//
//   scatter      the root supplies, each wants; each wanter has a unit of its own
//   allgather    each supplies, each wants; each supplier has a unit of its own, which all others want
//   reduce       each supplies, the root wants; all contribute to one unit
#pragma once

#include <cstdint>
#include <optional>

#include "model/ids.h"

namespace quadrille {

struct DemandShape {
  enum class Ends : std::uint8_t {
    root,
    each  // every processor; of units that are not its own
  };
  // The processors whose contributions to a value a processor wants.
  enum class Contributors : std::uint8_t {
    all,
    up_to_own,  // those of the processors 0 … itself
    below_own   // those of the processors before it: its own is left out
  };

  Ends suppliers = Ends::each;
  Ends wanters = Ends::each;
  bool unit_per_supplier = false;  // each supplier has units of its own
  bool unit_per_wanter = false;    // each wanter wants units of its own
  Contributors contributors = Contributors::all;
  std::uint32_t root = 0;
  std::uint32_t parts = 1;  // number of units of each kind

  bool operator==(const DemandShape&) const = default;

  bool rooted() const { return suppliers == Ends::root || wanters == Ends::root; }
  // Whether several processors contribute to a unit, and contributions are joined on the way; otherwise units are
  // copied.
  bool combining() const { return suppliers == Ends::each && !unit_per_supplier; }
  // Whether several processors want a unit; otherwise one does.
  bool shared() const { return wanters == Ends::each && !unit_per_wanter; }
  // Whether each supplier has a unit for each wanter.
  bool personal() const { return unit_per_supplier && unit_per_wanter; }
  bool by_rank() const { return contributors != Contributors::all; }
  // Whether processors want results without their own contribution, so that each keeps a separate partial reduction.
  bool leaves_own_out() const { return contributors == Contributors::below_own; }
  // Whether everyone wants everyone's contribution.
  bool all_to_all() const { return combining() && shared() && !by_rank(); }
  // Whether any permutation of the processors maps the shape to itself.
  bool symmetric() const { return !rooted() && !by_rank(); }

  // The only processor that wants this unit (a value's number); nothing if several do.
  std::optional<NodeId> only_wanter(std::uint32_t value) const {
    if (wanters == Ends::root) return NodeId(root);
    return unit_per_wanter ? std::optional(NodeId(value / parts)) : std::nullopt;
  }
  // For a copying shape: the number of the value that the chunk is with time reversed. Requires that several want the
  // chunk.
  template <class Number>
  Number value_of(const Number& origin, const Number& part, const Number& parts_of_each) const {
    return unit_per_supplier ? origin * parts_of_each + part : part;
  }

  // The shape with time reversed: suppliers want, and copied units are joined. Nothing if ranks matter.
  std::optional<DemandShape> mirrored() const {
    if (by_rank()) return std::nullopt;
    return DemandShape{wanters, suppliers, unit_per_wanter, unit_per_supplier, contributors, root, parts};
  }
};

// The second halves of all-to-all shapes; the first half is the mirror of the second. Either each processor begins
// with its share of the results (as after a reduce_scatter), or the root begins with all.
inline DemandShape shares_to_all(std::uint32_t parts) { return {.unit_per_supplier = true, .parts = parts}; }
inline DemandShape root_to_all(std::uint32_t root, std::uint32_t parts) {
  return {.suppliers = DemandShape::Ends::root, .root = root, .parts = parts};
}

}  // namespace quadrille
