// The kinds of lower bound, one function each; lower_bounds.cpp combines them. Each function returns its best bound,
// or nothing if it does not apply.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/collective.h"
#include "model/distances.h"
#include "model/fabric.h"
#include "model/limits/limits.h"
#include "model/topology.h"
#include "verifier/bounds.h"

namespace quadrille::bounds {

inline constexpr std::uint32_t far = unreachable;  // no path leads there

// Numbers of units by distance. In: the hops to the nearest holder of the chunk, or to the farthest contributor to
// the partial reduction; the unit cannot arrive earlier. Out: the hops to the farthest processor that needs the unit,
// which must leave so many steps before the end. A distance of 0 is no need.
using Distances = std::map<std::uint32_t, std::uint64_t>;

struct ProcessorNeeds {
  NodeId processor;
  Distances in;
  Distances out;
};

// The needs of the processors that can matter. These are all processors; or processor 0 only, if fabric and
// collective look the same from every processor; or a few, if all would take too long. `all_alike`: the second case.
// `complete`: no processor with needs was left out, except for being alike.
struct NeedsOfAll {
  std::vector<ProcessorNeeds> needs;
  bool all_alike = false;
  bool complete = true;
};
// If the limits are reached, the result holds the needs found until then, of at least one processor: fewer needs, but
// no wrong ones.
NeedsOfAll needs_of(const Fabric& fabric, const Collective& collective, const Limits& limits);

// The sources of the arguments.
inline constexpr std::string_view distances_source = "Communications in Binary Fat Trees, §2.1";
inline constexpr std::string_view table_1_source = "Communications in Binary Fat Trees, §2.1, Table 1";
inline constexpr std::string_view lemma_3_source = "Communications in Binary Fat Trees, §5.1, Lemma 3";
inline constexpr std::string_view single_port_source = "Single-Port Multinode Broadcasting, §2";

// a / b, rounded up. Requires b > 0.
constexpr std::uint64_t divided_up(std::uint64_t a, std::uint64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

// Sorts the bounds that there are: impossible ones before all others, then the largest first. Keeps the
// first of each kind; the result is never empty.
std::vector<Bound> sorted(std::vector<std::optional<Bound>> some);

// Bounds that compare needs (needs.cpp) with the capacities of single processors, and of the whole fabric.
std::optional<Bound> distance_bound(const NeedsOfAll& needs);
std::optional<Bound> receptions_bound(const Fabric& fabric, const NeedsOfAll& needs);
std::optional<Bound> sends_bound(const Fabric& fabric, const NeedsOfAll& needs);
std::optional<Bound> half_duplex_bound(const Fabric& fabric, const Collective& collective, const NeedsOfAll& needs);
std::optional<Bound> traffic_bound(const Fabric& fabric, const Collective& collective, const NeedsOfAll& needs);

// The bound from rows of which each serves one processor. It has no prices.
std::optional<Bound> transfers_bound(const Fabric& fabric, const Collective& collective);

// The bound from the entries that each unit makes into groups of processors (entries.cpp), which may be the sides of
// these cuts. It has no prices.
struct Cuts;
std::optional<Bound> entries_bound(const Fabric& fabric, const Collective& collective,
                                   const std::vector<const Cuts*>& cuts, const Limits& limits);

// Likewise, what must cross the borders of such groups in few rounds.
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
// Cuts found by a search (splits.cpp), which this function runs.
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

// --- pieces of them -----------------------------------------------------------------------------------------------

// Cuts of a fabric whose topology knows none: some over which the collective takes many steps, the more promising
// first. None where the topology knows its own and the fabric is large. Any cut gives a true bound, so nothing depends
// on how they were found. The work is limited by a number of visits; when the limits are reached, the result holds the
// cuts that were found until then.
std::vector<Cut> graph_cuts(const Fabric& fabric, const Collective& collective, const Limits& limits);

// Names the processors inside: "processors 0 to 7", "32 processors (0, 2, 4, 6, …)". Requires that there are some.
std::string name_of(const std::vector<bool>& inside);

// Units that make at least `before` hops before they first cross, and at least `after` hops after they last cross. So
// each of them crosses in one of the steps before + 1 … T - after.
struct CrossingWindow {
  std::uint32_t before = 0;
  std::uint32_t after = 0;
  std::uint64_t units = 0;
};

// The direction across a cut. In half duplex both directions share the links.
enum class Across : std::uint8_t { out, in, both };

// The window that takes the most steps if so many units (`capacity`) cross in each: before + after + units /
// capacity. Requires a capacity that is not 0, and that some unit crosses.
CrossingWindow longest_window(const Fabric& fabric, const Collective& collective, const Cut& cut, Across across,
                              std::uint64_t capacity);

enum class PortDirection : std::uint8_t { in, out };

// Adds these prices, from step `first` on, to the packets that a processor receives (sends).
void price_port(const Fabric& fabric, NodeId processor, PortDirection direction, std::uint32_t first,
                const std::vector<std::uint64_t>& prices, std::vector<PriceList>& lists);

// The links of these channels, in the order of their numbers, each once.
std::vector<ChannelId> links_of(const Fabric& fabric, std::span<const ChannelId> channels);

// Adds a price of 1 for every row of these channels in steps first … last; in half duplex, for every row of their
// links. Does nothing if last < first.
void price_channels(const Fabric& fabric, std::span<const ChannelId> channels, std::uint32_t first, std::uint32_t last,
                    std::vector<PriceList>& lists);

// Whether a value may have to cross a link in both directions. Then it counts twice in some bounds, but pays once.
bool values_go_both_ways(const Collective& collective);

// The same prices with one list for each resource: several lists of a resource are added up.
std::vector<PriceList> one_for_each(const std::vector<PriceList>& lists);

}  // namespace quadrille::bounds
