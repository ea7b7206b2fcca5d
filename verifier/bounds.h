// Lower bounds on the number of steps of any schedule for a collective on a fabric.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/limits.h"

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

// The argument that a bound rests on (verifier/bounds/parts.h).
enum class BoundKind : std::uint8_t {
  distance,
  receptions,
  sends,
  half_duplex,
  traffic,
  mean_lag,
  holes,
  cut,
  cut_and_distance,
  flow_over_time,
  doubling,
  transfers,
};
std::string_view to_string(BoundKind kind);  // "distance", "half duplex", "flow over time", …

// A proved lower bound and its reason in one sentence, with its numbers and source.
struct Bound {
  BoundKind kind = BoundKind::distance;
  std::optional<std::uint64_t> steps = 0;  // nothing: no number of steps is enough
  std::string reason = {};
  std::optional<PaperFormula> paper = {};  // of the same argument, where its paper states one for just this case
  // Prices at which T steps are too few for all that must be carried, for any T below `steps`; unset where the argument
  // is none of prices. They show the same as the reason, to those who trust no derivation.
  std::function<std::vector<PriceList>(std::uint32_t T)> prices = {};

  bool impossible() const { return !steps; }
};

// For fabrics that count steps: every bound that applies, largest first, with what is impossible before all; never
// empty (the last resort is 0 or 1 step). What the limits leave no time for is left out: a bound less is no wrong
// bound. Cost: about linear in nodes and channels where the fabric looks alike from every processor, else one search
// through the fabric for each processor; where that would be more than 2^28 visits, for a few processors only.
std::vector<Bound> lower_bounds(const Fabric& fabric, const Collective& collective, const Limits& limits = {});

// In rounds (model/MODEL.md), the same of the number of rounds; and of their volume. No bound of these has prices.
std::vector<Bound> round_bounds(const Fabric& fabric, const Collective& collective, const Limits& limits = {});
std::vector<Bound> volume_bounds(const Fabric& fabric, const Collective& collective, const Limits& limits = {});

// The bound of the linear programs of flows over time (bounds/flow.h), if it is more than `at_least`, which must be a
// bound that takes distances into account. Where every packet has one source and one target it contains all the others
// that speak of prices. It takes longer: linear programs of more than `most_rows` rows are not tried, nor fabrics of
// more than 300 nodes. Nothing, too, when the limits are reached before a program shows more than `at_least`.
std::optional<Bound> flow_bound(const Fabric& fabric, const Collective& collective, std::uint64_t at_least,
                                std::uint64_t most_rows, const Limits& limits = {});

// Linear programs of so many rows take a moment.
inline constexpr std::uint64_t few_rows = 10000;

// The best bound to compare a schedule of so many steps (or rounds) with: of all the above, with linear programs of few
// rows, where the others leave a gap.
Bound best_bound(const Fabric& fabric, const Collective& collective, std::uint64_t steps, const Limits& limits = {});

}  // namespace quadrille
