// RoundNetwork: what a message of one round may be made of (verifier/ROUNDS_FORMULA.md).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "model/fabric.h"
#include "verifier/search/watch.h"

namespace quadrille::searching {

// A piece of a message's way: a lane of a channel, or, where lanes do not count, a channel or a whole way.
struct Strand {
  static constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();
  NodeId from;
  NodeId to;
  std::optional<ChannelId> channel = {};  // nothing: any way between the two
  LaneId lane = {};
  bool starts = true;                     // whether a message may begin with it
  std::uint32_t sender = nobody;          // whose messages alone it carries
  std::vector<std::uint32_t> after = {};  // those strands whose message may go on with it
};

// Strands that may be true together only up to a number.
struct SharedLink {
  std::uint32_t capacity = 0;
  std::vector<std::uint32_t> strands;
};

struct RoundNetwork {
  std::vector<Strand> strands;
  std::vector<SharedLink> links;  // half duplex, held
  bool branches = false;          // a message may branch at switches
  bool single = false;            // ports
  bool half = false;              // duplex
  bool once = false;              // each sender's message enters a node once
  std::uint32_t depth = 0;        // of the longest way; 0 where no way can lead round in a circle
};

// `branches`: whether messages may branch at switches. Requires timing in rounds. Throws Stopped with Reason::limit
// where that would be too many.
RoundNetwork round_network(const Fabric& fabric, bool branches, Watch& watch);

}  // namespace quadrille::searching
