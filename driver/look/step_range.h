// Reads steps that a person names: "3..7", "5", "all".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/ids.h"
#include "model/text/result.h"

namespace quadrille::driver {

// A range of steps with both ends included.
struct StepRange {
  std::uint32_t first = 1;
  std::uint32_t last = max_step;
  bool all() const { return first <= 1 && last >= max_step; }
  bool operator==(const StepRange&) const = default;
};

// Reads a range. `option` is the name of the option, for the message.
Result<StepRange> parse_steps(std::string_view option, const std::string& text);

}  // namespace quadrille::driver
