// The time that a message's channels add, where links may differ.
#pragma once

#include "motion/step_messages.h"
#include "runtime/times/channel_times.h"

namespace quadrille::replaying {

// Seconds for a chunk on the message's slowest channel.
double slowest_chunk(const Message& message, const ChannelTimes& times);

// Seconds for the channels of the message's slowest path from a sender to a receiver.
double slowest_path(const Message& message, const Fabric& fabric, const ChannelTimes& times);

}  // namespace quadrille::replaying
