// A send to one processor is one message along its route. A send to several is divided (branching_messages.h). Cost:
// the routes' lengths.
#include "compiler/plan/round_messages.h"

namespace quadrille {

std::span<const BranchingMessage> RoundMessages::of(const ResolvedSend& send) {
  if (send.multicast) return branching_.of(send.source, send.targets, send.span);
  if (!send.waits.empty()) {
    fail(send.statement->waits[0].steps.span, "a message does not wait on its way within a round", Code::invalid);
  }
  path_.clear();
  for (const auto& timed : routes_.route(send)) path_.push_back(timed.channel);
  message_ = {path_, send.targets.first(1)};
  return {&message_, 1};
}

}  // namespace quadrille
