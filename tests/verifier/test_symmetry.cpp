// Symmetries are what they are said to be, and schedules that are invariant under them are schedules.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "model/fabric_notation.h"
#include "model/topologies/graph.h"
#include "tests/reference/random_tables.h"
#include "verifier/check.h"
#include "verifier/search/formulas/formula.h"
#include "verifier/search/problem/rows.h"
#include "verifier/search/problem/symmetry.h"
#include "verifier/search/solver/solver.h"

namespace quadrille::searching {
namespace {

ChannelId image_of(const Fabric& fabric, ChannelId id, const Permutation& permutation) {
  const Channel& channel = fabric.channel(id);
  return fabric.channel_between(NodeId{permutation[channel.from.value]}, NodeId{permutation[channel.to.value]}).value();
}

// What the two directions carry together, in half duplex.
std::uint32_t link_capacity(const Fabric& fabric, ChannelId id) {
  const Channel& channel = fabric.channel(id);
  return fabric.channel(std::min(id, fabric.channel_between(channel.to, channel.from).value_or(id))).capacity;
}

bool is_symmetry(const Fabric& fabric, const Permutation& permutation) {
  bool good = std::set(permutation.begin(), permutation.end()).size() == fabric.nodes();
  for (std::uint32_t v = 0; v < fabric.nodes(); ++v) {
    good = good && fabric.is_processor(NodeId{v}) == fabric.is_processor(NodeId{permutation[v]});
  }
  for (std::uint32_t id = 0; id < fabric.channels(); ++id) {
    const ChannelId image = image_of(fabric, ChannelId{id}, permutation);
    good = good && fabric.channel(image).capacity == fabric.channel(ChannelId{id}).capacity;
    if (fabric.rules().duplex != Duplex::half) continue;
    good = good && link_capacity(fabric, image) == link_capacity(fabric, ChannelId{id});
  }
  return good;
}

ChunkId image_of(const Collective& collective, ChunkId chunk, const Permutation& permutation) {
  ChunkName name = collective.name(chunk);
  name.origin = permutation[name.origin];
  if (name.target) name.target = permutation[*name.target];
  return collective.chunk(name).value();
}

bool keeps_demands(const Collective& collective, const Permutation& permutation) {
  bool good = true;
  for (std::uint64_t number = 0; number < collective.demands(); ++number) {
    const auto [chunk, processor] = collective.demand_at(number);
    const ChunkId image = image_of(collective, chunk, permutation);
    good = good && collective.demand(image, NodeId{permutation[processor.value]}).has_value();
    for (std::uint32_t p = 0; p < collective.processors(); ++p) {
      good = good && collective.starts_at(chunk, NodeId{p}) == collective.starts_at(image, NodeId{permutation[p]});
    }
  }
  return good;
}

bool is_closed(const Group& group) {
  const std::set<Permutation> elements(group.elements.begin(), group.elements.end());
  bool good = elements.size() == group.elements.size();
  for (const Permutation& a : group.elements) {
    for (const Permutation& b : group.elements) {
      Permutation product;
      for (const std::uint32_t v : b) product.push_back(a[v]);
      good = good && elements.contains(product);
    }
  }
  return good;
}

// The place, and what the element makes of it, have one representative, from which the way is as long.
bool place_agrees(const std::vector<Moves>& moves, const Orbits& orbits, Orbits::Pair it, std::size_t other,
                  const Permutation& element) {
  const ChunkPlace& place = moves[it.chunk].places[it.index];
  const std::size_t image = moves[other].place_of(NodeId{element[place.node.value]});
  if (image == moves[other].places.size()) return false;
  const Orbits::Pair first = orbits.place(it.chunk, it.index);
  const ChunkPlace& representative = moves[first.chunk].places.at(first.index);
  return first == orbits.place(other, image) && first == orbits.place(first.chunk, first.index) &&
         representative.earliest == place.earliest && representative.remaining == place.remaining;
}

bool crossing_agrees(const std::vector<Moves>& moves, const Orbits& orbits, Orbits::Pair it, std::size_t other,
                     ChannelId image_of_channel) {
  const std::size_t image = moves[other].crossing_of(image_of_channel);
  if (image == moves[other].crossings.size()) return false;
  const Orbits::Pair first = orbits.crossing(it.chunk, it.index);
  return first == orbits.crossing(other, image) && first == orbits.crossing(first.chunk, first.index);
}

bool orbits_agree(const Fabric& fabric, const Collective& collective, const std::vector<Moves>& moves,
                  const Group& group) {
  const Orbits orbits(fabric, collective, moves, group);
  std::map<ChunkId, std::size_t> number;
  for (std::size_t m = 0; m < moves.size(); ++m) number[moves[m].chunk] = m;
  bool good = true;
  for (std::size_t m = 0; m < moves.size(); ++m) {
    for (const Permutation& element : group.elements) {
      const std::size_t other = number.at(image_of(collective, moves[m].chunk, element));
      for (std::size_t p = 0; p < moves[m].places.size(); ++p) {
        good = good && place_agrees(moves, orbits, {m, p}, other, element);
      }
      for (std::size_t x = 0; x < moves[m].crossings.size(); ++x) {
        const ChannelId image = image_of(fabric, moves[m].crossings[x].channel, element);
        good = good && crossing_agrees(moves, orbits, {m, x}, other, image);
      }
    }
  }
  return good;
}

// A schedule found among the invariant ones keeps to the rules; whether there was one.
bool require_schedule(const Question& question, const std::vector<Moves>& moves, const Group& group) {
  ChunkFormula formula(question, moves, group);
  const std::unique_ptr<Solver> solver = make_cadical();
  formula.write(*solver);
  if (solver->solve({{}, 300}) != Answer::satisfiable) return false;
  std::vector<StepRow> rows = formula.rows([&](int variable) { return solver->is_true(variable); });
  const Report report = check(table_of(question.fabric, question.collective, "invariant",
                                       useful_rows(question.fabric, question.collective, std::move(rows))));
  for (const Violation& violation : report.violations) INFO(violation.message);
  REQUIRE(report.verdict == Verdict::holds);
  REQUIRE(report.steps <= question.steps);
  return true;
}

struct Seen {
  int groups = 0;
  int schedules = 0;
};

void look_at(const Fabric& fabric, const Collective& collective, Seen& seen) {
  CAPTURE(fabric.notation());
  CAPTURE(collective.notation());
  for (const bool kept : {true, false}) {
    Watch watch({});
    const std::vector<Moves> moves = moves_within(fabric, collective, kept, watch);
    if (std::any_of(moves.begin(), moves.end(), [](const Moves& it) { return it.copies; })) continue;  // no orbits
    for (const Group& group : groups_of(fabric, collective)) {
      if (group.elements.size() > 24) continue;
      CAPTURE(group.name);
      for (const Permutation& element : group.elements) {
        REQUIRE(is_symmetry(fabric, element));
        REQUIRE(keeps_demands(collective, element));
      }
      REQUIRE(group.elements.front() == trivial_group(fabric).elements.front());
      REQUIRE(is_closed(group));
      REQUIRE(orbits_agree(fabric, collective, moves, group));
      ++seen.groups;
      for (const std::uint32_t steps : {3U, 7U}) {
        const bool once = steps == 7;
        seen.schedules += require_schedule({fabric, collective, steps, once, kept}, moves, group) ? 1 : 0;
      }
    }
  }
}

TEST_CASE("groups consist of symmetries, and invariant schedules keep to the rules") {
  Seen seen;
  for (
      const std::string shape :
      {"line:4", "ring:5", "mesh:2x3", "torus:3x3", "hypercube:3", "complete:4", "star:4", "fat_tree:levels=2",
       "fat_tree:levels=3,capacity=1,2,2", "fat_tree:levels=2,arity=3",
       R"(graph:{"processors":4,"switches":["a"],"links":[[0,"a"],[1,"a"],[2,"a"],[3,"a"]]})",
       R"(graph:{"processors":4,"channels":[[0,1],[1,2],[2,3],[3,0]]})",
       R"(graph:{"processors":3,"switches":["a","b"],"channels":[[0,"a"],[1,"a"],[2,"a"],["a","b"],["b",0],["b",1],["b",2]]})",
       R"(graph:{"processors":4,"switches":[],"channels":[[0,1,2],[1,0,1],[1,2,4],[2,1,4],)"
       R"([2,3,1],[3,2,2]]})"}) {
    for (const std::string rules : {"", ",duplex=half", ",ports=single,queue=1"}) {
      const Fabric fabric = parse_fabric({"", shape + rules}, 0).value();
      for (const std::string name : {"broadcast:root=1", "allgather", "total_exchange"}) {
        look_at(fabric, parse_collective({"", name}, 0, fabric.processors()).value(), seen);
      }
    }
  }
  MESSAGE(seen.groups, " groups, ", seen.schedules, " schedules");
  CHECK(seen.groups > 300);
  CHECK(seen.schedules > 300);
}

TEST_CASE("so it is on random fabrics") {
  Seen seen;
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + 300; ++seed) {
    CAPTURE(seed);
    reference::Dice dice(seed);
    const Fabric fabric = reference::random_fabric(dice);
    const Collective collective = reference::random_collective(dice, fabric.processors());
    if (!collective.combining()) look_at(fabric, collective, seen);
  }
  MESSAGE(seen.groups, " groups, ", seen.schedules, " schedules, from seed ", first);
  CHECK(seen.groups > 20);
}

// 24 processors, each at a switch of its own, the switches in a line: only turning it around is a symmetry.
TEST_CASE("a graph with few symmetries does not take for ever") {
  Graph graph;
  graph.processors = 24;
  for (std::uint32_t i = 0; i < graph.processors; ++i) {
    const NodeId own{graph.processors + i};
    graph.switch_names.push_back("s" + std::to_string(i));
    graph.channels.push_back({NodeId{i}, own, 1, 0});
    graph.channels.push_back({own, NodeId{i}, 1, 0});
    if (i == 0) continue;
    graph.channels.push_back({NodeId{own.value - 1}, own, 1, 0});
    graph.channels.push_back({own, NodeId{own.value - 1}, 1, 0});
  }
  const Fabric fabric = Fabric::make(graph, {}).value();
  const Collective collective = Collective::make({.kind = CollectiveKind::allgather, .chunks = {}}, 24).value();
  const std::vector<Group> groups = groups_of(fabric, collective);
  REQUIRE(groups.size() == 1);
  CHECK(groups.front().elements.size() == 2);
}

// The five-dimensional hypercube, written as a graph: 2^5 * 5! symmetries.
TEST_CASE("all symmetries of a graph form a group, if there are a few thousand") {
  Graph graph;
  graph.processors = 32;
  for (std::uint32_t v = 0; v < 32; ++v) {
    for (std::uint32_t bit = 1; bit < 32; bit *= 2) graph.channels.push_back({NodeId{v}, NodeId{v ^ bit}, 1, 0});
  }
  const Fabric fabric = Fabric::make(graph, {}).value();
  const Collective collective = Collective::make({.kind = CollectiveKind::allgather, .chunks = {}}, 32).value();
  CHECK(groups_of(fabric, collective).front().elements.size() == 3840);
}

// Every permutation is tried, node by node.
std::size_t symmetries_by_trial(const Fabric& fabric, const Collective& collective) {
  Permutation permutation = trivial_group(fabric).elements.front();
  std::size_t number = 0;
  do {
    bool good = is_automorphism(fabric, permutation);
    for (std::uint32_t p = 0; p < fabric.processors(); ++p) good = good && fabric.is_processor(NodeId{permutation[p]});
    if (collective.rooted()) good = good && permutation[collective.description().root] == collective.description().root;
    number += good ? 1 : 0;
  } while (std::next_permutation(permutation.begin(), permutation.end()));
  return number;
}

TEST_CASE("the largest group of a graph is that of all its symmetries") {
  int several = 0;
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + 200; ++seed) {
    CAPTURE(seed);
    reference::Dice dice(seed);
    Graph graph;
    graph.processors = static_cast<std::uint32_t>(dice.from_to(2, 5));
    if (dice.one_in(2)) graph.switch_names = {"a", "b"};
    const auto nodes = graph.processors + static_cast<std::uint32_t>(graph.switch_names.size());
    const bool one_way = dice.one_in(3);
    for (std::uint32_t a = 0; a < nodes; ++a) {
      for (std::uint32_t b = 0; b < a; ++b) {
        if (dice.one_in(3)) continue;
        const auto capacity = static_cast<std::uint32_t>(dice.from_to(1, 2));
        const std::uint32_t left_out = one_way ? dice.below(3) : 2;  // of its two channels; 2: none
        if (left_out != 0) graph.channels.push_back({NodeId{a}, NodeId{b}, capacity, 0});
        const std::uint32_t back = dice.one_in(4) ? 3 - capacity : capacity;
        if (left_out != 1) graph.channels.push_back({NodeId{b}, NodeId{a}, back, 0});
      }
    }
    const Duplex duplex = dice.one_in(2) ? Duplex::half : Duplex::full;
    const Fabric fabric = Fabric::make(graph, {.duplex = duplex}).value();
    for (const std::string name : {"allgather", "broadcast:root=1", "reduce:root=0", "allreduce"}) {
      CAPTURE(name);
      const Collective collective = parse_collective({"", name}, 0, graph.processors).value();
      const std::vector<Group> groups = groups_of(fabric, collective);
      const std::size_t largest = groups.empty() ? 1 : groups.front().elements.size();
      REQUIRE(largest == symmetries_by_trial(fabric, collective));
      several += largest > 1 ? 1 : 0;
    }
  }
  MESSAGE(several, " with symmetries, from seed ", first);
  CHECK(several > 50);
}

Fabric ring_as_graph(std::uint32_t n) {
  Graph graph;
  graph.processors = n;
  for (std::uint32_t v = 0; v < n; ++v) {
    graph.channels.push_back({NodeId{v}, NodeId{(v + 1) % n}, 1, 0});
    graph.channels.push_back({NodeId{(v + 1) % n}, NodeId{v}, 1, 0});
  }
  return Fabric::make(graph, {}).value();
}

TEST_CASE(
    "graphs of hundreds of nodes have symmetries, too, the root and the order keep some of them, and time ends them") {
  constexpr std::uint32_t n = 300;
  const Fabric ring = ring_as_graph(n);
  const auto largest = [&](const std::string& name) {
    const std::vector<Group> groups = groups_of(ring, parse_collective({"", name}, 0, n).value());
    return groups.empty() ? 1 : groups.front().elements.size();
  };
  CHECK(largest("allgather") == 2 * n);
  CHECK(largest("scatter:root=7") == 2);
  CHECK(largest("allreduce:ordered") == 2);  // p to n - 1 - p
  CHECK(largest("prefix") == 1);

  Watch late({.deadline = Limits::Clock::now()});
  const std::vector<std::uint32_t> alike(n);
  CHECK_THROWS_AS(automorphism_generators(ring, alike, &late), Ended);
}

}  // namespace
}  // namespace quadrille::searching
