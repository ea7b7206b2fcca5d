// Cells: where sends meet. A packet is read from a cell where it leaves a node, and written to cells where it comes.
//
//   send 1 -> 2 carrying 1 -> 0     reads what 1 holds of the value, writes what 2 passes on of the packet
//   send 2 -> 0 carrying 1 -> 0     reads that, writes what 0 holds of the value
//
// A send carries what it carried if the same writes precede its read.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

#include "model/ids.h"

namespace quadrille {

struct NeedCell {
  enum class Kind : std::uint8_t {
    held,       // what a processor holds of a value
    kept,       // one arrival that it keeps beside that
    passed_on,  // the last arrival of a packet that it passes on
    in_switch   // what a switch that reduces holds for a target and a part
  };
  Kind kind = Kind::held;
  NodeId node;
  std::uint64_t what = 0;    // a value; a packet; a target
  std::uint32_t number = 0;  // of what is kept, from 1; the part of a target

  auto operator<=>(const NeedCell&) const = default;

  // What is held of a value, or the i-th arrival that is kept beside that.
  static NeedCell held(std::uint32_t value, NodeId processor, std::uint32_t kept = 0) {
    return {kept == 0 ? Kind::held : Kind::kept, processor, value, kept};
  }
  static NeedCell passed_on(ChunkId packet, NodeId node) { return {Kind::passed_on, node, packet.value, 0}; }
};

struct HashNeedCell {
  std::size_t operator()(const NeedCell& cell) const {
    const std::uint64_t where = std::uint64_t{cell.node.value} << 32 | cell.number << 2U | std::uint64_t(cell.kind);
    std::uint64_t bits = cell.what * 0x9e3779b97f4a7c15U ^ where * 0xff51afd7ed558ccdU;
    bits ^= bits >> 32U;
    return static_cast<std::size_t>(bits);
  }
};

}  // namespace quadrille
