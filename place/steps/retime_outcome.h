// The result of placing flights anew, and the test that it delivers the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/limits.h"
#include "place/flights/flights.h"
#include "place/held/partial_reductions.h"
#include "place/held/send_reductions.h"

namespace quadrille {

inline constexpr const char* as_it_is_written = "it is written: placed anew it would be longer";

struct RetimedFlights {
  Flights flights;
  std::string as;  // how they were placed: "whole sends"
  std::uint64_t detours = 0;
  std::optional<FlightsExtent> extent = {};  // if it is known already
};

// Fewer steps, or as many and fewer waits. Both over `fabric`.
bool better(const Flights& a, const Flights& b, const Fabric& fabric);

// The most that a channel carries, by its lanes and bandwidth (RouteLoads).
double greatest_load(const Flights& flights, const Fabric& fabric);

// Whether with these flights on `fabric` every processor ends with the contributions that it ended with `before`, and
// nothing goes wrong that did not then. Of combining collectives. Throws EvaluationError at a limit.
bool retimed_to_the_same(const Flights& flights, const PartialReductions& before, const Fabric& fabric,
                         const Collective& collective, const Limits& limits, ReductionsOfSends* words);

}  // namespace quadrille
