// JoinedRows: the rows of flights that join where switches reduce, and what each row carries.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/limits.h"
#include "model/send_table.h"
#include "motion/contribution_set.h"
#include "place/flights/flights.h"
#include "place/held/held_at_end.h"
#include "place/held/send_reductions.h"

namespace quadrille {

struct JoinedRow {
  std::uint32_t step = 0;
  ChannelId channel;
  std::uint32_t flight = 0;  // whose packet it names
  ContributionSet carried;
  Arrival arrival = Arrival::joined;  // at its packet's target; joined: elsewhere, or nothing came of it
};

struct JoinedRows {
  std::vector<JoinedRow> rows;         // by step
  std::vector<std::uint32_t> of_hops;  // the row of each of Flights::hops
  HeldAtEnd held;
  std::uint64_t faults = 0;  // of model/MODEL.md's: packets that are not there, contributions that come twice, gaps
};

// Where switches reduce, what leaves one in one step over one channel, with one target and part, is one row, which
// names the packet of the first such flight. Cost: rows · log(rows), and the sets. Requires a combining collective.
// Throws EvaluationError at a limit, and where there are no partial reductions for a sum.
JoinedRows joined_rows(const Flights& flights, const Fabric& fabric, const Collective& collective, const Limits& limits,
                       ReductionsOfSends* words);

}  // namespace quadrille
