// Retiming from rounds to rounds places each message as early as possible.
//
// It preserves what retiming in steps does (retime.h), with messages for packets: each message goes from its processor
// to its receivers with the same packets; each processor keeps the order of its messages; copies leave after they have
// come; each message of a combining collective carries what it carried. A message leaves in the first round in which
// its path and its ports are free (a held path takes a lane of each channel; a shared path is always free). It takes
// the path that is written, if the fabric has the same channels, or if `along` names the path and the fabric has it. If
// nothing says which of several shortest routes it takes, it takes one that is free: the default one, if that is. On
// shared paths, when all are placed, they are spread (spread_rounds.h). On held ones all are placed once more, each by
// the free route of which fewest lanes are taken (calendar/least_route.h), and that is kept if it takes fewer rounds.
// Where switches reduce, messages of a combining collective that come to one processor in one round join where they
// meet, if the same arrives; they are not spread.
#pragma once

#include <string>

#include "model/fabric.h"
#include "model/limits/limits.h"
#include "place/held/send_reductions.h"
#include "place/rounds/message_list.h"
#include "place/rounds/written_rounds.h"

namespace quadrille {

struct RetimedRounds {
  MessageList messages;  // by round
  std::string as;        // how they were placed: "whole messages"
};

// Places the messages of a schedule in rounds on `target`, which counts rounds. On the schedule's own channels never in
// more rounds than are written, if they keep to lanes and ports and, where they copy, leave after what they carry has
// come. Throws EvaluationError: where the fabric has no route;
// where no order of the messages was found in which each carries what it carried, or a message begins or ends at a
// switch (Code::unsupported); at a limit.
RetimedRounds retime_rounds(const WrittenRounds& written, const Fabric& target, const Limits& limits,
                            ReductionsOfSends* words);

}  // namespace quadrille
