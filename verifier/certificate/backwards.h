// Reductions as copying collectives backwards in time: "Combining collectives" of verifier/FORMULA.md.
#pragma once

#include <optional>
#include <string>

#include "verifier/certificate.h"

namespace quadrille::certificate {

// Nothing, or why this is no copying collective backwards on this fabric. Requires a combining collective.
std::optional<std::string> why_not_backwards(const Fabric& fabric, const Collective& collective);

// The question about the copying collective, which has the same answer. Requires !why_not_backwards(…).
Certificate backwards(const Certificate& question);

}  // namespace quadrille::certificate
