// DemandShape: what a collective asks for, whatever it is called: who supplies, who wants, and what they share. Each
// family states its shape once; bounds, searches and exporters ask that, so that a collective which lists its chunks
// is treated as the one that it lists.
//
// A unit is a chunk (copying) or a value (combining).
//
//   scatter      the root supplies, each wants; a unit for each who wants
//   allgather    each supplies, each wants; a unit of each who supplies, which all others want
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
  // Of a value: whose contributions a processor wants.
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
  std::uint32_t parts = 1;  // so many units of each kind

  bool operator==(const DemandShape&) const = default;

  bool rooted() const { return suppliers == Ends::root || wanters == Ends::root; }
  // Several processors contribute to a unit, which are joined on the way; else a unit is copied.
  bool combining() const { return suppliers == Ends::each && !unit_per_supplier; }
  // Several processors want a unit; else one does.
  bool shared() const { return wanters == Ends::each && !unit_per_wanter; }
  // Each supplier has a unit for each wanter.
  bool personal() const { return unit_per_supplier && unit_per_wanter; }
  bool by_rank() const { return contributors != Contributors::all; }
  // What a processor wants leaves out what it contributes, so that it keeps one word for each.
  bool leaves_own_out() const { return contributors == Contributors::below_own; }
  // Everyone wants everyone's contribution.
  bool all_to_all() const { return combining() && shared() && !by_rank(); }
  // Any permutation of the processors maps it to itself.
  bool symmetric() const { return !rooted() && !by_rank(); }

  // The only processor that wants this unit (a value's number); nothing if several do.
  std::optional<NodeId> only_wanter(std::uint32_t value) const {
    if (wanters == Ends::root) return NodeId(root);
    return unit_per_wanter ? std::optional(NodeId(value / parts)) : std::nullopt;
  }
  // A copying shape: the number of the value that the chunk is with time reversed. Requires that several want it.
  template <class Number>
  Number value_of(const Number& origin, const Number& part, const Number& parts_of_each) const {
    return unit_per_supplier ? origin * parts_of_each + part : part;
  }

  // The shape with time reversed: who supplied wants, what was copied is joined. Nothing if ranks matter.
  std::optional<DemandShape> mirrored() const {
    if (by_rank()) return std::nullopt;
    return DemandShape{wanters, suppliers, unit_per_wanter, unit_per_supplier, contributors, root, parts};
  }
};

// The second halves of what is all-to-all; the first is the mirror of one. Each has its share of the results to begin
// with (as after a reduce_scatter), or the root has all.
inline DemandShape shares_to_all(std::uint32_t parts) { return {.unit_per_supplier = true, .parts = parts}; }
inline DemandShape root_to_all(std::uint32_t root, std::uint32_t parts) {
  return {.suppliers = DemandShape::Ends::root, .root = root, .parts = parts};
}

}  // namespace quadrille
