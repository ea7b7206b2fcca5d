// `quadrille prove --emit-smt2`: what the solver was asked, for other solvers.
#pragma once

#include <optional>
#include <string>

#include "cli/prove_report.h"
#include "driver/environment.h"

namespace quadrille::cli {

// Writes each obligation that was put to the solver to a file of its own in the folder that was asked for, which
// exists. Nothing, or what could not be written and why.
std::optional<std::string> write_smt2(const ProveReport& report, driver::Environment& environment);

}  // namespace quadrille::cli
