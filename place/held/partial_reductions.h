// partial_reductions works out what the packets of a combining collective carry. It replays the joins of model/MODEL.md
// over flights.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/limits.h"
#include "motion/contribution_set.h"
#include "place/flights/flights.h"
#include "place/held/held_at_end.h"
#include "place/held/send_reductions.h"

namespace quadrille {

// One packet that was joined to what its target held.
struct Join {
  std::uint32_t flight = 0;  // index into Flights::list
  std::uint32_t hop = 0;     // of the flight, from 0
  std::uint32_t step = 0;
  ContributionSet brought;  // not empty
  bool united = false;      // it was united with what was held, or failed to be; otherwise it replaced that
  bool kept = false;        // as a partial reduction of its own
};

struct PartialReductions {
  using Key = HeldAtEnd::key_type;  // value, processor

  HeldAtEnd held;
  std::map<Key, std::vector<Join>> joins;  // in the order in which they happened
  // By flight that leaves with a sum: the partial reductions that make it up, 0 for the one held, i for the i-th that
  // was kept. All other flights leave with the one held.
  std::map<std::uint32_t, std::vector<std::uint32_t>> sums = {};
  std::uint64_t faults = 0;     // rows without their packet, contributions counted twice, gaps
  Reason ended = Reason::none;  // why the replay was cut short
};

// Replays the flights, whose channels are the fabric's. Requires a combining collective. `words`: what their sends say
// of partial reductions; null: nothing. Cost: rows · log(rows), and the lengths of the sets that are joined.
PartialReductions partial_reductions(const Flights& flights, const Fabric& fabric, const Collective& collective,
                                     const Limits& limits = {}, ReductionsOfSends* reductions = nullptr);

}  // namespace quadrille
