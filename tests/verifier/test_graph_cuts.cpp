// Cuts that are found by looking: of small fabrics the best there is, of larger ones those that are known to be there,
// and where a topology knows its own, no worse ones of the same graph.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <stop_token>
#include <string>

#include "model/fabric_notation.h"
#include "model/topologies/graph.h"
#include "tests/environment.h"
#include "tests/reference/random_tables.h"
#include "tests/verifier/price_certificate.h"
#include "verifier/bounds.h"
#include "verifier/certificate.h"

namespace quadrille::tests {
namespace {

Collective named(const std::string& name, std::uint32_t processors) {
  return parse_collective({"", name}, 0, processors).value();
}

Fabric fabric_named(const std::string& name) { return parse_fabric({"", name}, 0).value(); }

void link(std::vector<Channel>& channels, std::uint32_t a, std::uint32_t b, std::uint32_t capacity = 1) {
  channels.push_back({NodeId{a}, NodeId{b}, capacity});
  channels.push_back({NodeId{b}, NodeId{a}, capacity});
}

// The same nodes and channels, of which nothing is known.
Fabric as_a_graph(const Fabric& fabric) {
  Graph graph;
  graph.processors = fabric.processors();
  for (std::uint32_t v = fabric.processors(); v < fabric.nodes(); ++v) {
    graph.switch_names.push_back("s" + std::to_string(v));
  }
  graph.channels.assign(fabric.all_channels().begin(), fabric.all_channels().end());
  for (Channel& channel : graph.channels) channel.level = 0;
  return Fabric::make(std::move(graph), fabric.rules()).value();
}

// Two DGX-1 servers that one link joins.
Fabric two_servers() {
  const Fabric server = fabric_named("dgx1");
  std::vector<Channel> channels;
  for (const std::uint32_t first : {0U, 8U}) {
    for (const Channel& it : server.all_channels()) {
      channels.push_back({NodeId{first + it.from.value}, NodeId{first + it.to.value}, it.capacity});
    }
  }
  link(channels, 0, 8);
  return Fabric::make(Graph(16, {}, channels), {}).value();
}

const Bound* find(const std::vector<Bound>& bounds, BoundKind kind) {
  const auto found = std::ranges::find(bounds, kind, &Bound::kind);
  return found == bounds.end() ? nullptr : &*found;
}

std::uint64_t largest(const Fabric& fabric, const Collective& collective) {
  return lower_bounds(fabric, collective).front().steps.value();
}

CertificateVerdict judged(const Fabric& fabric, const Collective& collective, std::uint32_t steps,
                          const std::vector<PriceList>& lists) {
  const std::string text = tests::price_certificate(fabric, collective, steps, lists);
  return judge(read_certificate({"certificate.txt", text}, 0).value(), {}).verdict;
}

// Flows of such a graph visit few links, and all nodes.
TEST_CASE("bounds of a large graph that hardly hangs together take no longer than those of others") {
  std::vector<Channel> channels;
  for (const std::uint32_t processor : {0U, 1U, 2U}) link(channels, processor, 65536);
  const Fabric fabric = Fabric::make(Graph(65536, {"a"}, channels), {}).value();
  const auto bounds = lower_bounds(fabric, named("broadcast", 65536), Limits());
  REQUIRE(!bounds.empty());
  CHECK(std::ranges::any_of(bounds, [](const Bound& bound) { return bound.kind == BoundKind::distance; }));
}

TEST_CASE("two DGX-1 servers joined by one link: all 64 packets each way cross it") {
  const Fabric fabric = two_servers();
  const Collective exchange = named("total_exchange", 16);
  const Bound best = lower_bounds(fabric, exchange).front();
  CHECK(best.kind == BoundKind::cut);
  CHECK(best.steps == 64);
  CHECK(best.reason == "64 packets must cross between processors 0 to 7 and the rest, 1 a step");
  // Eight chunks cross, and each then goes on to those that are two links away.
  CHECK(largest(fabric, named("allgather", 16)) == 10);
  CHECK(largest(fabric, named("reduce_scatter", 16)) == 10);
  CHECK(largest(fabric, named("gather:root=15", 16)) == 10);

  std::vector<PriceList> prices = best.prices(63);
  CHECK(judged(fabric, exchange, 63, prices) == CertificateVerdict::accepted);
  CHECK(judged(fabric, exchange, 64, best.prices(64)) == CertificateVerdict::rejected);
  // Forged ones: a step for which nothing is paid; a channel that carries no more than others.
  REQUIRE(prices.size() == 1);
  prices.front().prices.assign(62, 1);
  prices.front().first = 2;
  CHECK(judged(fabric, exchange, 63, prices) == CertificateVerdict::rejected);
  prices = best.prices(63);
  prices.front().resource = "channel 0->1";
  CHECK(judged(fabric, exchange, 63, prices) == CertificateVerdict::rejected);
}

// --- all splits -----------------------------------------------------------------------------------------------------

using Sides = std::uint32_t;  // bit v: node v is inside
bool inside(Sides sides, std::uint32_t node) { return (sides >> node & 1U) != 0; }

// The chunks that start inside only, or values that are contributed to there, and are wanted outside.
std::uint64_t units_out(const Collective& collective, Sides sides) {
  std::set<std::uint64_t> units;
  for (std::uint64_t number = 0; number < collective.demands(); ++number) {
    const auto [thing, to] = collective.demand_at(number);
    bool crosses = !inside(sides, to.value);
    if (collective.combining()) {
      const auto wanted = collective.wanted_contributions(static_cast<std::uint32_t>(thing.value), to);
      bool one_inside = false;
      for (std::uint32_t p = wanted->first; p <= wanted->second; ++p) one_inside = one_inside || inside(sides, p);
      crosses = crosses && one_inside;
    } else {
      for (std::uint32_t p = 0; p < collective.processors(); ++p) {
        if (collective.starts_at(thing, NodeId{p}) && !inside(sides, p)) crosses = false;
      }
    }
    if (crosses) units.insert(thing.value);
  }
  return units.size();
}

// The steps that a cut takes, by the definition.
std::uint64_t steps_across(const Fabric& fabric, const Collective& collective, Sides sides) {
  std::uint64_t out = 0;
  std::uint64_t in = 0;
  std::set<std::uint32_t> links;
  const bool half = fabric.rules().duplex == Duplex::half;
  for (std::uint32_t e = 0; e < fabric.channels(); ++e) {
    const Channel& channel = fabric.channel(ChannelId{e});
    const bool from = inside(sides, channel.from.value);
    if (from == inside(sides, channel.to.value)) continue;
    const ChannelId link = fabric.link(ChannelId{e});
    (from ? out : in) += half ? fabric.channel(link).capacity : channel.capacity;
    links.insert(link.value);
  }
  const auto over = [](std::uint64_t units, std::uint64_t capacity) {
    return capacity == 0 ? 0 : (units + capacity - 1) / capacity;
  };
  const std::uint64_t leave = units_out(collective, sides);
  const std::uint64_t enter = units_out(collective, ~sides);
  std::uint64_t both = 0;
  for (const std::uint32_t id : links) both += half ? fabric.channel(ChannelId{id}).capacity : 0;
  return std::max({over(leave, out), over(enter, in), over(leave + enter, both)});
}

TEST_CASE("of a small fabric, no cut takes more steps than the one that is found") {
  const std::uint64_t first = reference::first_seed();
  int tried = 0;
  for (std::uint64_t seed = first; seed < first + (brief ? 60 : 400); ++seed) {
    CAPTURE(seed);
    reference::Dice dice(seed);
    const Fabric drawn = reference::random_fabric(dice);
    const Collective collective = reference::random_collective(dice, drawn.processors());
    if (drawn.nodes() < 2 || drawn.nodes() > 8) continue;
    // Bounds of these ask what single processors need.
    if (collective.idempotent() || collective.kind() == CollectiveKind::exclusive_prefix) continue;
    const Fabric fabric = as_a_graph(drawn);
    CAPTURE(fabric.notation());
    CAPTURE(collective.notation());
    std::uint64_t most = 0;
    for (Sides sides = 1; sides + 1 < Sides{1} << fabric.nodes(); ++sides) {
      most = std::max(most, steps_across(fabric, collective, sides));
    }
    const std::vector<Bound> bounds = lower_bounds(fabric, collective);
    if (bounds.front().impossible()) continue;
    const Bound* cut = find(bounds, BoundKind::cut);
    // Of complete graphs none is looked at: single processors show as much.
    if (cut == nullptr) CHECK(bounds.front().steps.value() >= most);
    if (cut != nullptr) CHECK(cut->steps.value() == most);
    ++tried;
  }
  MESSAGE(tried, " fabrics, from seed ", first);
  CHECK(tried > (brief ? 20 : 150));
}

// --- larger ones ----------------------------------------------------------------------------------------------------

TEST_CASE("a graph of the shape of a fabric that ships has no lower bounds") {
  for (const std::string name :
       {"ring:9", "ring:40", "line:30", "mesh:5x7", "torus:6x6", "torus:4x4x4", "hypercube:4", "hypercube:6", "star:30",
        "fat_tree:levels=4,capacity=1,1,1,1", "fat_tree:levels=5,capacity=exponential", "fat_tree:levels=3,arity=3",
        "torus:8x4,duplex=half", "fat_tree:levels=4,capacity=1,2,2,4,duplex=half", "hypercube:5,ports=single"}) {
    const Fabric fabric = fabric_named(name);
    const Fabric graph = as_a_graph(fabric);
    for (const std::string kind : {"total_exchange", "allgather", "reduce_scatter", "broadcast:root=2,parts=40",
                                   "gather:root=1", "allreduce:parts=30", "prefix:parts=9"}) {
      CAPTURE(name);
      CAPTURE(kind);
      const Collective collective = named(kind, fabric.processors());
      CHECK(largest(graph, collective) >= largest(fabric, collective));
    }
  }
}

TEST_CASE("clusters are told apart, whatever their processors are called") {
  const std::uint32_t clusters = 8;
  const std::uint32_t size = 12;
  reference::Dice dice(reference::first_seed());
  std::vector<std::uint32_t> names(clusters * size);
  for (std::uint32_t p = 0; p < names.size(); ++p) names[p] = p;
  dice.shuffle(names);
  std::vector<Channel> channels;
  for (std::uint32_t c = 0; c < clusters; ++c) {
    for (std::uint32_t i = 0; i < size; ++i) {
      for (std::uint32_t j = 0; j < i; ++j) link(channels, names[c * size + i], names[c * size + j]);
    }
    link(channels, names[c * size], names[(c + 1) % clusters * size + 1]);
  }
  const Fabric fabric = Fabric::make(Graph(clusters * size, {}, channels), {}).value();
  // Half of the ring of clusters from the other half: 48·48 packets over the two links between them.
  CHECK(largest(fabric, named("total_exchange", fabric.processors())) == 48 * 48 / 2);
  // One cluster has two links, over which all that the others have must come.
  CHECK(largest(fabric, named("allgather", fabric.processors())) >= (clusters - 1) * size / 2);
}

TEST_CASE("a switch lies on the side that makes the cut narrow") {
  // 24 processors at four leaves; two pairs of leaves at a spine each, and one link between the spines.
  std::vector<Channel> channels;
  for (std::uint32_t p = 0; p < 24; ++p) link(channels, p, 24 + p / 6);
  for (std::uint32_t leaf = 0; leaf < 4; ++leaf) link(channels, 24 + leaf, 28 + leaf / 2, 6);
  link(channels, 28, 29, 2);
  const Fabric fabric = Fabric::make(Graph(24, {"l0", "l1", "l2", "l3", "s0", "s1"}, channels), {}).value();
  const std::vector<Bound> bounds = lower_bounds(fabric, named("total_exchange", 24));
  CHECK(bounds.front().kind == BoundKind::cut_and_distance);
  CHECK(bounds.front().steps == 12 * 12 / 2 + 4);  // 2 hops to the link, and 2 from there
}

TEST_CASE("what is wanted of a few crosses the cut between them") {
  // A path of 30, where 7 has three packets for 8, and 20 one for 21.
  std::vector<Channel> channels;
  for (std::uint32_t p = 0; p + 1 < 30; ++p) link(channels, p, p + 1);
  CollectiveDescription description{.kind = CollectiveKind::custom, .chunks = {}};
  for (std::uint32_t part = 0; part < 3; ++part) description.chunks.push_back({{7, 8, part}, {7}, {8}});
  description.chunks.push_back({{20, 21, 0}, {20}, {21}});
  const Collective collective = Collective::make(description, 30).value();
  const Bound* cut = nullptr;
  const std::vector<Bound> bounds = lower_bounds(Fabric::make(Graph(30, {}, channels), {}).value(), collective);
  cut = find(bounds, BoundKind::cut);
  REQUIRE(cut != nullptr);
  CHECK(cut->steps == 3);
}

TEST_CASE("volume counts what crosses, too") {
  Rules rules;
  rules.timing = Timing::rounds;
  rules.paths = Paths::shared;
  CHECK(volume_bounds(two_servers().with_rules(rules), named("total_exchange", 16)).front().steps == 64);
}

TEST_CASE("when the limits are reached there are fewer cuts, and no wrong ones") {
  std::stop_source stop;
  stop.request_stop();
  Limits limits;
  limits.stop = stop.get_token();
  const std::vector<Bound> bounds = lower_bounds(two_servers(), named("total_exchange", 16), limits);
  REQUIRE(!bounds.empty());
  CHECK(bounds.front().steps.value() <= 64);
}

}  // namespace
}  // namespace quadrille::tests
