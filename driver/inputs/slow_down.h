// What it costs a schedule to run on another fabric than the one that it is written for.
#pragma once

#include <cstdint>
#include <optional>

#include "driver/inputs/context.h"
#include "driver/inputs/input.h"
#include "model/send_table.h"

namespace quadrille::driver {

struct SlowDown {
  std::uint64_t own_steps = 0;  // on the fabric that it is written for, not retimed; at least 1
  // There: the most rows on a channel in a step, divided by the channel's capacity. At most 1, if no capacity is
  // exceeded.
  double load_factor = 0;
};

// Of a schedule that is retimed for another fabric: nothing for others, for tables in rounds, if it names no fabric
// of its own, or time is short. Cost: the table is made once more, as it is written, and read.
std::optional<SlowDown> slow_down_of(const TableRequest& request, const SendTable& table, Context& context);

}  // namespace quadrille::driver
