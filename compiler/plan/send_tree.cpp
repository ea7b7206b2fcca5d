// A send to several along a tree that it lists: from the source, each link is crossed in the step after the one before
// it, and later by what the packet waits between.
//
// For example, `send 0 -> {1, 2} along 0 -> s, s -> {1, 2} waiting 3 at s -> 2` has the hops 0->s, s->1 and s->2 at the
// offsets 0, 1 and 4. The links are a tree: each node is entered once, the source never, and what is entered last is a
// target. Cost: links · log links, and waits · links.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "compiler/plan/send_routes.h"
#include "model/described.h"

namespace quadrille {
namespace {

// The links by the node that they leave.
class StatedTree {
 public:
  StatedTree(const Fabric& fabric, const ResolvedSend& send) : fabric_(fabric), send_(send) {
    entered_.insert(send.source);
    for (const StatedLink& link : send.links) add(link);
  }

  // Calls visit(channel, offset) for each link, after that by which the packet came. Marks the waits that count.
  template <class Visit>
  void follow(std::vector<bool>& counted, const Visit& visit) {
    std::vector<std::pair<NodeId, std::uint64_t>> open{{send_.source, 0}};  // and the offset of the next link
    std::size_t followed = 0;
    while (!open.empty()) {
      const auto [at, offset] = open.back();
      open.pop_back();
      const auto leaving = leaving_.find(at);
      if (leaving == leaving_.end()) continue;
      for (const ChannelId channel : leaving->second) {
        const NodeId next = fabric_.channel(channel).to;
        const std::uint64_t crossed = offset + waited(at, next, counted);
        if (crossed > max_step)
          fail(send_.span, fmt::format("the packet waits beyond step {}; that is the limit", max_step), Code::limit);
        visit(channel, static_cast<std::uint32_t>(crossed));
        open.emplace_back(next, crossed + 1);
        ++followed;
      }
    }
    if (followed < send_.links.size()) report_cut_off();
  }

  // Each target is entered, and the packet ends nowhere else.
  void check_ends() const {
    for (const NodeId target : send_.targets) {
      if (entered_.contains(target)) continue;
      fail(send_.statement->target.span, fmt::format("no link of the tree leads to {}", fabric_.name(target)),
           Code::route);
    }
    for (const StatedLink& link : send_.links) {
      if (leaving_.contains(link.to) || std::ranges::find(send_.targets, link.to) != send_.targets.end()) continue;
      fail(span_of(link), fmt::format("the packet ends at {}, which is no target", fabric_.name(link.to)), Code::route);
    }
  }

 private:
  Span span_of(const StatedLink& link) const { return send_.statement->links[link.stated].to.span; }

  void add(const StatedLink& link) {
    const auto channel = fabric_.channel_between(link.from, link.to);
    if (!channel) {
      fail(span_of(link),
           fmt::format("there is no channel from {} to {} in {}", fabric_.name(link.from), fabric_.name(link.to),
                       described(fabric_)),
           Code::route);
    }
    if (!entered_.insert(link.to).second) {
      fail(span_of(link),
           link.to == send_.source ? fmt::format("the tree leads back to its source {}", fabric_.name(link.to))
                                   : fmt::format("two links of the tree lead to {}", fabric_.name(link.to)),
           Code::route);
    }
    leaving_[link.from].push_back(*channel);
  }

  std::uint64_t waited(NodeId at, NodeId next, std::vector<bool>& counted) const {
    std::uint64_t steps = 0;
    if (at == send_.source) return steps;
    for (std::size_t i = 0; i < send_.waits.size(); ++i) {
      const StatedWait& wait = send_.waits[i];
      if (wait.at != at || wait.before.value_or(next) != next) continue;
      steps += wait.steps;
      counted[i] = true;
    }
    return steps;
  }

  [[noreturn]] void report_cut_off() const {
    for (const StatedLink& link : send_.links) {
      if (entered_.contains(link.from)) continue;
      fail(send_.statement->links[link.stated].from.span,
           fmt::format("no link of the tree leads to {}", fabric_.name(link.from)), Code::route);
    }
    fail(send_.span, "some links of the tree go round in a circle", Code::route);
  }

  const Fabric& fabric_;
  const ResolvedSend& send_;
  std::set<NodeId> entered_;  // the source among them
  std::map<NodeId, std::vector<ChannelId>> leaving_;
};

}  // namespace

void SendRoutes::tree(const ResolvedSend& send) {
  StatedTree tree(fabric_, send);
  std::vector<bool> counted(send.waits.size(), false);
  tree.follow(counted, [&](ChannelId channel, std::uint32_t offset) { timed_.push_back({channel, offset}); });
  tree.check_ends();
  const auto missing = std::ranges::find(counted, false);
  if (missing != counted.end()) not_passed(send, static_cast<std::size_t>(missing - counted.begin()));
}

}  // namespace quadrille
