// A table's time in lock step: every step, or round, begins when the one before has ended.
#pragma once

#include <optional>

#include "model/limits/limits.h"
#include "model/send_table.h"
#include "runtime/times/channel_times.h"

namespace quadrille {

// The time by model/MODEL.md, Time, in seconds. On fabrics that state no speeds it is a·T_s + d·T_h + b·T_c, up to
// rounding. Requires a table that keeps all rules (check() holds). Nothing if the limits are reached. Cost: a pass
// over the rows.
std::optional<double> seconds_in_lock_step(const SendTable& table, const TransferCosts& costs, double bytes_per_chunk,
                                           const Limits& limits = {});

}  // namespace quadrille
