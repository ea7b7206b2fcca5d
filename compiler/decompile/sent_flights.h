// sent_flights reads a table in steps as sends: from a processor through switches to one processor or several.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/route.h"
#include "model/send_table.h"
#include "model/text/result.h"

namespace quadrille {

// A send. In steps it carries one packet, in rounds (sent_messages.h) perhaps several.
struct SentFlight {
  std::uint32_t step = 0;  // of its first hop
  std::uint32_t from = 0;
  std::vector<std::uint32_t> to;  // in increasing order
  std::vector<ChunkName> chunks;  // likewise
  // To one processor: by hop, from the second on, the steps longer than need be in the node before it.
  std::vector<std::uint32_t> waits;
  std::vector<NodeId> along;  // to one processor, off the default route: the nodes between
  auto operator<=>(const SentFlight&) const = default;
};

struct SentFlights {
  std::vector<SentFlight> flights;  // in order
  bool joined = false;              // whether some rows stand for several sends, as switches reduce
};

// Returns the sends that make the table's rows again; or what the language has no send for. `router` knows the default
// routes of the fabric that the schedule is written for.
Result<SentFlights> sent_flights(const SendTable& table, const Router& router);

}  // namespace quadrille
