// TransferRoutes: the routes that sends take through the fabric on which they are placed.
//
// On a fabric with the nodes and channels of the schedule's own, each send takes the route that is written (from its
// origin on, if a packet of a combining collective passes that). Elsewhere it takes the default route to its ends, one
// after another, and waits nowhere; a multicast takes all these routes together. If neither the schedule nor the fabric
// says which of several shortest routes a send to one end takes, it may take another (choose). A packet of a combining
// collective avoids its origin and target in between: it would be joined in passing, or exchanged for what the origin
// holds by then.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/per_channel.h"
#include "model/route.h"
#include "place/calendar/calendar.h"
#include "place/calendar/least_route.h"
#include "place/calendar/route_choice.h"
#include "place/flights/flights.h"
#include "place/needs/needs.h"

namespace quadrille {

// Whether they have the same nodes, and the same channels between them.
bool same_channels(const Fabric& a, const Fabric& b);

// A path over `written_for` on `target`, by the names of its nodes; nothing where that has them not, or no such
// channels.
std::optional<std::vector<ChannelId>> named_path_on(const Fabric& target, std::span<const ChannelId> path,
                                                    const Fabric& written_for);

class TransferRoutes {
 public:
  // All of these must outlive it.
  TransferRoutes(const Fabric& written_for, const Fabric& target, const Collective& collective);

  // Whether the route of a flight whose hops are not stored does not depend on the fabric that it is written for.
  bool default_routes_are_of_target() const { return paths_ != Paths::without_waits; }

  // Valid until the next call. No two of its hops want one port in the same step.
  struct Route {
    std::span<const TimedChannel> hops;   // in order: each starts at a root, or where an earlier one ends
    std::span<const std::uint32_t> ends;  // when the packet is at each end: the offset of the hop that brings it
    bool by_default = false;              // the default route to one end, without waits
  };
  // Throws EvaluationError where there is none.
  Route of(const RoutedSend& send);

  // For a send with one end and a choice of shortest routes, as of() has just given it: the first step from `first`
  // on in which one of them is free, and that route; with `loads`, of those free then, the one of least load
  // (least_route.h). Nothing where there is no choice.
  std::optional<std::uint32_t> choose(const RoutedSend& send, const Calendar& calendar, std::uint32_t first,
                                      Route& route, const RouteLoads* loads = nullptr);

  // The shortest route of least load for a send that has a choice; empty where it has none, or its origin or target is
  // in the way.
  std::vector<ChannelId> least_loaded(const RoutedSend& send, const RouteLoads& loads);

  // A route with a stop between its two parts, where the packet can wait for as long as it must: the hops before it.
  // That of one channel makes a detour, if `detour`. Nothing if there is no such route, or for several ends. `by`: the
  // route that is divided, if it is not empty; else that of of().
  std::optional<std::uint32_t> stop_in(const RoutedSend& send, bool detour, Route& route,
                                       std::span<const ChannelId> by = {});

 private:
  enum class Paths : std::uint8_t { as_written, without_waits, elsewhere };

  bool as_written(const RoutedSend& send);
  bool is_default(const RoutedSend& send);
  bool has_choice(const RoutedSend& send) const;
  std::vector<NodeId> closed_for(const RoutedSend& send) const;
  bool named_path(const RoutedSend& send);
  void default_path(const RoutedSend& send);
  void default_tree(const RoutedSend& send);
  void append_leg(NodeId from, NodeId to, ChunkId chunk, bool in_tree);
  bool append_around(NodeId from, NodeId to, std::span<const NodeId> closed);
  bool detour(const RoutedSend& send);
  bool can_stop(NodeId node) const;
  void settle(const RoutedSend& send, bool keep_waits);
  std::vector<NodeId> roots(const RoutedSend& send) const;

  const Fabric& written_for_;
  const Fabric& target_;
  const Collective& collective_;
  Router router_;
  RouteChoice choice_;
  LeastRoutes least_routes_;
  Paths paths_ = Paths::as_written;
  std::vector<ChannelId> channels_;
  std::vector<ChannelId> default_;       // the default route, to compare with
  std::vector<std::uint32_t> end_hops_;  // for each end, the hop that brings the packet there
  std::vector<TimedChannel> hops_;
  std::vector<std::uint32_t> end_offsets_;
  PerChannel<bool> in_route_;  // whether this route has the channel already
};

}  // namespace quadrille
