// Placement: the transfers of a combining collective while they are placed one after another. It knows which of those
// placed the next one must wait for, and which it must precede. (copies_held.h does the same for copies.)
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include "place/calendar/list_schedule.h"
#include "place/steps/transfers.h"

namespace quadrille {

class Placement {
 public:
  Placement(const Transfers& transfers, std::uint32_t processors)
      : transfers_(transfers), cells_(transfers.cells), last_departure_(processors, 1) {}

  // Narrow the bounds to the steps in which transfer t may leave; and to those from which it reaches end i, ends[i]
  // steps later, in a step in which it may arrive.
  void bound_departure(std::uint32_t t, StartBounds& bounds) const;
  void bound_arrivals(std::uint32_t t, std::span<const std::uint32_t> ends, StartBounds& bounds) const;

  // Transfer t leaves in step `start`.
  void depart(std::uint32_t t, std::int64_t start);
  // Transfer t is at its ends in the steps start + ends[i].
  void arrive(std::uint32_t t, std::int64_t start, std::span<const std::uint32_t> ends);

 private:
  // The least and the greatest new step of the events that are written for one step.
  struct Steps {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::int64_t greatest = 0;
    std::uint32_t least_from = 0;  // a transfer
  };
  using ByWritten = std::map<std::uint32_t, Steps>;
  struct Ranked {
    std::int64_t step = 0;
    std::uint32_t transfer = 0;
  };
  struct Cell {
    ByWritten reads, writes;                                                        // by step, as written
    std::map<std::uint32_t, Steps> phases;                                          // of the writes
    std::map<std::tuple<std::uint32_t, WriteOrder, std::uint32_t>, Ranked> ranked;  // by CellWrite::when(); not any
  };
  static void add(ByWritten& events, std::uint32_t written, std::int64_t step, std::uint32_t transfer);
  static void bound_order(const Cell& cell, const CellWrite& write, std::uint32_t offset, StartBounds& bounds);

  const Transfers& transfers_;
  std::vector<Cell> cells_;
  std::vector<std::int64_t> last_departure_;  // by processor: of the transfers placed; 1: none. None leaves before it
};

}  // namespace quadrille
