// `quadrille prove --emit-smt2`: writes the solver's questions for other solvers.
#pragma once

#include <optional>
#include <string>

#include "driver/prove/prove.h"

namespace quadrille::driver {

// Writes each obligation that was given to the solver to a file of its own in the folder, which must exist. Returns
// nothing, or what could not be written and why.
std::optional<std::string> write_smt2(const ProveOutcome& outcome, const std::string& folder, Environment& environment);

}  // namespace quadrille::driver
