// Transfers: the constraints that the sends of a combining collective keep when they are placed anew, on their own
// fabric or another.
//
// Each flight becomes one transfer: a packet that leaves its source and reaches its ends. An end is a processor that
// joins the packet or passes it on; the packet may pass it on its route.
//
// Transfers meet in cells (cells.h): a departure reads one, or as a sum several, and an arrival writes one. For each
// cell, two facts are kept: which writes precede which read, and the order of the writes as far as it matters. Disjoint
// contributions can come in any order if the operation is commutative; if it is ordered, those next to the processor's
// own come first, on either side. A write that replaces all that is held stays between the writes before and after it.
// Cost: hops · log(hops).
#pragma once

#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "place/flights/flights.h"
#include "place/held/partial_reductions.h"
#include "place/needs/needs.h"

namespace quadrille {

enum class WriteOrder : std::uint8_t {
  any,
  below,  // no later than those of higher rank of this kind
  above   // likewise
};

struct CellWrite {
  std::uint32_t cell = 0;
  std::uint32_t end = 0;    // which of the transfer's
  std::uint32_t phase = 0;  // the cell's writes of a phase come before those of the next
  WriteOrder order = WriteOrder::any;
  std::uint32_t rank = 0;  // among the phase's writes of this order
  auto when() const { return std::tuple(phase, order, rank); }
};

struct Transfer {
  ChunkId chunk;
  NodeId source;                 // whose packet it is that leaves
  std::uint32_t read_hop = 0;    // the hop with which it leaves: the first, or the last out of its origin
  std::uint32_t departure = 0;   // its step, as written
  std::uint32_t first_read = 0;  // into Transfers::reads
  std::uint32_t read_count = 0;
  std::uint64_t first_end = 0;    // into Transfers::ends: in the order of the hops
  std::uint64_t first_write = 0;  // into Transfers::writes
  std::uint32_t end_count = 0;
  std::uint32_t write_count = 0;
};

struct Transfers {
  std::vector<Transfer> list;  // one for each flight, in the same order
  std::vector<SendEnd> ends;
  std::vector<std::uint32_t> reads;  // cells
  std::vector<CellWrite> writes;
  std::uint32_t cells = 0;

  std::span<const SendEnd> ends_of(const Transfer& t) const {
    return std::span(ends).subspan(t.first_end, t.end_count);
  }
  std::span<const std::uint32_t> reads_of(const Transfer& t) const {
    return std::span(reads).subspan(t.first_read, t.read_count);
  }
  std::span<const CellWrite> writes_of(const Transfer& t) const {
    return std::span(writes).subspan(t.first_write, t.write_count);
  }
};

// The transfers of flights over `fabric`, the one that they are written for, with all hops stored. `reductions`: what
// they carry there.
Transfers transfers_of(const Flights& flights, const Fabric& fabric, const Collective& collective,
                       const PartialReductions& reductions);

}  // namespace quadrille
