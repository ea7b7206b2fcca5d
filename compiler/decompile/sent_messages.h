// sent_messages reads the messages of a table in rounds as sends, each with its sender, receivers, chunks and path.
#pragma once

#include "compiler/decompile/sent_flights.h"

namespace quadrille {

// Returns the messages of all rounds, in order; or which message the language has no send for. Such messages are not
// well formed; or begin, end or join at switches; or leave the default routes to several receivers; or are separate
// here although switches would join them. `router` is as of sent_flights.
Result<SentFlights> sent_messages(const SendTable& table, const Router& router);

// Returns these in rounds, in steps sent_flights.
Result<SentFlights> sends_of(const SendTable& table, const Router& router);

}  // namespace quadrille
