// A RoundNetwork lists the strands of which a message of one round may be made (verifier/ROUNDS_FORMULA.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "model/fabric.h"
#include "verifier/search/solver/watch.h"

namespace quadrille::searching {

// A piece of a message's path: a lane of a channel; or, where lanes do not count, a channel or a whole path.
struct Strand {
  static constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::uint64_t anything = std::numeric_limits<std::uint64_t>::max();
  NodeId from;
  NodeId to;
  std::optional<ChannelId> channel = {};  // nothing: any path between the two
  LaneId lane = {};
  bool starts = true;                     // whether a message may begin with it
  std::uint32_t sender = nobody;          // it carries this sender's messages alone
  std::vector<std::uint32_t> after = {};  // the strands whose message may go on with this one
  bool ends = true;                       // whether a message may end with it
  std::uint64_t only = anything;          // the one chunk, or value, that it may carry
};

// Strands of which only so many may be used together.
struct SharedLink {
  std::uint32_t capacity = 0;
  std::vector<std::uint32_t> strands;
};

struct RoundNetwork {
  std::vector<Strand> strands;
  std::vector<SharedLink> links;  // half duplex, held
  std::vector<SharedLink> loads;  // with a volume: limits on the load of strands, in a round of length 1
  bool branches = false;          // a message may branch at switches
  bool reversed = false;          // of messages that join, with time reversed (joins.h)
  bool single = false;            // ports
  bool half = false;              // duplex
  bool once = false;              // each sender's message enters a node once
  std::uint32_t depth = 0;        // of the longest path; 0 where no path can lead round in a circle

  // Whether each strand carries one chunk, or value, only.
  bool by_value() const { return !strands.empty() && strands.front().only != Strand::anything; }
};

// Returns the fabric's network. `branches`: messages may branch at switches. Requires timing in rounds. Throws Ended
// with Reason::limit where there would be too many strands.
RoundNetwork round_network(const Fabric& fabric, bool branches, Watch& watch);

// --- pieces of it, for volume_network.h -----------------------------------------------------------------------

// Whether a message from a to b needs no more than the channel from a to b, whatever its length; but for lanes.
bool all_are_neighbours(const Fabric& fabric);
// Fills in which of the strands from `first` on may follow which: a message does not go straight back to where it came
// from. `pairs` is the number of such pairs so far.
void add_what_follows(RoundNetwork& network, std::size_t first, std::uint64_t& pairs, Watch& watch);
bool leads_in_circles(const RoundNetwork& network);

}  // namespace quadrille::searching
