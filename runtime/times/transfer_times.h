// What a transfer's channels add to its time, where links may differ.
#pragma once

#include "runtime/times/channel_times.h"
#include "runtime/transfers.h"

namespace quadrille::replaying {

// Seconds for a chunk, of its slowest channel.
double slowest_chunk(const Transfer& transfer, const ChannelTimes& times);

// Seconds for the channels of its slowest way from a sender to a receiver.
double slowest_way(const Transfer& transfer, const Fabric& fabric, const ChannelTimes& times);

}  // namespace quadrille::replaying
