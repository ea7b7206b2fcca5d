// Flights as plain data: moved to another clock, and joined. Disciplines are in queues.cpp.
#include "compiler/plan/flights.h"

#include <algorithm>

namespace quadrille {

std::uint32_t Flights::last_step() const {
  std::uint32_t last = 0;
  for (const Hop& hop : hops) last = std::max(last, hop.step);
  return last;
}

void Flights::shift(std::uint32_t steps) {
  for (Hop& hop : hops) hop.step += steps;
}

void Flights::append(const Flights& others) {
  const std::uint64_t base = hops.size();
  hops.insert(hops.end(), others.hops.begin(), others.hops.end());
  for (Flight flight : others.list) {
    flight.first_hop += base;
    list.push_back(flight);
  }
}

}  // namespace quadrille
