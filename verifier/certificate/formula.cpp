#include "verifier/certificate/formula.h"

#include "verifier/certificate/copies.h"

namespace quadrille::certificate {

std::optional<FormulaSize> write_formula(const Certificate& question, const TakeClause& take) {
  Writer writer(take);
  if (!write_copies(question, writer) || writer.stopped()) return std::nullopt;
  return writer.size();
}

}  // namespace quadrille::certificate
