// Summarizes a proof by properties.
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

// The explicit checker's name for the property. Nothing for the property of small sizes, which stands for all of the
// checker's together.
std::optional<Property> checked_property(ProvedProperty property);

// The verdict of all obligations of a property; unknown if the prover may not have written all of them.
ProofVerdict verdict_of(ProvedProperty property, const Proof& proof);

// One of the schedule's invariants.
struct ProvedInvariant {
  std::string text;
  Span span = {};
  ProofVerdict verdict = ProofVerdict::unknown;
};

// The invariants in the order in which they are written. Each one builds on the one before, so it is proved only if
// that one is.
std::vector<ProvedInvariant> proved_invariants(const ir::Schedule& schedule, const Proof& proof);

}  // namespace quadrille::driver
