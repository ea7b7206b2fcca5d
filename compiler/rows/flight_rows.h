// FlightRows are the rows of expanded flights, sorted by step.
#pragma once

#include <cstdint>
#include <vector>

#include "place/flights/flights.h"

namespace quadrille {

// A row of an expanded flight.
struct FlightRow {
  std::uint32_t flight = 0;
  ChannelId channel;
};

// All rows, step after step, and within a step in the order of their flights.
struct FlightRows {
  std::vector<std::uint32_t> steps;   // the steps that have rows
  std::vector<std::uint64_t> begins;  // by step: the index of its first row; and one more, the end of the last step's
  std::vector<FlightRow> rows;
};

// Returns the rows of all flights. Memory: 8 bytes for each hop, and 12 for each step. Cost: the hops, and log(steps)
// for each hop if steps are far apart.
FlightRows sorted_rows(const Flights& flights);

}  // namespace quadrille
