// What a message's channels add to its time, where links may differ.
#pragma once

#include "model/messages/step_messages.h"
#include "runtime/times/channel_times.h"

namespace quadrille::replaying {

// Seconds for a chunk, of its slowest channel.
double slowest_chunk(const Message& message, const ChannelTimes& times);

// Seconds for the channels of its slowest way from a sender to a receiver.
double slowest_path(const Message& message, const Fabric& fabric, const ChannelTimes& times);

}  // namespace quadrille::replaying
