// For example, hops in the steps 1, 2 and 1 are the rows 0 and 2, which begin at 0, and row 1, which begins at 2.
#include "compiler/rows/flight_rows.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace quadrille {
namespace {

// The steps that hops are in, in order; where these are close together, those without hops as well.
std::vector<std::uint32_t> steps_of(const std::vector<Hop>& hops, std::uint32_t last) {
  std::vector<std::uint32_t> steps;
  if (last <= hops.size()) {
    steps.resize(last + 1);
    std::iota(steps.begin(), steps.end(), 0U);
    return steps;
  }
  steps.reserve(hops.size());
  for (const Hop& hop : hops) steps.push_back(hop.step);
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  return steps;
}

}  // namespace

// A counting sort: where each step's rows begin is known when they have been counted. There may be very many rows, so
// each takes 8 bytes, and no step of its own.
FlightRows sorted_rows(const Flights& flights) {
  FlightRows result{steps_of(flights.hops, flights.last_step()), {}, {}};
  result.begins.resize(result.steps.size() + 1);
  const bool all = result.steps.size() > flights.last_step();
  const auto place = [&](std::uint32_t step) -> std::size_t {
    if (all) return step;
    return static_cast<std::size_t>(std::lower_bound(result.steps.begin(), result.steps.end(), step) -
                                    result.steps.begin());
  };
  for (const Hop& hop : flights.hops) ++result.begins[place(hop.step) + 1];
  std::partial_sum(result.begins.begin(), result.begins.end(), result.begins.begin());
  std::vector<std::uint64_t> next = result.begins;
  result.rows.resize(flights.hops.size());
  for (std::uint32_t f = 0; f < flights.list.size(); ++f) {
    for (const Hop& hop : flights.of(flights.list[f])) result.rows[next[place(hop.step)]++] = {f, hop.channel};
  }
  return result;
}

}  // namespace quadrille
