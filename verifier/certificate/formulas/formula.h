// The formula of "there is a schedule of T steps".
#pragma once

#include <optional>
#include <string>

#include "verifier/certificate.h"
#include "verifier/certificate/formulas/writer.h"

namespace quadrille::certificate {

// Nothing, or why there is no such formula about the collective on the fabric.
std::optional<std::string> why_no_formula(const Fabric& fabric, const Collective& collective, ProofFile::About about);

// Hands over every clause of the certificate's question, in order; its evidence is not looked at. Nothing if `take`
// wants no more, or if the tables of variables, or the variables' numbers, would become too large. Requires
// !why_no_formula(…). Throws Ended.
std::optional<FormulaSize> write_formula(const Certificate& question, ProofFile::About about, const TakeClause& take,
                                         Work& work);

}  // namespace quadrille::certificate
