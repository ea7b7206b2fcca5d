// The formula of "there is a schedule of T steps", written straight from verifier/FORMULA.md: a function for each
// numbered item there, in its order. Plain before fast: time in proportion to steps x channels x chunks.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "verifier/certificate.h"

namespace quadrille::certificate {

struct FormulaSize {
  std::uint64_t variables = 0;
  std::uint64_t clauses = 0;
};

// Takes a clause: literals as in DIMACS. False: no more is wanted.
using TakeClause = std::function<bool(std::span<const std::int32_t>)>;

// Hands over every clause of the certificate's question, in order; its evidence is not looked at. Nothing if `take`
// wants no more, or if the tables of variables, or the variables' numbers, would grow beyond reason. Requires a copying
// collective.
std::optional<FormulaSize> write_formula(const Certificate& question, const TakeClause& take);

}  // namespace quadrille::certificate
