// Computes the time of a table in lock step, for messages of a size.
#pragma once

#include <cstdint>
#include <optional>

#include "driver/inputs/costs.h"
#include "model/fabric.h"
#include "model/limits/limits.h"
#include "model/send_table.h"
#include "runtime/times/channel_times.h"

namespace quadrille::driver {

// The numbers a, d and b of model/MODEL.md, Rounds; for a table in steps, each is its number of steps.
struct Measures {
  std::uint64_t rounds = 0;
  std::uint64_t hops = 0;
  std::optional<double> chunks = {};  // b: the load where paths are shared, else the volume; nothing: it is not known
};

// `measured`: the checker's Report, or the replay's Measurements.
template <class Measured>
Measures measures_of(const Fabric& fabric, const Measured& measured) {
  Measures measures{measured.steps, measured.hops.value_or(measured.steps)};
  const bool shared = fabric.rules().shares_paths();
  if (!shared) measures.chunks = static_cast<double>(measured.volume.value_or(measured.steps));
  if (shared && measured.load) measures.chunks = measured.load->value();
  return measures;
}

// Whether the measures do not tell the time, so that the rows have to.
inline bool timed_by_row(const Fabric& fabric, const Measures& measures, const Costs& costs) {
  return !fabric.link_speeds().empty() || !measures.chunks || costs.overhead > 0;
}

TransferCosts transfer_costs(const Costs& costs);

// The bytes of a chunk where the largest message has `size` bytes.
double chunk_bytes(const SendTable& table, std::uint64_t size);

// The seconds for messages of so many bytes: a·T_s + d·T_h + b·T_c; where timed_by_row, row by row
// (seconds_in_lock_step). Nothing if the limits are reached.
std::optional<double> message_time(const SendTable& table, const Measures& measures, const Costs& costs,
                                   std::uint64_t size, const Limits& limits);

// The costs of the fabric's fastest links. No schedule takes less time there than its measures with these costs.
Costs least_costs(const Costs& costs, const Fabric& fabric);

}  // namespace quadrille::driver
