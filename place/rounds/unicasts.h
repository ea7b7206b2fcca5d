// Unicasts: a schedule in rounds as sends in steps, each of one packet from its processor to one target.
#pragma once

#include "model/fabric.h"
#include "model/limits/limits.h"
#include "place/flights/flights.h"
#include "place/rounds/message_list.h"
#include "place/rounds/written_rounds.h"

namespace quadrille {

struct Unicasts {
  Fabric fabric;
  Flights flights;  // in order of departure
};

// Sends on a complete graph: each takes one step, the round of its message. Those of a message are one after another,
// receiver by receiver. Throws EvaluationError; where a message begins or ends at a switch, too.
Unicasts unicasts_of(const MessageList& messages, const Fabric& written_for, const Limits& limits);

// The same of all messages of a schedule in rounds; those whose path is named (`along`) go along that. Then the fabric
// also has the nodes and channels of the schedule's own, and a round takes as many steps as the longest of these paths.
Unicasts unicasts_of(const WrittenRounds& written, const Limits& limits);

}  // namespace quadrille
