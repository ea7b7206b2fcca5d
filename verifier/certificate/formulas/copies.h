// The formula about a copying collective, written straight from verifier/FORMULA.md: a function for each numbered item
// there, in its order. Plain before fast: time in proportion to steps x channels x chunks.
#pragma once

#include "verifier/certificate.h"
#include "verifier/certificate/formulas/writer.h"

namespace quadrille::certificate {

// False if the tables of variables would become too large; then nothing is written. Requires a copying collective.
bool write_copies(const Certificate& question, Writer& writer);

}  // namespace quadrille::certificate
