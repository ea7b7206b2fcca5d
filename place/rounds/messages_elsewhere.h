// MessagesElsewhere: the messages of a schedule in rounds, with their paths on the fabric that it is retimed for.
#pragma once

#include <vector>

#include "model/limits/limits.h"
#include "model/route.h"
#include "place/rounds/branching_messages.h"
#include "place/rounds/message_list.h"
#include "place/rounds/written_rounds.h"

namespace quadrille {

// On the schedule's own channels they take the paths that are written, elsewhere those that are named, if the fabric
// has them, and default ones. A send to several is divided anew where it must be.
class MessagesElsewhere {
 public:
  // All must outlive it.
  MessagesElsewhere(const WrittenRounds& written, const Fabric& target, const Limits& limits);

  const Router& router() const { return router_; }

  // In the order in which they are written, with the rounds that are. Throws EvaluationError where there is no route,
  // and at a limit.
  MessageList run();

 private:
  void take(const MadeMessage& message);
  void keep(const MadeMessage& message);
  void add_send();
  void add_path();

  const WrittenRounds& rounds_;
  const Fabric& target_;
  const Limits& limits_;
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
