// Progress through the rows of a table.
#pragma once

#include <functional>
#include <string_view>

#include "model/limits.h"
#include "model/send_table.h"

namespace quadrille::driver {

// Tells limits.progress of the step reached and of the rows so far; empty if no one listens. The limits outlive it.
inline std::function<void(StepId, std::uint64_t)> report_rows(std::string_view stage, const SendTable& table,
                                                              const Limits& limits) {
  if (!limits.progress) return {};
  std::optional<std::uint64_t> last;
  if (const auto step = table.rows->last_step()) last = step->value;
  return [stage, last, &limits](StepId step, std::uint64_t rows) {
    limits.progress({.stage = stage, .done = step.value, .of = last, .unit = "steps", .rows = rows});
  };
}

}  // namespace quadrille::driver
