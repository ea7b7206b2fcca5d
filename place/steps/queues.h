// queued moves flights through the queues of channels, as a discipline says.
#pragma once

#include <cstdint>

#include "model/fabric.h"
#include "model/limits/limits.h"
#include "place/flights/flights.h"

namespace quadrille {

// The order in which a channel's queue serves waiting packets. farthest_first compares the lengths of their whole
// routes first, the longest before others. Both then compare the step in which packets arrived; the channel by which
// they came (the processor's own before all, those from the parent last); and the order of the sends.
enum class QueueOrder : std::uint8_t { fifo, farthest_first };
// Moves the flights through queues, one for each channel, and returns them with the steps that result. A flight starts
// no sooner than its own first hop's step. A channel carries as many packets a step as its capacity (and the fabric's
// port and duplex rules) allow. Throws EvaluationError at a limit.
Flights queued(const Flights& flights, const Fabric& fabric, QueueOrder order, const Limits& limits = {});

}  // namespace quadrille
