// The rows of expanded flights, sorted by step.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/plan/flights.h"

namespace quadrille {

// A row of an expanded flight.
struct FlightRow {
  std::uint32_t flight = 0;
  ChannelId channel;
};

// All of them, step after step, and in a step in the order of their flights.
struct FlightRows {
  std::vector<std::uint32_t> steps;   // those that have rows
  std::vector<std::uint64_t> begins;  // of each one's rows; and where the last one's end
  std::vector<FlightRow> rows;
};

// Takes 8 bytes for each hop, and 12 for each step. Cost: hops, and log(steps) for each if steps are far apart.
FlightRows sorted_rows(const Flights& flights);

}  // namespace quadrille
