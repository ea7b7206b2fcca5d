// What a proof says of each property.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "compiler/ir.h"
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

// One of the schedule's invariants.
struct ProvedInvariant {
  std::string text;
  Span span = {};
  ProofVerdict verdict = ProofVerdict::unknown;
};

// In the order in which they are written. Each takes over what the one before states: it is proved only if that is.
std::vector<ProvedInvariant> proved_invariants(const ir::Schedule& schedule, const Proof& proof);

}  // namespace quadrille::driver
