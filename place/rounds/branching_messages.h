// BranchingMessages makes the messages of a send to several processors in a round, each with its channels.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/fabric.h"
#include "model/route.h"
#include "model/text/source.h"

namespace quadrille {

// One message: its channels, the ones next to the sender first, and the processors that it reaches.
struct BranchingMessage {
  std::span<const ChannelId> channels;
  std::span<const NodeId> receivers;
};

class BranchingMessages {
 public:
  // Both outlive it. `trees`: whether one message may reach several processors, branching at switches.
  BranchingMessages(const Fabric& fabric, const Router& router, bool trees)
      : fabric_(fabric), router_(router), trees_(trees) {}

  // Returns one message for each target, or, with `trees`, one for all targets whose routes part at switches only.
  // Valid until the next call. Throws EvaluationError, at `span`, where there is no route.
  std::span<const BranchingMessage> of(NodeId source, std::span<const NodeId> targets, Span span = {});

 private:
  struct Route {
    NodeId target;
    std::vector<ChannelId> path;
    ChannelId branch;  // the channel behind the last processor before the target
  };

  std::vector<ChannelId> route_to(NodeId source, NodeId target, Span span) const;
  void add_trees(NodeId source, std::span<const NodeId> targets, Span span);
  std::size_t last_relay(std::span<const ChannelId> path) const;

  const Fabric& fabric_;
  const Router& router_;
  bool trees_;
  std::vector<std::vector<ChannelId>> channels_;  // by message
  std::vector<std::vector<NodeId>> receivers_;
  std::vector<BranchingMessage> messages_;
};

}  // namespace quadrille
