// The formula of "there is a schedule of T steps".
#pragma once

#include <optional>

#include "verifier/certificate.h"
#include "verifier/certificate/writer.h"

namespace quadrille::certificate {

// Hands over every clause of the certificate's question, in order; its evidence is not looked at. Nothing if `take`
// wants no more, or if the tables of variables, or the variables' numbers, would grow beyond reason. Requires a copying
// collective.
std::optional<FormulaSize> write_formula(const Certificate& question, const TakeClause& take);

}  // namespace quadrille::certificate
