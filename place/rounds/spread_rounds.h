// Spreading gives the messages of rounds other routes, as short and in the same rounds, so that channels carry less.
//
// A message may take another route if nothing says which of several shortest ones it takes (no route in the schedule,
// no rule of the fabric's own). A message to several processors is a tree, and takes another one, which leaves its
// sender by one channel and branches at switches, if each receiver is as near as the fabric allows. On shared paths a
// message of several chunks may be divided: its chunks go as several messages of the same round, one for each route.
#pragma once

#include <optional>

#include "model/limits/limits.h"
#include "place/rounds/message_list.h"
#include "place/rounds/written_rounds.h"

namespace quadrille {

// The messages by other routes, in the same rounds; nothing if all stay as they are. On shared paths a round changes
// where its greatest load gets less; on held ones where lanes do not do as written, and then do. Messages are divided
// only where that makes the load less still, and not where a processor sends one message a round. Where messages join
// in switches nothing is spread. Requires messages in the order of their rounds. `words`: whether sends speak of
// partial reductions. Throws EvaluationError at a limit.
std::optional<MessageList> spread_rounds(const WrittenRounds& written, const Limits& limits, bool words);

}  // namespace quadrille
