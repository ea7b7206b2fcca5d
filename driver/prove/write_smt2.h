// `quadrille prove --emit-smt2`: what the solver was asked, for other solvers.
#pragma once

#include <optional>
#include <string>

#include "driver/prove/prove.h"

namespace quadrille::driver {

// Writes each obligation that was put to the solver to a file of its own in the folder, which exists. Nothing, or what
// could not be written and why.
std::optional<std::string> write_smt2(const ProveOutcome& outcome, const std::string& folder, Environment& environment);

}  // namespace quadrille::driver
