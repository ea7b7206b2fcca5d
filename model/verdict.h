// Verdicts, and the command's exit status. "Unknown" is an answer of its own and never shown as another.
#pragma once

#include <cstdint>
#include <string_view>

namespace quadrille {

enum class Verdict : std::uint8_t { holds, violated, unknown };

// "holds", "violated", "unknown".
std::string_view to_string(Verdict verdict);

// Violated if either one is; else unknown if either one is; else holds.
Verdict both(Verdict a, Verdict b);

enum ExitStatus : int {
  exit_done = 0,       // holds, or done
  exit_violated = 1,   // violated, refuted or impossible
  exit_bad_input = 2,  // bad input or usage
  exit_unknown = 3,    // unknown: time, memory, size
};

ExitStatus exit_status(Verdict verdict);

}  // namespace quadrille
