// table_sends reads a table as the sends that retiming places.
#pragma once

#include <vector>

#include "model/send_table.h"
#include "model/text/result.h"
#include "place/flights/flights.h"
#include "place/held/send_reductions.h"
#include "place/rounds/message_list.h"

namespace quadrille {

// The sends of a table, over its fabric's channels.
struct TableSends {
  Flights flights;                        // in steps: in order of departure
  MessageList messages;                   // in rounds: by round
  std::vector<SentReduction> reductions;  // by serial; none if no send says anything of them
};

// Returns the sends as the schedule would have them into which the table is decompiled, and in the order of that:
// routes off the default ones are named. An error says which rows are no sends (sent_flights.h, sent_messages.h).
Result<TableSends> table_sends(const SendTable& table);

}  // namespace quadrille
