// RoundMessages makes the messages of a send in rounds, each with its channels.
#pragma once

#include <span>
#include <vector>

#include "compiler/plan/send_routes.h"
#include "place/rounds/branching_messages.h"

namespace quadrille {

class RoundMessages {
 public:
  // `trees`: whether one message may reach several processors, branching at switches.
  RoundMessages(const Instance& instance, bool trees)
      : branching_(*instance.fabric, *instance.router, trees), trees_(trees), routes_(instance) {}

  // Returns the messages of a send: one for each target, or, with `trees`, one for all targets whose routes part at
  // switches only. Valid until the next call. Throws EvaluationError where there is no route.
  std::span<const BranchingMessage> of(const ResolvedSend& send);

 private:
  void add_tree(const ResolvedSend& send);
  void need_message(const ResolvedSend& send) const;

  BranchingMessages branching_;  // of a send to several, over default routes
  bool trees_;
  SendRoutes routes_;
  std::vector<ChannelId> path_;               // of a send to one, or the tree that a send names
  std::vector<std::vector<ChannelId>> ways_;  // of a tree that is a message for each target
  std::vector<BranchingMessage> messages_;
};

}  // namespace quadrille
