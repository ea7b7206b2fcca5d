// Finds the schedule in rounds that takes the least time for messages of one size, among those that ship.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/inputs/context.h"
#include "driver/inputs/costs.h"
#include "model/collective.h"
#include "model/fabric.h"
#include "model/send_table.h"
#include "model/terms/fraction.h"
#include "model/text/result.h"

namespace quadrille::driver {

struct CostSearchRequest {
  std::string collective = {};            // its notation
  std::string on = {};                    // a fabric's notation
  std::vector<std::string> without = {};  // links to be removed from it
  std::string costs = {};                 // parse_costs
  std::string size = {};                  // of a message: "64KiB"
  std::string size_of = {};               // message_sizes
};

struct CostSearchOutcome {
  struct Found {
    SendTable table;
    std::uint64_t rounds = 0;
    std::uint64_t volume = 0;
    std::optional<Fraction> load = {};  // on shared paths
    std::uint64_t hops = 0;
    double seconds = 0;
  };
  std::string on;  // the fabric, in the form of the request
  Fabric fabric;   // counting rounds
  Collective collective;
  Costs costs;
  std::uint64_t size = 0;           // of a message, in bytes
  std::optional<Found> found = {};  // the first with the least time; nothing if none fits
  double at_least = 0;              // in seconds: a lower bound for every schedule, with any number of chunks
  Reason reason = Reason::none;     // the reason why not all were looked at
  bool optimal() const;             // whether the time of the result meets the bound, up to rounding
};

// Looks at every schedule that ships for the collective, with any number of chunks, and with every choice of
// segments, radix, and so on. The fabric has `timing=rounds`, with shared paths unless it counts rounds itself.
Result<CostSearchOutcome> run(const CostSearchRequest& request, Context& context);

}  // namespace quadrille::driver
