// Lower bounds on the number of steps of any schedule for a collective on a fabric.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"

namespace quadrille {

// A paper's closed formula for a lower bound.
struct PaperFormula {
  std::string text;  // "n + 2 log n - 2 log log n - 2"
  double value = 0;  // in steps; not always a whole number
  std::string source;
};

// A proved lower bound and its reason in one sentence, with its numbers and source.
struct Bound {
  std::string name;  // "distance", "receptions", "cut", "holes", …
  std::uint64_t steps = 0;
  std::string reason;
  bool impossible = false;                 // no number of steps is enough; `steps` is more than a table can have
  std::optional<PaperFormula> paper = {};  // of the same argument, where its paper states one for just this case
};

// Every bound that applies, largest first; never empty (the last resort is 0 or 1 step).
std::vector<Bound> lower_bounds(const Fabric& fabric, const Collective& collective);

}  // namespace quadrille
