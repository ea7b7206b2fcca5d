// The channels that a table's rounds wait for: in each round those that carry the most for their speed.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/ids.h"
#include "model/limits/limits.h"
#include "model/send_table.h"
#include "runtime/times/channel_times.h"

namespace quadrille::driver {

// Rounds that follow one another, with channels that are the busiest in each of them.
struct BusyRounds {
  std::uint32_t first = 1;
  std::uint32_t last = 1;
  ChannelId channel;           // the first of those channels; half duplex: a link, by its lower-numbered channel
  std::uint64_t channels = 1;  // the number of them
  double per_byte = 0;         // the seconds that it is busy in these rounds, for each byte of a chunk
};

// All rounds with rows, in order. What is left of the table's time goes into starts and latencies. Requires a table in
// rounds that keeps all rules (check() holds). Nothing if the limits are reached. Cost: a pass over the rows.
std::optional<std::vector<BusyRounds>> busy_rounds(const SendTable& table, const TransferCosts& costs,
                                                   const Limits& limits);

}  // namespace quadrille::driver
