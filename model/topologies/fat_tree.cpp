// Fat trees: Communications in Binary Fat Trees, §2, for any arity. There c(i) = 1 is the constant tree, c(i) = 2^(i-1)
// the exponential one: as many lanes into a level as out of it, so that no switch is a bottleneck.
//
//   fat_tree:levels=3,capacity=exponential       8 processors; 1, 2 and 4 lanes
#include "model/topologies/fat_tree.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "model/text/counted.h"
#include "model/topologies/permutations.h"
#include "model/topologies/tree.h"
#include "model/topology_family.h"

namespace quadrille {
namespace {

constexpr std::uint32_t most_levels = 26;  // wiring() knows the exact limits; this keeps lists short

// 1, arity, arity^2, …; held at the largest number, which only trees that are too large reach.
std::vector<std::uint32_t> exponential(std::uint32_t levels, std::uint32_t arity) {
  std::vector<std::uint32_t> capacities;
  std::uint64_t capacity = 1;
  for (std::uint32_t i = 0; i < levels; ++i) {
    capacities.push_back(static_cast<std::uint32_t>(capacity));
    capacity = std::min<std::uint64_t>(capacity * arity, std::numeric_limits<std::uint32_t>::max());
  }
  return capacities;
}

std::optional<Diagnostic> fault_of(const std::vector<std::uint32_t>& capacities, Span where) {
  for (std::size_t i = 0; i < capacities.size(); ++i) {
    if (capacities[i] == 0)
      return error_at(where, fmt::format("capacity of level {} is 0; expected at least 1", i + 1), Code::range);
    if (i == 0 || capacities[i] >= capacities[i - 1]) continue;
    return error_at(where,
                    fmt::format("capacity of level {} is {}; expected at least {}, the capacity of level {}", i + 1,
                                capacities[i], capacities[i - 1], i),
                    Code::range);
  }
  return std::nullopt;
}

std::shared_ptr<const Topology> make_fat_tree(FabricArguments& given) {
  const std::uint32_t arity = given.number("arity");
  const auto word = given.word("capacity");
  const bool listed = given.has("capacity") && !word;
  std::vector<std::uint32_t> capacities;
  if (listed) capacities = given.numbers("capacity");
  if (listed && (capacities.empty() || !given.has("levels"))) return std::make_shared<FatTree>(arity, capacities);

  const std::uint32_t levels = given.number("levels");
  if (!listed) capacities.assign(levels, 1);
  if (word == "exponential") capacities = exponential(levels, arity);
  if (word && word != "exponential" && word != "constant") {
    given.report_error(
        "capacity", fmt::format("capacity is `{}`; expected constant, exponential or a number for each level", *word));
  } else if (levels > 0 && capacities.size() != levels) {
    const std::size_t count = capacities.size();
    given.report_error(
        "capacity", fmt::format("capacity has {}; the tree has {}", counted(count, "value"), counted(levels, "level")) +
                        (count == 1 ? " (expected constant, exponential or a number for each level)" : ""));
  }
  return std::make_shared<FatTree>(arity, capacities);
}

}  // namespace

std::vector<TopologyArgument> FatTree::arguments() const {
  std::vector<TopologyArgument> all{{"levels", tree_.levels()}};
  if (tree_.arity != 2) all.push_back({"arity", tree_.arity});
  TopologyArgument capacity{"capacity", tree_.capacities};
  if (tree_.capacities == exponential(tree_.levels(), tree_.arity)) capacity.word = "exponential";
  if (std::ranges::all_of(tree_.capacities, [](std::uint32_t c) { return c == 1; })) capacity.word = "constant";
  all.push_back(std::move(capacity));
  return all;
}

std::optional<WiringSize> FatTree::size() const { return topologies::tree_size(tree_); }

Result<Wiring> FatTree::wiring(Span where) const {
  if (tree_.arity < 2)
    return error_at(where, fmt::format("arity is {}; expected at least 2", tree_.arity), Code::range);
  if (tree_.capacities.empty()) return error_at(where, "a fat tree has no levels; expected at least 1", Code::range);
  if (auto fault = fault_of(tree_.capacities, where)) return *fault;
  return topologies::tree_wiring(tree_, where,
                                 fmt::format("a fat tree of arity {} with {} levels", tree_.arity, tree_.levels()));
}

std::shared_ptr<const Routes> FatTree::routes(const Fabric&) const { return topologies::tree_routes(tree_); }

std::vector<std::uint32_t> FatTree::shifts() const { return std::vector<std::uint32_t>(tree_.levels(), tree_.arity); }

std::vector<CutFamily> FatTree::cuts(const Fabric& fabric) const { return topologies::tree_cuts(tree_, fabric); }

// Digit by digit, k -> k + x in each digit (binary: k xor x): for all digits, then for fewer of them, from the lowest
// up and from the highest down.
std::optional<std::vector<Symmetry>> FatTree::symmetries(const Fabric& fabric) const {
  std::vector<topologies::NodePermutation> digits;
  std::uint32_t weight = 1;
  for (std::uint32_t i = 0; i < tree_.levels(); ++i, weight *= tree_.arity) {
    digits.push_back(topologies::with_switches(fabric, tree_, topologies::next_digit(fabric, weight, tree_.arity)));
  }
  const std::string one =
      tree_.arity == 2 ? "k -> k xor x" : fmt::format("k -> k + x in each base-{} digit", tree_.arity);
  std::vector<Symmetry> all{{one + ", all x", digits}};
  for (std::size_t some = digits.size() - 1; some > 0; --some) {
    const auto end = static_cast<std::ptrdiff_t>(some);
    std::uint64_t lowest = 1;  // arity^some
    for (std::size_t i = 0; i < some; ++i) lowest *= tree_.arity;
    all.push_back({fmt::format("{}, x below {}", one, lowest), {digits.begin(), digits.begin() + end}});
    all.push_back(
        {fmt::format("{}, x a multiple of {}", one, fabric.processors() / lowest), {digits.end() - end, digits.end()}});
  }
  return all;
}

namespace topologies {
namespace {

using namespace terms;

// --- crossings ------------------------------------------------------------------------------------------------------
//
// A packet from leaf s climbs to the lowest switch above s and t, at level h, and comes down to t.
// Level i, between nodes of levels i - 1 and i, is crossed upwards and downwards if s and t lie below different nodes
// of level i - 1: s div a^(i-1) != t div a^(i-1), a the arity. Upwards i - 1 channels come before it, downwards 2h - i:
// h on the way up, h - i on the way down.
//
// Example: a = 2, s = 1, t = 2: h = 2. Up: level 1, channel 1, offset 0; level 2, channel 0, offset 1. Down: level 2,
// channel 1, offset 2; level 1, channel 2, offset 3.
//
// Lanes: of capacity c(i) = a^(i-1), a packet takes the lane of its source's (downwards: target's) place among the
// a^(i-1) leaves below; so only packets from (to) the same leaf share one. Of other capacities, that modulo c(i).

struct TreeForm {
  Term levels;
  Term arity;
  Term capacity;                 // of level `index`
  Term lowest = 1, highest = 1;  // of the first level and the last
  Term valid = 1;  // of listed capacities: there is one for each level, and none is less than the one before
};

// Given level by level: c1, if i is 1; else c2, if i is 2; …
Term listed(const std::vector<Term>& capacities) {
  Term result = capacities.back();
  for (std::size_t i = capacities.size() - 1; i-- > 0;) {
    result = conditional(equal(index(), static_cast<std::int64_t>(i + 1)), capacities[i], result);
  }
  return result;
}

std::optional<TreeForm> tree_form(CrossingArguments& arguments) {
  const std::string word = arguments.word("capacity");
  const std::vector<Term> capacities = arguments.numbers("capacity");
  const auto count = static_cast<std::int64_t>(capacities.size());
  const auto levels = arguments.number("levels", count > 0 ? std::optional<Term>(count) : std::nullopt);
  const auto arity = arguments.number("arity", Term(2));
  if (!levels || !arity || (word.empty() && arguments.has("capacity") && capacities.empty())) return std::nullopt;
  if (!word.empty() && word != "constant" && word != "exponential") return std::nullopt;
  TreeForm result{*levels, *arity, 1, 1, 1};
  if (word == "exponential") {
    result.capacity = power(*arity, index() - 1);
    result.highest = power(*arity, *levels - 1);
  }
  if (capacities.empty()) return result;
  result.capacity = listed(capacities);
  result.lowest = capacities.front();
  result.highest = capacities.back();
  result.valid = equal(result.levels, count);
  for (std::size_t i = 1; i < capacities.size(); ++i) {
    result.valid = both(result.valid, at_most(capacities[i - 1], capacities[i]));
  }
  return result;
}

// The node above leaf x at the level: levels below it have arity^levels + … nodes.
Term node_above(const Term& leaf, const Term& level, const TreeForm& tree) {
  const Term before = power(tree.arity, tree.levels - level + 1) * (power(tree.arity, level) - 1) / (tree.arity - 1);
  return before + leaf / power(tree.arity, level);
}

// The way up from a leaf or, the other way round, down to it.
ChannelClass climb(const std::string& name, const Term& leaf, bool upwards, const TreeForm& tree) {
  const Term below = power(tree.arity, index() - 1);
  const Term lower = node_above(leaf, index() - 1, tree);
  const Term upper = node_above(leaf, index(), tree);
  const SwitchPlace lower_switch{index() - 1, leaf / below};
  const SwitchPlace upper_switch{index(), leaf / power(tree.arity, index())};
  ChannelClass result;
  result.name = name;
  result.first = 1;
  result.last = tree.levels;
  result.crossed = !equal(source() / below, target() / below);
  result.channel = {index(), leaf / below};
  result.capacity = tree.capacity;
  result.lane = (leaf % below) % tree.capacity;
  result.from = upwards ? lower : upper;
  result.to = upwards ? upper : lower;
  result.from_switch = upwards ? lower_switch : upper_switch;
  result.to_switch = upwards ? upper_switch : lower_switch;
  return result;
}

Term apex_level(const Term& arity) {
  if (arity == Term(2)) return bits(bit_xor(source(), target()));
  return apex(source(), target(), arity);
}

std::optional<Crossings> fat_tree_crossings(const FabricForm& form) {
  CrossingArguments arguments(form, "levels");
  const auto tree = tree_form(arguments);
  if (!tree) return std::nullopt;
  Crossings result;
  result.parameters = arguments.parameters();
  result.name = "fat tree";
  result.processors = power(tree->arity, tree->levels);
  result.valid = both(tree->valid, both(at_most(1, tree->levels), at_most(2, tree->arity)));
  result.hops = Term(2) * apex_level(tree->arity);
  ChannelClass up = climb("up", source(), true, *tree);
  up.offset = index() - 1;
  ChannelClass down = climb("down", target(), false, *tree);
  down.offset = result.hops - index();
  result.classes = {up, down};
  result.capacities = TermCapacities{tree->lowest};
  if (tree->arity == Term(2)) {
    result.capacities->halves = TermHalves{power(2, tree->levels - 1), tree->highest, tree->levels - 1, tree->levels};
  }
  return result;
}

}  // namespace

TopologyFamily fat_tree() {
  FabricParameter levels{"levels", FabricParameter::Kind::number, 1, most_levels};
  levels.meaning = "of switches; may be left out where capacities are listed";
  FabricParameter arity{"arity", FabricParameter::Kind::number, 2, max_fabric_size, "2"};
  arity.meaning = "children of each switch";
  FabricParameter capacity{"capacity", FabricParameter::Kind::numbers};
  capacity.usual = "constant";
  capacity.words = {"constant", "exponential"};
  capacity.meaning =
      "lanes of a channel, level 1 first, not decreasing; constant: 1; exponential: 1, arity, arity^2, …";
  return {"fat_tree",
          {},
          {levels, arity, capacity},
          "a tree with processors as leaves; capacity=constant, or one per level; arity=2",
          "fat_tree:levels=4,capacity=exponential",
          make_fat_tree,
          fat_tree_crossings};
}

}  // namespace topologies
}  // namespace quadrille
