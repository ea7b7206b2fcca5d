// Trees and stars. In a tree of arity a a packet from leaf s climbs to the lowest switch above s and t, at level h (the
// apex), and comes down to t. Level i, between nodes of levels i - 1 and i, is crossed upwards and downwards if s and t
// lie below different nodes of level i - 1: s div a^(i-1) != t div a^(i-1). Upwards i - 1 channels come before it,
// downwards 2h - i: h on the way up, h - i on the way down.
//
// Example: a = 2, s = 1, t = 2: h = 2. Up: level 1, channel 1, offset 0; level 2, channel 0, offset 1. Down: level 2,
// channel 1, offset 2; level 1, channel 2, offset 3.
//
// Lanes: of capacity c(i) = a^(i-1), a packet takes the lane of its source's (downwards: target's) place among the
// a^(i-1) leaves below; so only packets from (to) the same leaf share one. Of other capacities, that modulo c(i).
#include "model/crossings.h"

namespace quadrille {
namespace {

using namespace terms;

struct TreeForm {
  Term levels;
  Term arity;
  Term capacity;  // of level `index`
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
  TreeForm result{*levels, *arity, 1};
  if (word == "exponential") result.capacity = power(*arity, index() - 1);
  if (!capacities.empty()) result.capacity = listed(capacities);
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
  return result;
}

Term apex_level(const Term& arity) {
  if (arity == Term(2)) return bits(bit_xor(source(), target()));
  return apex(source(), target(), arity);
}

}  // namespace

std::optional<Crossings> tree_crossings(const FabricForm& form) {
  CrossingArguments arguments(form, "levels");
  const auto tree = tree_form(arguments);
  if (!tree) return std::nullopt;
  Crossings result;
  result.parameters = arguments.parameters();
  result.processors = power(tree->arity, tree->levels);
  result.valid = both(at_most(1, tree->levels), at_most(2, tree->arity));
  result.hops = Term(2) * apex_level(tree->arity);
  ChannelClass up = climb("up", source(), true, *tree);
  up.offset = index() - 1;
  ChannelClass down = climb("down", target(), false, *tree);
  down.offset = result.hops - index();
  result.classes = {up, down};
  return result;
}

std::optional<Crossings> star_crossings(const FabricForm& form) {
  CrossingArguments arguments(form, "nodes");
  const auto nodes = arguments.number("nodes");
  const auto capacity = arguments.number("capacity", Term(1));
  if (!nodes || !capacity) return std::nullopt;
  const Term apart = !equal(source(), target());
  Crossings result;
  result.parameters = arguments.parameters();
  result.processors = *nodes;
  result.valid = at_most(1, *nodes);
  result.hops = conditional(apart, 2, 0);
  const auto link = [&](const char* name, const Term& leaf, std::int64_t offset, const Term& from, const Term& to) {
    ChannelClass each;
    each.name = name;
    each.crossed = apart;
    each.channel = {leaf};
    each.offset = offset;
    each.capacity = *capacity;
    each.from = from;
    each.to = to;
    return each;
  };
  result.classes = {link("up", source(), 0, source(), *nodes), link("down", target(), 1, *nodes, target())};
  return result;
}

}  // namespace quadrille
