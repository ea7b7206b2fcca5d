// The kinds of lower bound, one function each; lower_bounds.cpp combines them. Each function returns its best bound,
// or nothing if it does not apply.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/topology.h"
#include "verifier/bounds.h"
#include "verifier/bounds/needs.h"

namespace quadrille::bounds {

// The sources of the arguments.
inline constexpr std::string_view distances_source = "Communications in Binary Fat Trees, §2.1";
inline constexpr std::string_view table_1_source = "Communications in Binary Fat Trees, §2.1, Table 1";
inline constexpr std::string_view lemma_3_source = "Communications in Binary Fat Trees, §5.1, Lemma 3";
inline constexpr std::string_view single_port_source = "Single-Port Multinode Broadcasting, §2";

// a / b, rounded up. Requires b > 0.
constexpr std::uint64_t divided_up(std::uint64_t a, std::uint64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

// Sorts bounds: impossible ones before all others, then the largest first. Keeps the first of each kind; the result
// is never empty.
void sort(std::vector<Bound>& all);

// Bounds that compare needs (needs.h) with the capacities of single processors, and of the whole fabric.
std::optional<Bound> distance_bound(const NeedsOfAll& needs);
std::optional<Bound> receptions_bound(const Fabric& fabric, const NeedsOfAll& needs);
std::optional<Bound> sends_bound(const Fabric& fabric, const NeedsOfAll& needs);
std::optional<Bound> half_duplex_bound(const Fabric& fabric, const Collective& collective, const NeedsOfAll& needs);
std::optional<Bound> traffic_bound(const Fabric& fabric, const Collective& collective, const NeedsOfAll& needs);

// The number of rows that fit in one step, over all links and through all ports.
std::uint64_t room_of_a_step(const Fabric& fabric);
// The bound from rows of which each serves one processor (transfers.cpp). It has no prices.
std::optional<Bound> transfers_bound(const Fabric& fabric, const Collective& collective);

// The bound from the entries that each unit makes into groups of processors (entries.cpp), which may be the sides of
// these cuts. It has no prices.
struct Cuts;
std::optional<Bound> entries_bound(const Fabric& fabric, const Collective& collective,
                                   const std::vector<const Cuts*>& cuts, const Limits& limits);

// Likewise, what must cross the borders of such groups in few rounds (few_rounds.cpp).
LoadByRounds few_rounds_load(const Fabric& fabric, const Collective& collective, const std::vector<const Cuts*>& cuts,
                             const Limits& limits);

// The number of packets that a processor can receive (send) in one step over these channels. Requires all channels
// into (out of) it.
std::uint64_t port_capacity(const Fabric& fabric, ChannelIds channels);

// The bound from the time that all packets together are under way, where each has one source and one target
// (lag.cpp).
std::optional<Bound> lag_bound(const Fabric& fabric, const Collective& collective, const NeedsOfAll& needs);

// Cuts to look at one after another, and the text that names their source: " (…)", or nothing.
struct Cuts {
  using Visit = std::function<void(const Cut&)>;
  std::function<void(const Visit&)> each;
  std::string source;
};
// The topology's cuts: between a subtree, or half a grid, and the rest. Fewer if the limits are reached.
Cuts known_cuts(const Fabric& fabric, const Collective& collective, const Limits& limits);
// Cuts found by a search (graph_cuts.h), which this function runs.
Cuts found_cuts(const Fabric& fabric, const Collective& collective, const Limits& limits);

// Bounds from the packets that must cross between the two sides of a cut. The second also counts the hops to and from
// the cut, for links of trees; the third does so for other cuts.
std::optional<Bound> cut_bound(const Fabric& fabric, const Collective& collective, const Cuts& cuts);
std::optional<Bound> level_bound(const Fabric& fabric, const Collective& collective, const Cuts& cuts);
std::optional<Bound> window_bound(const Fabric& fabric, const Collective& collective, const Cuts& cuts);

// Lemma 3 of Communications in Binary Fat Trees, for total exchange on fat trees.
std::optional<Bound> holes_bound(const Fabric& fabric, const Collective& collective);

// The closed formula that corresponds to our bound of this kind. Nothing unless the fabric and the collective are
// those for which Table 1 or Lemma 3 is stated, and it is true for them.
std::optional<PaperFormula> paper_formula(BoundKind bound, const Fabric& fabric, const Collective& collective);

}  // namespace quadrille::bounds
