// A lower bound on the time of a table's messages, in whichever rounds each of them goes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "driver/inputs/costs.h"
#include "model/limits/limits.h"
#include "model/send_table.h"

namespace quadrille::driver {

struct AnyRounds {
  std::uint64_t rounds = 0;
  double fixed = 0;     // seconds
  double per_byte = 0;  // of a chunk, in seconds

  // The seconds for a message of so many bytes, in so many chunks.
  double of(std::uint64_t size, std::uint64_t chunks) const {
    return fixed + per_byte * static_cast<double>(size) / static_cast<double>(chunks);
  }
};

// The bound for this table, and for its schedule retimed on its fabric. Requires a table in rounds. 0 where messages
// may join, or hold the lanes of their paths: then another path may be better. Reading ends when `enough` says so: the
// bound of what was read holds, too. `other_routes`: also if messages take other routes that are as short. Nothing if
// the limits are reached. Cost: a pass over the rows.
std::optional<AnyRounds> any_rounds(const SendTable& table, const Costs& costs, bool other_routes, const Limits& limits,
                                    const std::function<bool(const AnyRounds&)>& enough);

// The cut of the least rate between two nodes: those of the channels that all paths along them from `source` to
// `target` have to cross, one of them each, whose rates are the least in all; of several such cuts the nearest to the
// source. Requires that there is a path, and rates above 0.
std::vector<ChannelId> smallest_cut(const Fabric& fabric, std::span<const ChannelId> channels, NodeId source,
                                    NodeId target, const std::function<double(ChannelId)>& rate);

}  // namespace quadrille::driver
