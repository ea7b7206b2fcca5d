// The bounds are lower bounds on the number of steps of any schedule for a collective on a fabric.
//
// For: least steps by counting.
// Face: this header.
// Read first: verifier/bounds/lower_bounds.cpp.
#pragma once

#include <array>
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

// The price of using a resource in each step from `first` on (verifier/CERTIFICATES.md).
struct PriceList {
  std::string resource;  // "channel 0->1.0", "out 3"
  std::uint32_t first = 1;
  std::vector<std::uint64_t> prices;
};

// Groups of processors, and the channels that cut each off, by name (verifier/CERTIFICATES.md, Groups).
struct GroupBorders {
  struct NamedGroup {
    std::vector<std::uint32_t> processors;
    std::vector<std::string> channels;
  };
  std::string_view border;  // that entries cross: "in", "out", "both"
  std::vector<NamedGroup> groups;
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
  entries,
};
std::string_view to_string(BoundKind kind);  // "distance", "half duplex", "flow over time", …

// A proved lower bound and its reason in one sentence, with its numbers and source.
struct Bound {
  BoundKind kind = BoundKind::distance;
  std::optional<std::uint64_t> steps = 0;  // nothing: no number of steps is enough
  std::string reason = {};
  std::optional<PaperFormula> paper = {};  // of the same argument, where its paper states one for just this case
  // Returns, for any T below `steps`, prices at which T steps are too few for all that must be carried. They let a
  // reader check the bound without trusting its derivation. Unset where the argument does not use prices.
  std::function<std::vector<PriceList>(std::uint32_t T)> prices = {};
  // Likewise the groups of a bound by entries, which show it for any T below `steps`.
  std::function<GroupBorders()> groups = {};

  bool impossible() const { return !steps; }
  bool has_evidence() const { return prices || groups; }
};

// Returns every bound that applies to a fabric that counts steps: the impossible first, then the largest. The list is
// never empty (the last resort is 0 or 1 step). Bounds that the limits leave no time for are left out; the others stay
// true without them. Cost: about linear in nodes and channels where the fabric looks alike from every processor; else
// one search through the fabric for each processor, or for a few processors only where all would be more than 2^28
// visits.
std::vector<Bound> lower_bounds(const Fabric& fabric, const Collective& collective, const Limits& limits = {});

// These return the same for fabrics that count rounds (model/MODEL.md): bounds on the number of rounds, and on their
// volume. None of these bounds has prices or groups.
std::vector<Bound> round_bounds(const Fabric& fabric, const Collective& collective, const Limits& limits = {});
std::vector<Bound> volume_bounds(const Fabric& fabric, const Collective& collective, const Limits& limits = {});

// A lower bound on the load of a message of one chunk, which may be cut as finely as one likes, by the number of
// rounds: few rounds carry more.
struct LoadByRounds {
  // In many rounds R, `load` R / (R - `late`): some of each round comes too late to be passed on, 0 <= late < 1.
  struct PassedOn {
    double load = 0;
    double late = 0;
  };
  std::array<double, 3> few = {};  // in one round, in two, and in three
  std::vector<PassedOn> passed_on = {};

  double in(std::uint64_t rounds) const;  // requires one at least
};

// Returns the bound for every schedule in so many rounds or fewer (bounds/entries.cpp). It is 0 where more rounds do
// not matter, or where a row may serve several processors; the bounds on volume stay true. Requires a fabric in rounds.
LoadByRounds load_by_rounds(const Fabric& fabric, const Collective& collective, const Limits& limits = {});

// Returns the bound of the linear programs of flows over time (bounds/flow.h), if it is more than `at_least`; nothing
// otherwise, or when the limits are reached before a program shows more. Requires that `at_least` is a bound that takes
// distances into account. Where every packet has one source and one target, this bound implies all others that rest on
// prices. It takes longer than they do: linear programs of more than `most_rows` rows, and fabrics of more than 300
// nodes, are not tried.
std::optional<Bound> flow_bound(const Fabric& fabric, const Collective& collective, std::uint64_t at_least,
                                std::uint64_t most_rows, const Limits& limits = {});

// Linear programs of so many rows take a moment.
inline constexpr std::uint64_t few_rows = 10000;

// Returns the best bound to compare a schedule of so many steps (or rounds) with. It tries all the bounds above, and
// linear programs of few rows where the others leave a gap.
Bound best_bound(const Fabric& fabric, const Collective& collective, std::uint64_t steps, const Limits& limits = {});

}  // namespace quadrille
