// Retiming from rounds to rounds: each message as early as it can be.
//
// What it preserves is what retiming in steps does (retime.h), with messages for packets: the same messages, each from
// its processor to its receivers with the same packets; the order of each processor's; copies leave after they have
// come; what is combined carries what it carried. A message leaves in the first round in which its path is free: where
// paths are held a lane of each channel, where they are shared all are; and its ports. It takes the path that is
// written, if the fabric has the same channels, or else if `along` names it and the fabric has that; where nothing says
// which of several shortest routes it takes, whichever is free. Where switches reduce, messages of a combining
// collective that come to one processor in one round join where they meet, if what arrives is the same.
#pragma once

#include <string>

#include "compiler/plan/held/send_reductions.h"
#include "compiler/plan/plan.h"

namespace quadrille {

// Places the messages of a plan in rounds on the fabric that it is retimed for, which counts rounds. How they were
// placed: "whole messages". On the plan's own
// channels never in more rounds than are written, if they keep to lanes and ports. Throws EvaluationError: where the
// fabric has no route; where no order of the messages was found in which each carries what it carried, or a message
// begins or ends at a switch (Code::unsupported); at a limit.
std::string retime_rounds(Plan& plan, ReductionsOfSends* words);

}  // namespace quadrille
