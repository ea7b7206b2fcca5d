// Origins say what must come where in rounds, whatever the length of messages is. RoundNetwork says what the messages
// of one round may be made of (verifier/ROUNDS_FORMULA.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/watch.h"

namespace quadrille::searching {

// --- what must come where -------------------------------------------------------------------------------------------

// An origin stands for the chunks that start at the same processors. They are always at the same places, because a
// message brings everything that its sender has. In a combining collective, it stands for the contributions of a
// processor.
struct Origin {
  std::vector<std::uint32_t> starts;  // increasing
  std::vector<std::uint32_t> wanted;  // increasing; processors that want any of its chunks, or contributions
  std::uint64_t value = 0;            // where lengths count: the chunk, or the value that is contributed to
};

// --- by which ways --------------------------------------------------------------------------------------------------

// A piece of a message's path: a lane of a channel; or, where lanes do not count, a channel or a whole path.
struct Strand {
  static constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::uint64_t anything = std::numeric_limits<std::uint64_t>::max();
  NodeId from;
  NodeId to;
  std::optional<ChannelId> channel = {};  // nothing: any path between the two
  LaneId lane = {};
  bool starts = true;                     // whether a message may begin with it
  std::uint32_t sender = nobody;          // the only processor whose messages it carries
  std::vector<std::uint32_t> after = {};  // strands whose message may go on with this one
  bool ends = true;                       // whether a message may end with it
  std::uint64_t only = anything;          // the one chunk, or value, that it may carry
};

// Strands of which only a limited number may be true together.
struct SharedLink {
  std::uint32_t capacity = 0;
  std::vector<std::uint32_t> strands;
};

struct RoundNetwork {
  std::vector<Strand> strands;
  std::vector<SharedLink> links;  // half duplex, held
  std::vector<SharedLink> loads;  // with a volume: what may be carried on them in a round of length 1
  bool branches = false;          // a message may branch at switches
  bool reversed = false;          // for messages that join, with time reversed (tables.h)
  bool single = false;            // single ports
  bool half = false;              // half duplex
  bool once = false;              // each sender's message enters a node once
  std::uint32_t depth = 0;        // of the longest path; 0 where no path can lead in a circle

  // Whether each strand carries one chunk, or value, only.
  bool by_value() const { return !strands.empty() && strands.front().only != Strand::anything; }
};

// The network of a fabric. `branches`: whether messages may branch at switches. Requires timing in rounds. Throws
// Ended with Reason::limit if there would be too many strands.
RoundNetwork round_network(const Fabric& fabric, bool branches, Watch& watch);

// The network of a fabric for schedules with limited volume, where lengths count (verifier/ROUNDS_FORMULA.md,
// Volume). Requires !why_no_volume(…), and origins_by_value(…). Throws Ended with Reason::limit if
// there would be too many strands.
RoundNetwork volume_network(const Fabric& fabric, const Collective& collective, const std::vector<Origin>& origins,
                            Watch& watch);

// The reason why there is no formula of the volume on this fabric; nothing where there is one.
std::optional<std::string> why_no_volume(const Fabric& fabric);

}  // namespace quadrille::searching
