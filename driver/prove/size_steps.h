// The steps of a schedule at several sizes, beside the lower bound: the data of a curve.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/inputs/context.h"
#include "driver/inputs/input.h"
#include "model/text/result.h"

namespace quadrille::driver {

struct SizeSteps {
  std::int64_t value = 0;  // of the parameter
  std::uint32_t processors = 0;
  std::uint64_t steps = 0;
  std::optional<std::uint64_t> bound = {};  // nothing: no number of steps is enough
};

struct SizeStepsOutcome {
  std::string schedule;
  std::string parameter;
  bool rounds = false;
  std::vector<SizeSteps> sizes;  // by value; one at least
  Reason cut = Reason::none;     // the reason why more sizes, or bounds, may be missing
};

// The schedule must have one number that is not given. It takes the values 1 … 8, 12, 16, 24, … of its range, as long
// as there are at most `most_processors`. A size is skipped if it does not compile, or if the table does not hold.
// Each size is checked as `check` does it.
Result<SizeStepsOutcome> size_steps(const TableRequest& request, std::uint32_t most_processors, Context& context);

}  // namespace quadrille::driver
