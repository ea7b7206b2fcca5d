// Runs another program to its end.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/limits/limits.h"

namespace quadrille::driver {

struct ProgramRun {
  bool found = false;  // whether the program exists, and could be started
  bool ended = false;  // whether it ended by itself, before the limits were reached
  std::string output;  // on its standard output; at most 64 KiB
};

// Runs the program command[0], found by PATH, with the other strings as its arguments and `input` as its standard
// input. Ends it when the limits are reached. Its standard error is not kept.
ProgramRun run_to_end(const std::vector<std::string>& command, const std::string& input, const Limits& limits);

}  // namespace quadrille::driver
