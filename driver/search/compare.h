// `quadrille compare`: compares the algorithms that ship, on one machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/inputs/context.h"
#include "driver/inputs/costs.h"
#include "model/collective.h"
#include "model/fabric.h"
#include "model/terms/fraction.h"
#include "model/text/result.h"
#include "verifier/bounds.h"

namespace quadrille::driver {

struct CompareRequest {
  std::string collective = {};            // its notation
  std::string on = {};                    // a fabric's notation
  std::vector<std::string> without = {};  // links to be removed from it
  std::vector<std::string> sizes = {};    // "64KiB", or several with commas
  std::string costs = {};                 // parse_costs
};

// One algorithm on the machine, with the arguments that are best there for some size. Measures that it does not have
// there are not set: rounds, if it is written in steps, or its messages break a rule; steps, if its packets break
// one.
struct Compared {
  struct InRounds {
    std::uint64_t rounds = 0;
    std::uint64_t volume = 0;
    std::optional<Fraction> load = {};  // on shared paths
    std::uint64_t hops = 0;
  };
  std::string algorithm;     // "allreduce_ring N=8"
  std::uint64_t chunks = 1;  // number of chunks that it cuts a message into
  std::optional<InRounds> in_rounds = {};
  std::optional<std::uint64_t> steps = {};
  Bound bound = {};                               // on the steps, for as many chunks
  std::vector<std::optional<double>> times = {};  // by size, in seconds
};

struct CompareOutcome {
  std::string on;  // the fabric, in the form of the request
  Fabric fabric;
  Collective collective;
  Costs costs;
  std::vector<std::uint64_t> sizes;              // of a message, in bytes
  std::vector<Compared> algorithms;              // by time of the first size, or by steps per chunk
  std::vector<std::optional<std::size_t>> best;  // by size, into `algorithms`
  std::vector<double> at_least = {};             // by size, in seconds: a lower bound for every schedule in rounds
  Reason reason = Reason::none;                  // the reason why not all that ship were measured
};

// Compares all algorithms that ship for the collective, or for one that serves it (fit.h), with any number of chunks,
// at the fabric's number of processors. Rounds are measured on the fabric with `timing=rounds`, with shared paths
// unless it counts rounds itself; steps are measured after retiming. A measure is left out if the algorithm breaks a
// rule there.
Result<CompareOutcome> run(const CompareRequest& request, Context& context);

}  // namespace quadrille::driver
