// The cost for a schedule of running on another fabric than the one that it is written for.
#pragma once

#include <cstdint>
#include <optional>

#include "driver/inputs/context.h"
#include "driver/inputs/input.h"
#include "model/send_table.h"

namespace quadrille::driver {

struct SlowDown {
  std::uint64_t own_steps = 0;  // on the fabric that it is written for, not retimed; at least 1
  // The load factor there: the most rows on a channel in a step, divided by the channel's capacity. At most 1 if no
  // capacity is exceeded.
  double load_factor = 0;
};

// The slow-down of a schedule that is retimed for another fabric. Nothing for other schedules, for tables in rounds,
// if the schedule names no fabric, or if time is short. Cost: the table is made once more, as it is written, and
// read.
std::optional<SlowDown> slow_down_of(const TableRequest& request, const SendTable& table, Context& context);

}  // namespace quadrille::driver
