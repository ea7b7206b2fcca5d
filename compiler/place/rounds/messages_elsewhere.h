// MessagesElsewhere: the messages of a plan in rounds, with their paths on the fabric that it is retimed for.
#pragma once

#include <vector>

#include "compiler/plan/plan.h"
#include "model/route.h"
#include "place/rounds/branching_messages.h"
#include "place/rounds/message_list.h"

namespace quadrille {

// On the plan's own channels they take the paths that are written, elsewhere those that are named, if the fabric has
// them, and default ones. A send to several is divided anew where it must be.
class MessagesElsewhere {
 public:
  // The plan must outlive it.
  explicit MessagesElsewhere(const Plan& plan);

  const Router& router() const { return router_; }

  // In the order in which they are written, with the rounds that are. Throws EvaluationError where there is no route,
  // and at a limit.
  MessageList run();

 private:
  void take(const MadeMessage& message);
  void keep(const MadeMessage& message);
  void add_send();
  void add_path();

  const Plan& plan_;
  const Fabric& target_;
  Router router_;
  BranchingMessages branching_;
  bool as_written_;
  MadeMessage send_;  // of which the messages before were
  std::vector<ChunkId> chunks_;
  std::vector<ChannelId> written_;
  std::vector<NodeId> targets_;
  MessageList result_;
};

}  // namespace quadrille
