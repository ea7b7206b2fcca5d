// What a proof says of each property.
#pragma once

#include <array>
#include <optional>

#include "verifier/check.h"
#include "verifier/prove.h"

namespace quadrille::driver {

// In the order of the reports. `non_redundant`, which only warns, is not proved.
inline constexpr std::array<ProvedProperty, 8> proved_properties{
    ProvedProperty::well_formed, ProvedProperty::contention_free, ProvedProperty::capacity, ProvedProperty::causal,
    ProvedProperty::queue,       ProvedProperty::complete,        ProvedProperty::claims,   ProvedProperty::invariants};

// What the explicit checker calls the property; nothing for that of small sizes, which is all of the checker's
// together.
std::optional<Property> checked_property(ProvedProperty property);

// The verdict of all obligations of a property; unknown where the prover may not have come to write all of them down.
ProofVerdict verdict_of(ProvedProperty property, const Proof& proof);

}  // namespace quadrille::driver
