// Retiming, compared with its definition.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <vector>

#include "compiler/language_families.h"
#include "model/distances.h"
#include "model/fabric_notation.h"
#include "model/route.h"
#include "model/topologies/graph.h"
#include "model/topologies/without_links.h"
#include "place/retime.h"
#include "tests/compiler/compile_text.h"
#include "tests/environment.h"
#include "tests/reference/random_deliveries.h"
#include "tests/reference/random_tables.h"
#include "tests/reference/reference_check.h"
#include "verifier/check.h"

namespace {

using namespace quadrille;

// Sends of an all-gather's packets on natural routes, some of which wait on the way, in order of departure.
Flights random_flights(reference::Dice& dice, const Fabric& fabric) {
  const Router router(fabric);
  Flights flights;
  std::uint32_t departure = 1;
  for (std::uint32_t left = dice.from_to(1, 25); left > 0; --left) {
    const NodeId source(dice.below(fabric.processors()));
    const NodeId target(dice.below(fabric.processors()));
    std::vector<ChannelId> channels;
    if (source == target || !router.append_route(source, target, channels)) continue;
    departure += dice.one_in(3) ? 1 : 0;
    Flight flight;
    flight.chunk = ChunkId(dice.below(fabric.processors()));
    flight.source = source;
    flight.target = target;
    flight.first_hop = flights.hops.size();
    flight.hops = static_cast<std::uint32_t>(channels.size());
    std::uint32_t step = departure;
    for (const ChannelId channel : channels) {
      flights.hops.push_back({channel, step});
      step += dice.one_in(6) ? dice.from_to(2, 3) : 1;
    }
    flights.list.push_back(flight);
  }
  return flights;
}

// Whether a packet can cross the channel in that step beside the first `count` flights.
bool room(const Fabric& fabric, const Flights& placed, std::size_t count, ChannelId id, std::uint32_t step) {
  const Channel& channel = fabric.channel(id);
  const bool half = fabric.rules().duplex == Duplex::half;
  const bool single = fabric.rules().ports == Ports::single;
  const auto reverse = half ? fabric.channel_between(channel.to, channel.from) : std::nullopt;
  std::uint32_t used = 0;
  std::uint32_t back = 0;
  for (std::size_t f = 0; f < count; ++f) {
    for (const Hop& hop : placed.of(placed.list[f])) {
      if (hop.step != step) continue;
      const Channel& other = fabric.channel(hop.channel);
      used += hop.channel == id ? 1 : 0;
      back += reverse == hop.channel ? 1 : 0;
      const auto meet = [&](NodeId a, NodeId b) { return single && a == b && fabric.is_processor(a); };
      if (meet(channel.from, other.from) || meet(channel.to, other.to)) return false;
      if (half && (meet(channel.from, other.to) || meet(channel.to, other.from))) return false;
    }
  }
  const std::uint32_t together = fabric.channel(std::min(id, reverse.value_or(id))).capacity;
  return used < channel.capacity && used + back < together;
}

// The first step in which flight f may leave, if it has room.
std::uint32_t ready(const Fabric& fabric, const Flights& placed, std::size_t f) {
  const Flight& flight = placed.list[f];
  std::uint32_t after = 1;
  std::uint32_t arrival = 0;
  for (std::size_t e = 0; e < f; ++e) {
    const Flight& other = placed.list[e];
    if (other.source == flight.source) after = std::max(after, placed.of(other).front().step);
    for (const Hop& hop : placed.of(other)) {
      if (other.chunk != flight.chunk || fabric.channel(hop.channel).to != flight.source) continue;
      arrival = arrival == 0 ? hop.step : std::min(arrival, hop.step);
    }
  }
  return std::max(after, arrival + 1);
}

// All shortest routes between the nodes, by going everywhere.
std::vector<std::vector<ChannelId>> shortest_routes(const Fabric& fabric, NodeId from, NodeId to) {
  const auto hops = distances(fabric, to, Direction::to);
  std::vector<std::vector<ChannelId>> routes{{}};
  for (std::uint32_t left = hops[from.value]; left > 0; --left) {
    std::vector<std::vector<ChannelId>> longer;
    for (const auto& route : routes) {
      const NodeId at = route.empty() ? from : fabric.channel(route.back()).to;
      for (const ChannelId channel : fabric.channels_from(at)) {
        if (hops[fabric.channel(channel).to.value] + 1 != left) continue;
        longer.push_back(route);
        longer.back().push_back(channel);
      }
    }
    routes = std::move(longer);
  }
  return routes;
}

// Where a send on a graph waits nowhere and passes no processor, it takes whichever shortest route is free first.
bool takes_any_route(const Fabric& fabric, const Flights& original, std::size_t f) {
  const auto hops = original.of(original.list[f]);
  const auto relays = [&](const Hop& hop) { return fabric.is_processor(fabric.channel(hop.channel).to); };
  return dynamic_cast<const Graph*>(&fabric.topology()) != nullptr &&
         hops.back().step - hops.front().step + 1 == hops.size() &&
         std::none_of(hops.begin(), std::prev(hops.end()), relays);
}

// That one of them is free in no earlier step, and the one taken in the step in which the flight is placed.
std::string difference_of_any(const Fabric& fabric, const Flights& original, const Flights& placed, std::size_t f) {
  const auto now = placed.of(placed.list[f]);
  const auto routes = shortest_routes(fabric, original.list[f].source, original.list[f].target);
  const auto fits = [&](const std::vector<ChannelId>& route, std::uint32_t start) {
    for (const ChannelId channel : route) {
      if (!room(fabric, placed, f, channel, start++)) return false;
    }
    return true;
  };
  std::uint32_t start = ready(fabric, placed, f);
  while (std::none_of(routes.begin(), routes.end(), [&](const auto& route) { return fits(route, start); })) ++start;
  std::vector<ChannelId> taken;
  for (std::uint32_t i = 0; i < now.size(); ++i) {
    if (now[i].step != start + i)
      return fmt::format("flight {}, hop {}: step {}, not {}", f, i, now[i].step, start + i);
    taken.push_back(now[i].channel);
  }
  if (std::find(routes.begin(), routes.end(), taken) == routes.end() || !fits(taken, start))
    return fmt::format("flight {} takes a wrong route", f);
  return {};
}

// On a graph, of a send that passes processors: these may need the packet, and then it keeps its route.
bool may_keep_its_route(const Fabric& fabric, const Flights& original, const Flights& placed, std::size_t f) {
  const auto before = original.of(original.list[f]);
  const auto now = placed.of(placed.list[f]);
  const auto same = [](const Hop& a, const Hop& b) { return a.channel == b.channel; };
  return !takes_any_route(fabric, original, f) &&
         std::equal(before.begin(), before.end(), now.begin(), now.end(), same);
}

std::string difference(const Fabric& fabric, const Flights& original, const Flights& placed) {
  for (std::size_t f = 0; f < original.list.size(); ++f) {
    if (!may_keep_its_route(fabric, original, placed, f)) {
      const std::string differs = difference_of_any(fabric, original, placed, f);
      if (!differs.empty()) return differs;
      continue;
    }
    const auto before = original.of(original.list[f]);
    const auto now = placed.of(placed.list[f]);
    const auto fits = [&](std::uint32_t start) {
      return std::all_of(before.begin(), before.end(), [&](const Hop& hop) {
        return room(fabric, placed, f, hop.channel, start + hop.step - before.front().step);
      });
    };
    std::uint32_t start = ready(fabric, placed, f);
    while (!fits(start)) ++start;
    for (std::size_t i = 0; i < before.size(); ++i) {
      const std::uint32_t expected = start + before[i].step - before.front().step;
      if (now[i].channel == before[i].channel && now[i].step == expected) continue;
      return fmt::format("flight {}, hop {}: step {}, expected {}", f, i, now[i].step, expected);
    }
  }
  return {};
}

bool unmoved(const Flights& original, const Flights& placed) {
  return std::equal(original.hops.begin(), original.hops.end(), placed.hops.begin(),
                    [](const Hop& a, const Hop& b) { return a.step == b.step; });
}

Verdict retimed_verdict(const std::string& text, const std::string& on) {
  ElaborateOptions options;
  options.fabric = parse_fabric({"test", on}, 0).value();
  options.retime = true;
  const Compiled compiled = compile_text(text, {}, options);
  REQUIRE_MESSAGE(compiled.table, compiled.messages);
  return check(*compiled.table).verdict;
}

}  // namespace

TEST_CASE("each send leaves as early as those before it allow") {
  const std::uint64_t first = reference::first_seed();
  const std::uint64_t count = tests::share(3000);
  std::uint64_t moved = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    reference::Dice dice(seed);
    const Fabric fabric = reference::random_fabric(dice);
    const auto collective = parse_collective({"test", "allgather"}, 0, fabric.processors()).value();
    const Flights flights = random_flights(dice, fabric);
    const Flights placed = retimed(flights, fabric, collective, fabric).flights;
    // What is shorter as it is stays so; this is rare.
    const bool kept = placed.hops.size() == flights.hops.size() && unmoved(flights, placed);
    const std::string differs = kept ? "" : difference(fabric, flights, placed);
    CHECK_MESSAGE(differs.empty(), "QUADRILLE_SEED=" << seed << " " << fabric.notation() << ": " << differs);
    moved += placed.last_step() != flights.last_step() ? 1 : 0;
  }
  CHECK(moved > count / 4);
}

TEST_CASE("a reduction that is right stays right when it is retimed for another fabric") {
  const std::vector<std::string> schedules = {
      "collective allreduce\nfor i in 0..2 in turn:\n  for p in processors: send p -> p xor 2^i\n",
      "collective allreduce\nfor i in 0..2:\n  at i + 1: for p in processors: send p -> p xor 2^i\n",
      "collective prefix\nfor i in 0..2 in turn:\n  for p in 0..n-1-2^i: send p -> p + 2^i\n",
      "collective prefix\nfor i in 0..2:\n  at i + 1: for p in 0..n-1-2^i: send p -> p + 2^i\n",
      "collective reduce(root: 0)\nfor p in n - 1 downto 1 in turn: send p -> p - 1\n",
      "collective reduce(root: 0)\nreverse:\n  for i in 0..2 in turn:\n    for p in 0..2^i-1: send p -> p + 2^i\n",
      "collective reduce(root: 0, operation: ordered)\nfor i in 0..2 in turn:\n"
      "  for p in {q for q in processors if q mod 2^(i+1) == 2^i}: send p -> p - 2^i\n"};
  const std::vector<std::string> fabrics = {"complete:8",
                                            "complete:8,ports=single",
                                            "hypercube:3",
                                            "ring:8",
                                            "ring:8,ports=single",
                                            "ring:8,duplex=half",
                                            "line:8,ports=single,duplex=half",
                                            "torus:2x4",
                                            "star:8",
                                            "star:8,capacity=2",
                                            "fat_tree:levels=3,capacity=constant",
                                            "fat_tree:levels=3,capacity=exponential"};
  for (const std::string& schedule : schedules) {
    for (const std::string& on : fabrics) {
      const Verdict verdict = retimed_verdict("fabric complete(8)\n" + schedule, on);
      CHECK_MESSAGE(verdict == Verdict::holds, schedule << "on " << on);
    }
  }
}

namespace {

// Whether the rules of this list of properties are kept, by the checker and by the reference.
std::string broken(const SendTable& table) {
  const Report report = check(table);
  const reference::Findings findings = reference::judge(table);
  std::string text;
  for (const auto number : {reference::well_formed, reference::contention_free, reference::capacity, reference::causal,
                            reference::queue, reference::complete}) {
    if (findings.violations[number] > 0) text += fmt::format("{} ", reference::property_names[number]);
  }
  if ((report.verdict == Verdict::holds) != text.empty()) text += "(the checker says otherwise)";
  return text;
}

std::optional<SendTable> table_of(const std::string& text, const std::optional<Fabric>& on, bool retime,
                                  std::string& messages) {
  ElaborateOptions options;
  options.fabric = on;
  options.retime = retime;
  const Compiled compiled = compile_text(text, {}, options);
  messages = compiled.messages;
  return compiled.table;
}

bool delivers(const SendTable& table) {
  const reference::Findings findings = reference::judge(table);
  return findings.violations[reference::complete] == 0 && findings.violations[reference::causal] == 0;
}

bool joins(const Fabric& fabric, const Collective& collective) {
  return collective.combining() && fabric.switches_reduce() && fabric.has_switches();
}

// Fabrics of n processors that no family of random_fabric() has: one-way links, a bus, products; and one rule or two.
std::vector<std::string> other_machines(reference::Dice& dice, std::uint32_t n) {
  std::vector<std::string> all = {fmt::format("shared_bus:hosts={}", n), fmt::format("crossbar:hosts={}", n)};
  if (n % 2 == 0) all.push_back(fmt::format("clos:m=2,n=2,r={}", n / 2));
  if (n % 2 == 0 && n > 2) all.push_back(fmt::format("product(ring:{},complete:2)", n / 2));
  if (n % 3 == 0 && n > 3) all.push_back(fmt::format("product(line:3,product(ring:{},line:1))", n / 3));
  if (std::has_single_bit(n)) all.push_back(fmt::format("de_bruijn:{}", std::countr_zero(n)));
  if (std::has_single_bit(n)) all.push_back(fmt::format("omega:{}", std::countr_zero(n)));
  if (n > 2) all.push_back(fmt::format("nvswitch:gpus={},planes=3", n));
  std::string one = dice.pick(all);
  if (dice.one_in(3)) one += ",ports=single";
  if (dice.one_in(4)) one += ",duplex=half";
  if (dice.one_in(4)) one += ",queue=none";
  return {one};
}

// The fabric without a link or two, if each still reaches each.
std::optional<Fabric> broken_somewhere(reference::Dice& dice, const Fabric& fabric) {
  std::vector<std::string> links;
  for (std::uint32_t left = dice.from_to(1, 2); left > 0; --left) {
    const Channel& channel = fabric.channel(ChannelId(dice.below(fabric.channels())));
    const char* sign = dice.one_in(3) ? "->" : "--";
    links.push_back(fabric.name(channel.from) + sign + fabric.name(channel.to));
  }
  const auto without = without_links(fabric, links);
  return without && reference::each_reaches_each(*without) ? std::optional(*without) : std::nullopt;
}

std::uint64_t deliveries() { return tests::long_run() ? 60000 : tests::share(5000); }

}  // namespace

TEST_CASE("a send waits for all that its words say, however long the way on the fabric that is written") {
  const std::string reduction =
      "fabric fat_tree(levels: 2, capacity: constant)\ncollective reduce(root: 0)\n"
      "send 3 -> 2\nthen send 2 -> 0\nthen send 1 -> 0\n";
  CHECK(retimed_verdict(reduction, "complete:4") == Verdict::holds);
  std::string messages;
  const auto product = table_of(
      "include \"ideal_broadcast\"\nparam L in 1..24 = 4\ncollective reduce(root: 0)\nreverse: broadcast(0, n)\n",
      parse_fabric({"test", "torus:4x4"}, 0).value(), true, messages);
  REQUIRE_MESSAGE(product, messages);
  CHECK(broken(*product).empty());
}

// A processor that only passes a packet on has it, too; on a fabric where the packet would not come by, it goes there.
TEST_CASE("who gets a packet in passing gets it on every fabric") {
  const std::string text =
      "fabric line(4)\ncollective broadcast(root: 0)\nsend 0 -> 2\nthen send 1 -> 3 carrying 0 -> *\n";
  for (const char* on : {"line:4", "complete:4", "star:4,ports=single", "ring:4,duplex=half"})
    CHECK_MESSAGE(retimed_verdict(text, on) == Verdict::holds, on);
}

// Two contributions cross a link that carries one packet a step, both ways together: one waits at a third processor.
TEST_CASE("contributions are kept apart by detours where they cannot be otherwise") {
  const std::string text =
      "fabric complete(4)\ncollective reduce_scatter(operation: ordered)\n"
      "for p in processors:\n  for q in {r for r in processors if r != p}: send p -> q carrying p -> q part q\n";
  CHECK(retimed_verdict(text, "complete:4,duplex=half,ports=single") == Verdict::holds);
  const std::string exchange =
      "fabric complete(3)\ncollective allreduce\nfor p in processors: send p -> (p + 1) mod 3\n"
      "for p in processors: send p -> (p + 2) mod 3\n";
  CHECK(retimed_verdict(exchange, "ring:3,duplex=half") == Verdict::holds);
}

// Nobody may join what comes before all of its own is sent: packets wait in switches, where else one would follow
// another.
TEST_CASE("all send to all at once where all join what comes, among many, too") {
  const std::string text =
      "fabric complete(40)\ncollective allreduce\nfor k in processors, d in 1..39: send k -> (k + d) mod 40\n";
  std::string messages;
  const auto fabric = parse_fabric({"test", "nvswitch:gpus=40,planes=10"}, 0, {}, language_families());
  const auto table = table_of(text, fabric.value(), true, messages);
  REQUIRE_MESSAGE(table, messages);
  CHECK(broken(*table).empty());
  CHECK(check(*table).steps <= 9);
}

TEST_CASE("what delivers on its own fabric delivers on every one where each reaches each when it is retimed") {
  std::uint64_t delivering = 0;
  std::uint64_t refused = 0;
  std::uint64_t cut = 0;
  std::uint64_t apart = 0;
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + deliveries(); ++seed) {
    reference::Dice dice(seed);
    const Fabric fabric = reference::random_fabric(dice);
    if (fabric.processors() < 2 || !reference::each_reaches_each(fabric)) continue;
    const std::string text = reference::random_delivery(dice, fabric.processors());
    std::string messages;
    const auto own = table_of(text, std::nullopt, false, messages);
    REQUIRE_MESSAGE(own, messages << text);
    if (!delivers(*own)) continue;
    ++delivering;
    std::vector<std::optional<Fabric>> targets = {fabric, std::nullopt};
    if (const auto without = broken_somewhere(dice, fabric)) targets.push_back(without), ++cut;
    if (const auto without = broken_somewhere(dice, own->fabric)) targets.push_back(without), ++cut;
    for (const std::string& notation : other_machines(dice, fabric.processors())) {
      targets.emplace_back(parse_fabric({"other", notation}, 0, {}, language_families()).value());
    }
    for (const std::optional<Fabric>& target : targets) {
      const auto placed = table_of(text, target, true, messages);
      const std::string where = target ? target->notation() : "its own fabric";
      if (!placed) {
        const bool means_it = messages.find("cannot be retimed") != std::string::npos;
        CHECK_MESSAGE(means_it, "QUADRILLE_SEED=" << seed << " on " << where << "\n" << text << messages);
        refused += messages.find("in its switches would join") == std::string::npos ? 1 : 0;
        continue;
      }
      const std::string faults = broken(*placed);
      CHECK_MESSAGE(faults.empty(), "QUADRILLE_SEED=" << seed << " on " << where << ": " << faults << "\n" << text);
      apart += joins(placed->fabric, placed->collective) ? 1 : 0;
    }
  }
  MESSAGE(fmt::format("{} tables of packets that stay apart where switches reduce", apart));
  CHECK(apart > deliveries() / 20);
  MESSAGE(fmt::format("{} schedules from seed {} deliver; {} times one is refused", delivering, first, refused));
  CHECK(delivering > deliveries() * 3 / 4);
  CHECK(cut > deliveries() / 2);
  CHECK(refused < (3 * deliveries() + cut) / 100);  // all at once over direct half-duplex links, say: it cannot be done
}
