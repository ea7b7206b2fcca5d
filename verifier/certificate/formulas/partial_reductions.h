// The formula over partial reductions, about a combining collective, written straight from
// verifier/COMBINING_FORMULA.md: a function for each numbered item there, in its order. Plain before fast: time in
// proportion to steps x channels x packets x processors.
#pragma once

#include <cstdint>

#include "model/collective.h"
#include "model/fabric.h"
#include "verifier/certificate/formulas/writer.h"

namespace quadrille::certificate {

// False if the tables of variables would become too large; then nothing is written. Requires a combining collective.
bool write_partial_reductions(const Fabric& fabric, const Collective& collective, std::uint32_t T, Writer& writer);

}  // namespace quadrille::certificate
