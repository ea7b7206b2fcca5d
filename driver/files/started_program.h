// Another program, run to its end.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/limits/limits.h"

namespace quadrille::driver {

struct ProgramRun {
  bool found = false;  // whether there is such a program, and it could be started
  bool ended = false;  // by itself, before the limits were reached
  std::string output;  // on its standard output; at most 64 KiB
};

// Runs the program command[0], found by PATH, with the others as its arguments and `input` as its standard input. Ended
// when the limits are reached. What it says on standard error is not kept.
ProgramRun run_to_end(const std::vector<std::string>& command, const std::string& input, const Limits& limits);

}  // namespace quadrille::driver
