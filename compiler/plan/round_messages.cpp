// A send to one processor is one message along its route. A send to several is divided (branching_messages.h). Cost:
// the routes' lengths.
#include "compiler/plan/round_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace quadrille {

std::span<const BranchingMessage> RoundMessages::of(const ResolvedSend& send) {
  const bool named_tree = !send.statement->links.empty();
  if (send.multicast && !named_tree) return branching_.of(send.source, send.targets, send.span);
  if (!send.waits.empty()) {
    fail(send.statement->waits[0].steps.span, "a message does not wait on its way within a round", Code::invalid);
  }
  path_.clear();
  for (const auto& timed : routes_.route(send)) path_.push_back(timed.channel);
  messages_.clear();
  if (named_tree) {
    add_tree(send);
  } else {
    messages_.push_back({path_, send.targets.first(1)});
  }
  return messages_;
}

void RoundMessages::add_tree(const ResolvedSend& send) {
  std::map<NodeId, ChannelId> entering;
  std::erase_if(path_, [&](ChannelId channel) {  // where switches forward, channels come again
    return !entering.emplace(routes_.fabric().channel(channel).to, channel).second;
  });
  need_message(send);
  if (trees_) {
    if (!send.targets.empty()) messages_.push_back({path_, send.targets});
    return;
  }
  ways_.clear();
  for (const NodeId target : send.targets) {
    std::vector<ChannelId>& way = ways_.emplace_back();
    for (NodeId at = target; at != send.source; at = routes_.fabric().channel(way.back()).from)
      way.push_back(entering.at(at));
    std::ranges::reverse(way);
  }
  for (std::size_t i = 0; i < ways_.size(); ++i) messages_.push_back({ways_[i], send.targets.subspan(i, 1)});
}

// A tree is one message, so it parts at switches only, and its targets are where it ends.
void RoundMessages::need_message(const ResolvedSend& send) const {
  const Fabric& fabric = routes_.fabric();
  std::set<NodeId> left;
  for (const ChannelId channel : path_) {
    const NodeId from = fabric.channel(channel).from;
    if (left.insert(from).second || !fabric.is_processor(from)) continue;
    fail(send.span, fmt::format("a message cannot part at {}; write a send for each of its ways", fabric.name(from)),
         Code::invalid);
  }
  for (const NodeId target : send.targets) {
    if (!left.contains(target)) continue;
    fail(send.statement->target.span, fmt::format("a message passes {}, and cannot end there, too", target.value),
         Code::invalid);
  }
}

}  // namespace quadrille
