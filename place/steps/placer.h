// The Placer places sends one after another: each as early as there is room for it on its route, and as its needs allow
// (place/needs/needs.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/limits.h"
#include "place/flights/flights.h"
#include "place/held/send_reductions.h"

namespace quadrille {

struct RetimedFlights {
  Flights flights;
  std::string as;  // how they were placed: "whole sends"
  std::uint64_t detours = 0;
  std::optional<FlightsExtent> extent = {};  // if it is known already
};

// As retime.h says, with the relays that are written. Nothing if no try comes to the same; of copies one always does.
std::optional<RetimedFlights> placed_anew(Flights flights, const Fabric& written_for, const Collective& collective,
                                          const Fabric& target, const Limits& limits, ReductionsOfSends* words);

}  // namespace quadrille
