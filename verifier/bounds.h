// Lower bounds on the number of steps of any schedule for a collective on a fabric.
#pragma once

#include <cstdint>
#include <functional>
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

// What the use of a resource costs in the steps from `first` on (verifier/CERTIFICATES.md).
struct PriceList {
  std::string resource;  // "channel 0->1.0", "out 3"
  std::uint32_t first = 1;
  std::vector<std::uint64_t> prices;
};

// A proved lower bound and its reason in one sentence, with its numbers and source.
struct Bound {
  std::string name;  // "distance", "receptions", "cut", "holes", …
  std::uint64_t steps = 0;
  std::string reason;
  bool impossible = false;                 // no number of steps is enough; `steps` is more than a table can have
  std::optional<PaperFormula> paper = {};  // of the same argument, where its paper states one for just this case
  // Prices at which T steps are too few for all that must be paid, for any T below `steps`; unset where the argument is
  // none of prices. They show the same as the reason, to those who trust no derivation.
  std::function<std::vector<PriceList>(std::uint32_t T)> prices = {};
};

// Every bound that applies, largest first; never empty (the last resort is 0 or 1 step).
std::vector<Bound> lower_bounds(const Fabric& fabric, const Collective& collective);

// The bound of the linear programs of flows over time (bounds/flow.h), if it is more than `at_least`, which must be a
// bound that takes distances into account. Where every packet has one source and one target it contains all the others
// that speak of prices. It takes longer: linear programs of more than `most_rows` rows are not tried, nor fabrics of
// more than 300 nodes. `cancelled` is asked between programs.
std::optional<Bound> flow_bound(const Fabric& fabric, const Collective& collective, std::uint64_t at_least,
                                std::uint64_t most_rows, const std::function<bool()>& cancelled = {});

// Linear programs of so many rows take a moment.
inline constexpr std::uint64_t few_rows = 10000;

// The best bound to compare a schedule of so many steps with: of all the above, with linear programs of few rows, where
// the others leave a gap.
Bound best_bound(const Fabric& fabric, const Collective& collective, std::uint64_t steps);

}  // namespace quadrille
