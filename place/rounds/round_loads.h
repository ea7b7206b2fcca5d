// The loads that the messages of rounds put on channels.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/fabric.h"
#include "place/rounds/message_list.h"

namespace quadrille {

// What a message counts on each of its channels: its packets; or, where paths are held, the lane that it holds.
std::uint64_t crossing_load(const Fabric& fabric, const MadeMessage& message);

// The time that rounds take for the packets of the fullest channel of each (RouteLoads), of messages that are placed in
// these rounds by these routes. With held paths 0: there the longest message counts, by whatever way it goes.
double load_of_rounds(const Fabric& fabric, const MessageList& messages, std::span<const std::uint32_t> rounds,
                      std::span<const std::vector<ChannelId>> routes);

}  // namespace quadrille
