// Steps that a person names: "3..7", "5", "all".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/ids.h"
#include "model/text/result.h"

namespace quadrille::driver {

// Both ends included.
struct StepRange {
  std::uint32_t first = 1;
  std::uint32_t last = max_step;
  bool all() const { return first <= 1 && last >= max_step; }
  bool operator==(const StepRange&) const = default;
};

// `option`: what it is the value of, for the message.
Result<StepRange> parse_steps(std::string_view option, const std::string& text);

}  // namespace quadrille::driver
