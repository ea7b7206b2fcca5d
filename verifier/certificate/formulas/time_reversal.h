// Reductions as time-reversed copying collectives: "Combining collectives" of verifier/FORMULA.md.
#pragma once

#include <optional>
#include <string>

#include "verifier/certificate.h"

namespace quadrille::certificate {

// Nothing, or why this is no copying collective time-reversed on this fabric. Requires a combining collective.
std::optional<std::string> why_not_time_reversed(const Fabric& fabric, const Collective& collective);

// The question about the copying collective, which has the same answer. Requires !why_not_time_reversed(…).
Certificate time_reversed(const Certificate& question);

}  // namespace quadrille::certificate
