// What a proof says of each property.
#pragma once

#include <array>
#include <string_view>

#include "verifier/prove.h"

namespace quadrille::driver {

// In the order of the reports. `thrifty`, which only warns, is not proved.
inline constexpr std::array<std::string_view, 7> proved_properties{
    "well_formed", "contention_free", "capacity", "causal", "queue", "complete", "claims"};

// The verdict of all obligations of a property; unknown where the prover may not have come to write all of them down.
ProofVerdict verdict_of(std::string_view property, const Proof& proof);

}  // namespace quadrille::driver
