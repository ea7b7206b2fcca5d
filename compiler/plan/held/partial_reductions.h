// What the packets of a combining collective carry: model/MODEL.md's joins, replayed over flights.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "compiler/plan/flights.h"
#include "compiler/plan/held/send_reductions.h"
#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/limits.h"
#include "model/messages/contribution_set.h"

namespace quadrille {

// One packet that was joined to what its target held.
struct Join {
  std::uint32_t flight = 0;  // index into Flights::list
  std::uint32_t hop = 0;     // of the flight, from 0
  std::uint32_t step = 0;
  ContributionSet brought;  // not empty
  bool united = false;      // with what was held, or failed to be; otherwise it replaced that
  bool kept = false;        // as a word of its own
};

struct PartialReductions {
  using Key = std::pair<std::uint32_t, std::uint32_t>;  // value, processor

  // What is held in the end, and, sorted, what has been kept, where anything came or went; elsewhere a processor holds
  // its own contribution.
  std::map<Key, std::vector<ContributionSet>> held;
  std::map<Key, std::vector<Join>> joins;  // in the order in which they happened
  // Of flights that leave with a sum: what makes it up, 0 for what is held, i for what was kept as the i-th. Others
  // leave with what is held.
  std::map<std::uint32_t, std::vector<std::uint32_t>> sums = {};
  std::uint64_t faults = 0;     // rows without their packet, contributions counted twice, gaps
  Reason ended = Reason::none;  // why the replay was cut short
};

// Replays the flights, whose channels are the fabric's. Requires a combining collective. `words`: what their sends say
// of words; null: nothing. Cost: rows · log(rows), and the lengths of the sets that are joined.
PartialReductions partial_reductions(const Flights& flights, const Fabric& fabric, const Collective& collective,
                                     const Limits& limits = {}, ReductionsOfSends* reductions = nullptr);

}  // namespace quadrille
