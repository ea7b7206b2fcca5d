// The command line: arguments in, exit status out.
#pragma once

#include <span>
#include <string>

#include "cli/command.h"
#include "driver/files/environment.h"

namespace quadrille::cli {

// Does what the arguments (without the program's name) ask for. The result is an ExitStatus (model/verdict.h). Never
// throws for a user's mistake.
int run(std::span<const std::string> arguments, driver::Environment& environment, const Program& program = {});

}  // namespace quadrille::cli
