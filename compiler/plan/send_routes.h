// SendRoutes finds the route of a send through the fabric, hop by hop.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "compiler/plan/region_runner.h"
#include "model/fabric.h"
#include "model/per_channel.h"
#include "model/route.h"

namespace quadrille {

// Finds the channels that a send uses, and the offset of each, counted from the send's first step (0).
class SendRoutes {
 public:
  explicit SendRoutes(const Instance& instance);

  const Fabric& fabric() const { return fabric_; }

  struct TimedChannel {
    ChannelId channel;
    std::uint32_t offset = 0;
  };
  // Returns the route of any send. The results of these two are valid until the next call.
  std::span<const TimedChannel> route(const ResolvedSend& send);
  // Returns the default route to a single target: the n-th channel is crossed at offset n.
  std::span<const ChannelId> default_route(const ResolvedSend& send);
  static bool is_default(const ResolvedSend& send) {
    return !send.multicast && send.along.empty() && send.waits.empty();
  }

 private:
  void multicast(const ResolvedSend& send);
  // Follows the links of a tree that the send lists (send_tree.cpp).
  void tree(const ResolvedSend& send);
  // Returns the route to one of several targets, by the default routes, which form a tree.
  std::span<const ChannelId> route_to(const ResolvedSend& send, NodeId target);
  void go_each_way();
  void path(const ResolvedSend& send);
  [[noreturn]] void not_passed(const ResolvedSend& send, std::size_t wait) const;
  [[noreturn]] void not_linked(const ResolvedSend& send, std::size_t i, NodeId at) const;

  const Fabric& fabric_;
  const Router& router_;
  bool forwards_;  // switches forward: a multicast is then one route after another, each from processor to processor
  std::vector<ChannelId> channels_;
  std::vector<TimedChannel> timed_;
  std::optional<PerChannel<bool>> in_tree_;  // of one multicast: whether its tree has the channel already
};

}  // namespace quadrille
