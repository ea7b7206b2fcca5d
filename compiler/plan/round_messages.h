// RoundMessages makes the messages of a send in rounds, each with its channels.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compiler/plan/send_routes.h"

namespace quadrille {

class RoundMessages {
 public:
  // One message: its channels, the ones next to the sender first, and the processors that it reaches.
  struct BranchingMessage {
    std::span<const ChannelId> channels;
    std::span<const NodeId> receivers;
  };

  // `trees`: whether one message may reach several processors, branching at switches.
  RoundMessages(const Instance& instance, bool trees);

  // Returns the messages of a send: one for each target, or, with `trees`, one for all targets whose routes part at
  // switches only. Valid until the next call. Throws EvaluationError where there is no route.
  std::span<const BranchingMessage> of(const ResolvedSend& send);

 private:
  void add_path(const ResolvedSend& send);
  void add_targets(const ResolvedSend& send);
  void add_trees(const ResolvedSend& send);
  std::size_t last_relay(std::span<const ChannelId> path) const;

  struct Route {
    NodeId target;
    std::vector<ChannelId> path;
    ChannelId branch;  // the channel behind the last processor before the target
  };

  const Instance& instance_;
  bool trees_;
  SendRoutes routes_;
  std::vector<std::vector<ChannelId>> channels_;  // by message
  std::vector<std::vector<NodeId>> receivers_;
  std::vector<BranchingMessage> messages_;
};

}  // namespace quadrille
