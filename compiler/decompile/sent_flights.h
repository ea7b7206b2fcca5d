// sent_flights reads a table in steps as sends: from a processor through switches to one processor or several.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/route.h"
#include "model/send_table.h"
#include "model/text/result.h"
#include "motion/contribution_set.h"
#include "place/flights/flights.h"

namespace quadrille {

// The links from a node of a tree.
struct SentLinks {
  NodeId from;
  std::vector<NodeId> to;  // in increasing order
  auto operator<=>(const SentLinks&) const = default;
};
// A stay in a switch of a tree, before the packet goes on to one node.
struct SentWait {
  NodeId at;
  NodeId before;
  std::uint32_t steps = 0;  // longer than need be
  auto operator<=>(const SentWait&) const = default;
};

// A send. In steps it carries one packet, in rounds (sent_messages.h) perhaps several.
struct SentFlight {
  std::uint32_t step = 0;  // of its first hop
  std::uint32_t from = 0;
  std::vector<std::uint32_t> to;  // in increasing order
  std::vector<ChunkName> chunks;  // likewise
  // To one processor: by hop, from the second on, the steps longer than need be in the node before it.
  std::vector<std::uint32_t> waits;
  std::vector<NodeId> along;     // to one processor, off the default route: the nodes between
  std::vector<SentLinks> links;  // to several, off the default routes or waiting: those of its tree, from the source on
  std::vector<SentWait> tree_waits;            // then
  std::vector<ContributionSet::Interval> sum;  // none: what the packet's origin holds, or what came by that packet
  bool keeping = false;
  auto operator<=>(const SentFlight&) const = default;

  // Whether it says something of partial reductions.
  bool speaks() const { return keeping || !sum.empty(); }
  // Whether it waits on its way to one processor.
  bool stays() const {
    return std::ranges::any_of(waits, [](std::uint32_t steps) { return steps > 0; });
  }
};

// The send, and the hops that it takes: each begins at the sender or where an earlier one ends.
struct SentWithHops {
  SentFlight flight;
  std::vector<Hop> hops;
};

struct SentFlights {
  std::vector<SentWithHops> sends;  // in order of their flights
  bool joined = false;              // whether some rows stand for several sends, as switches reduce
};

// The links that hops cross, node by node from the source on. Requires that they are a tree.
std::vector<SentLinks> links_of(const Fabric& fabric, NodeId source, const std::vector<Hop>& hops);

// The hops of default routes to several, in the order of the receivers; each is `steps` later than the one before.
std::vector<Hop> default_hops(const Router& router, const SentFlight& send, std::uint32_t steps);
// Whether both cross the same channels.
bool cross_the_same(const std::vector<Hop>& a, const std::vector<Hop>& b);

// Returns the sends that make the table's rows again; or what the language has no send for. `router` knows the default
// routes of the fabric that the schedule is written for. Throws Ended.
Result<SentFlights> sent_flights(const SendTable& table, const Router& router);

}  // namespace quadrille
