#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <set>
#include <string>

#include "model/route.h"
#include "model/topologies/complete.h"
#include "model/topologies/fat_tree.h"
#include "model/topologies/graph.h"
#include "model/topologies/grid.h"
#include "model/topologies/star.h"
#include "tests/reference/random_tables.h"

namespace quadrille::reference {

namespace {

Rules random_rules(Dice& dice) {
  Rules rules;
  if (dice.one_in(3)) rules.duplex = Duplex::half;
  if (dice.one_in(3)) rules.ports = Ports::single;
  if (dice.one_in(2)) rules.queue.limit = dice.below(3);
  if (dice.one_in(2)) rules.switches = dice.one_in(2) ? Switching::forward : Switching::reduce;
  return rules;
}

using Pattern = std::shared_ptr<const Topology>;

Pattern grid(const std::string& kind, std::vector<std::uint32_t> extents, std::uint32_t capacity) {
  return std::make_shared<Grid>(kind, std::move(extents), capacity);
}

Pattern random_tree(Dice& dice) {
  const std::uint32_t arity = dice.from_to(2, 4);
  std::vector<std::uint32_t> capacities(dice.from_to(1, arity == 2 ? 3 : 2));
  std::uint32_t capacity = 1;
  for (std::uint32_t& each : capacities) each = capacity += dice.below(3);
  return std::make_shared<FatTree>(arity, capacities);
}

Pattern random_grid(Dice& dice) {
  const std::uint32_t capacity = dice.from_to(1, 2);
  switch (dice.below(5)) {
    case 0:
      return grid("ring", {dice.from_to(2, 7)}, capacity);
    case 1:
      return grid("line", {dice.from_to(1, 6)}, capacity);
    case 2:
      return grid("mesh", {dice.from_to(1, 3), dice.from_to(2, 3)}, capacity);
    case 3:
      return grid("torus", {dice.from_to(2, 4), dice.from_to(2, 3)}, capacity);
    default:
      return grid("hypercube", std::vector<std::uint32_t>(dice.from_to(1, 3), 2), capacity);
  }
}

// A spanning tree of links over processors and switches, and a few more.
Pattern random_graph(Dice& dice) {
  auto graph = std::make_shared<Graph>();
  graph->processors = dice.from_to(2, 5);
  const std::uint32_t switches = dice.below(4);
  for (std::uint32_t i = 0; i < switches; ++i) graph->switch_names.push_back(fmt::format("s{}", i));
  std::set<std::pair<std::uint32_t, std::uint32_t>> links;
  const std::uint32_t nodes = graph->processors + switches;
  for (std::uint32_t node = 1; node < nodes; ++node) links.emplace(dice.below(node), node);
  for (std::uint32_t more = dice.below(4); more > 0; --more) {
    const std::uint32_t a = dice.below(nodes);
    const std::uint32_t b = dice.below(nodes);
    if (a != b) links.emplace(std::min(a, b), std::max(a, b));
  }
  for (const auto& [a, b] : links) {
    const std::uint32_t capacity = dice.from_to(1, 3);
    graph->channels.push_back({NodeId(a), NodeId(b), capacity, 0});
    const std::uint32_t back = dice.one_in(4) ? dice.from_to(1, 3) : capacity;
    graph->channels.push_back({NodeId(b), NodeId(a), back, 0});
    // Nothing that is judged depends on how fast a link is.
    if (back > capacity) graph->speeds.push_back({NodeId(b), NodeId(a), {std::uint64_t{a} * 1000, std::nullopt}});
    if (back < capacity) graph->speeds.push_back({NodeId(a), NodeId(b), {std::uint64_t{b}, std::uint64_t{b} + 1}});
  }
  return graph;
}

using Ends = std::set<std::pair<std::uint32_t, std::uint32_t>>;

// A circle through all nodes, most often, so that everything can be reached; and some more, two of which may make a
// link that goes both ways.
Ends random_circle(Dice& dice, std::uint32_t nodes) {
  std::vector<std::uint32_t> circle(nodes);
  std::iota(circle.begin(), circle.end(), 0U);
  dice.shuffle(circle);
  Ends ends;
  for (std::size_t i = 0; i < circle.size(); ++i) ends.emplace(circle[i], circle[(i + 1) % circle.size()]);
  if (dice.one_in(4)) ends.erase(ends.begin());  // what comes after it does not reach what comes before it
  for (std::uint32_t more = dice.below(5); more > 0; --more) {
    const std::uint32_t from = dice.pick(circle);
    const std::uint32_t to = dice.pick(circle);
    if (from != to) ends.emplace(from, to);
  }
  return ends;
}

// From each processor the same steps forwards, so that all look alike; and by way of the switches, in a row.
Ends random_rotation(Dice& dice, std::uint32_t processors, std::uint32_t switches) {
  Ends ends;
  for (std::uint32_t steps = dice.from_to(1, 2); steps > 0; --steps) {
    const std::uint32_t forwards = dice.from_to(1, processors - 1);
    for (std::uint32_t p = 0; p < processors; ++p) ends.emplace(p, (p + forwards) % processors);
  }
  for (std::uint32_t p = 0; p < processors && switches > 0; ++p) {
    ends.emplace(p, processors);
    ends.emplace(processors + switches - 1, p);
  }
  for (std::uint32_t s = 1; s < switches; ++s) ends.emplace(processors + s - 1, processors + s);
  return ends;
}

// Links most of which go one way.
Pattern random_directed_graph(Dice& dice) {
  auto graph = std::make_shared<Graph>();
  graph->processors = dice.from_to(2, 5);
  const std::uint32_t switches = dice.below(3);
  for (std::uint32_t i = 0; i < switches; ++i) graph->switch_names.push_back(fmt::format("s{}", i));
  const bool alike = dice.one_in(3);
  const Ends ends =
      alike ? random_rotation(dice, graph->processors, switches) : random_circle(dice, graph->processors + switches);
  const std::uint32_t capacity = dice.from_to(1, 3);
  for (const auto& [from, to] : ends) {
    graph->channels.push_back({NodeId(from), NodeId(to), alike ? capacity : dice.from_to(1, 3), 0});
  }
  return graph;
}

Pattern random_pattern(Dice& dice) {
  switch (dice.below(9)) {
    case 0:
      return std::make_shared<Complete>(dice.from_to(1, 5), dice.from_to(1, 2));
    case 1:
      return std::make_shared<Star>(dice.from_to(1, 6), dice.from_to(1, 2));
    case 2:
      return random_grid(dice);
    case 3:
    case 4:
      return random_graph(dice);
    case 5:
      return random_directed_graph(dice);
    default:
      return random_tree(dice);
  }
}

std::vector<std::uint32_t> random_processors(Dice& dice, std::uint32_t processors, std::uint32_t at_least) {
  std::vector<std::uint32_t> result;
  for (std::uint32_t i = dice.from_to(at_least, 3); i > 0; --i) result.push_back(dice.below(processors));
  return result;
}

std::vector<CustomChunk> random_chunks(Dice& dice, std::uint32_t processors) {
  std::vector<CustomChunk> chunks(dice.from_to(1, 6));
  const bool unicast = dice.one_in(2);
  for (std::uint32_t i = 0; i < chunks.size(); ++i) {
    chunks[i].name = {dice.below(processors), std::nullopt, i};
    if (dice.one_in(2)) chunks[i].name.target = dice.below(processors);
    chunks[i].held_by = random_processors(dice, processors, 1);
    chunks[i].wanted_by = random_processors(dice, processors, 0);
    if (unicast && chunks[i].wanted_by.size() > 1) chunks[i].wanted_by.resize(1);
  }
  return chunks;
}

}  // namespace

Fabric random_fabric(Dice& dice) {
  while (true) {
    auto fabric = Fabric::make(random_pattern(dice), random_rules(dice));
    if (fabric && fabric->channels() > 0) return *fabric;
  }
}

bool each_reaches_each(const Fabric& fabric) {
  const Router router(fabric);
  for (NodeId a(0); a.value < fabric.processors(); ++a.value) {
    for (NodeId b(0); b.value < fabric.processors(); ++b.value) {
      if (!router.distance(a, b)) return false;
    }
  }
  return true;
}

Collective random_collective(Dice& dice, std::uint32_t processors) {
  static const std::vector<CollectiveKind> kinds = {
      CollectiveKind::broadcast,      CollectiveKind::scatter, CollectiveKind::gather,
      CollectiveKind::allgather,      CollectiveKind::reduce,  CollectiveKind::reduce_scatter,
      CollectiveKind::allreduce,      CollectiveKind::prefix,  CollectiveKind::custom,
      CollectiveKind::total_exchange, CollectiveKind::custom,  CollectiveKind::total_exchange,
      CollectiveKind::allreduce,      CollectiveKind::barrier, CollectiveKind::exclusive_prefix};
  while (true) {
    CollectiveDescription description;
    description.kind = dice.pick(kinds);
    if (dice.one_in(2)) description.root = dice.below(processors);
    description.parts = dice.one_in(3) ? 2 : 1;
    if (dice.one_in(3)) description.operation = dice.one_in(2) ? Operation::ordered : Operation::idempotent;
    if (description.kind == CollectiveKind::custom) description.chunks = random_chunks(dice, processors);
    if (auto collective = Collective::make(description, processors)) return *collective;
  }
}

std::uint64_t first_seed() {
  const char* seed = std::getenv("QUADRILLE_SEED");
  return seed ? std::strtoull(seed, nullptr, 10) : 1;
}

}  // namespace quadrille::reference
