// `quadrille compare`: the algorithms that ship, on one machine, beside one another.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/inputs/context.h"
#include "driver/inputs/costs.h"
#include "model/collective.h"
#include "model/fabric.h"
#include "model/text/result.h"
#include "verifier/bounds.h"

namespace quadrille::driver {

struct CompareRequest {
  std::string collective = {};            // its notation
  std::string on = {};                    // a fabric's notation
  std::vector<std::string> without = {};  // links of it that are taken away
  std::vector<std::string> sizes = {};    // "64KiB", or several with commas
  std::string costs = {};                 // parse_costs
};

// One algorithm on the machine, with the arguments that are best there for some size. What it does not have there is
// not set: rounds, where it is written in steps, or its messages break a rule; steps, where its packets do.
struct Compared {
  struct InRounds {
    std::uint64_t rounds = 0;
    std::uint64_t volume = 0;
    std::uint64_t hops = 0;
  };
  std::string algorithm;     // "allreduce_ring N=8"
  std::uint64_t chunks = 1;  // into which it cuts a message
  std::optional<InRounds> in_rounds = {};
  std::optional<std::uint64_t> steps = {};
  Bound bound = {};                               // on the steps, for as many chunks
  std::vector<std::optional<double>> times = {};  // by size, in seconds
};

struct CompareOutcome {
  std::string on;  // the fabric, as it was asked for
  Fabric fabric;
  Collective collective;
  Costs costs;
  std::vector<std::uint64_t> sizes;              // of a message, in bytes
  std::vector<Compared> algorithms;              // by time of the first size, or by steps per chunk
  std::vector<std::optional<std::size_t>> best;  // by size, into `algorithms`
  std::vector<double> at_least = {};             // by size, in seconds: what any schedule in rounds takes
  Reason reason = Reason::none;                  // why not all that ship were measured
};

// Every algorithm that ships for the collective, or for one that serves it (fit.h), for any number of chunks, at the
// fabric's number of processors. Rounds
// are measured on the fabric with `timing=rounds`, paths shared unless it counts rounds itself; steps after retiming.
// What breaks a rule there is left out of the measures.
Result<CompareOutcome> run(const CompareRequest& request, Context& context);

}  // namespace quadrille::driver
