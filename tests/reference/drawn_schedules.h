// Schedules for retiming, from a seed: text for text the same on every machine and with every compiler.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace quadrille::reference {

struct DrawnSchedule {
  std::string text;
  std::string target;  // in notation: a fabric with as many processors, which may lack a route
};

// The kinds: "delivery", …
const std::vector<std::string>& drawn_kinds();

// `kind` must be one of them.
DrawnSchedule drawn_schedule(const std::string& kind, std::uint64_t seed);

}  // namespace quadrille::reference
