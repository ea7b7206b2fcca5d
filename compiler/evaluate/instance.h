// An Instance is one size of a schedule: the values that its expressions may refer to.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir.h"
#include "model/fabric.h"
#include "model/limits/limits.h"
#include "model/route.h"
#include "model/send_table.h"
#include "model/text/evaluation_error.h"

namespace quadrille {

// The value of a pattern parameter.
struct Pattern {
  std::string word;                  // "constant", "exponential", or "" for a list
  std::vector<std::int64_t> values;  // the list
};

// A fabric whose definition is being run: the nodes that its expressions may refer to so far.
struct FabricSoFar {
  struct Switches {
    std::uint32_t first = 0;  // the first one's node
    std::vector<std::uint32_t> extents;
  };
  std::optional<std::uint32_t> processors;
  std::uint32_t nodes = 0;
  std::map<std::string, Switches, std::less<>> switches;
};

// The sets of frames that outlive their evaluator (Evaluator::share).
using SharedSets = std::vector<std::vector<std::int64_t>>;

// One size of a schedule: everything that expressions may refer to.
struct Instance {
  std::shared_ptr<const ir::Schedule> schedule;
  std::vector<std::int64_t> parameters;  // by parameter; 0 for patterns
  std::vector<Pattern> patterns;         // by parameter; empty for integers
  std::optional<Fabric> fabric;          // absent while the fabric line itself is evaluated
  std::optional<Router> router;
  std::uint32_t count = 0;              // of processors, in a block that says it; 0: the fabric's
  std::uint32_t parts = 0;              // of the collective; 0 while that is not known
  bool in_rounds = false;               // the schedule's sends are messages of a round
  std::shared_ptr<FabricSoFar> so_far;  // of a fabric's definition, in place of the two above
  std::optional<Measured> measured;     // claims only
  std::shared_ptr<SharedSets> sets = std::make_shared<SharedSets>();
  std::uint64_t iterations = std::uint64_t{1} << 30;  // of loops, and calls, that one evaluator may run
  Limits limits = {};                                 // asked every few thousand of them
};

}  // namespace quadrille
