// MessagesElsewhere: the messages of a plan in rounds, with their paths on the fabric that it is retimed for.
#pragma once

#include <optional>
#include <vector>

#include "compiler/evaluate/instance.h"
#include "compiler/plan/message_list.h"
#include "compiler/plan/plan.h"
#include "compiler/plan/round_messages.h"
#include "model/route.h"

namespace quadrille {

// On the plan's own channels they take the paths that are written, elsewhere those that are named, if the fabric has
// them, and default ones. A send to several is divided anew where it must be.
class MessagesElsewhere {
 public:
  // The plan must outlive it.
  explicit MessagesElsewhere(const Plan& plan);

  const Router& router() const { return *there_.router; }

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
  Instance there_;
  std::optional<RoundMessages> routes_;
  bool as_written_ = false;
  MadeMessage send_;  // of which the messages before were
  std::vector<ChunkId> chunks_;
  std::vector<ChannelId> written_;
  std::vector<NodeId> targets_;
  MessageList result_;
};

}  // namespace quadrille
