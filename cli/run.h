// The command line takes arguments and returns an exit status.
//
// For: the command `quadrille`: arguments in, text, JSON or page out.
// Face: this header, cli/commands/commands.h.
// Keeps: no algorithm lives here; cli/JSON.md says what JSON prints, and a test compares them.
// Read first: cli/commands/check.cpp, cli/render/text/check.cpp.
#pragma once

#include <span>
#include <string>

#include "cli/command.h"
#include "driver/files/environment.h"

namespace quadrille::cli {

// Runs the command that the arguments (without the program's name) ask for. Returns an ExitStatus (model/verdict.h).
// Never throws for a user's mistake.
int run(std::span<const std::string> arguments, driver::Environment& environment, const Registry& registry = {});

}  // namespace quadrille::cli
