// Complete graphs do not list their channels, and beyond some thousand processors no table by channel is made of them:
// what is compiled, placed and judged there is compared with a graph that lists the same channels.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "model/per_channel.h"
#include "model/send_table.h"
#include "model/shortest_routes.h"
#include "model/topologies/complete.h"
#include "model/topology.h"
#include "tests/compiler/compile_text.h"
#include "tests/environment.h"
#include "tests/reference/random_tables.h"
#include "verifier/bounds.h"
#include "verifier/check.h"

namespace {

using namespace quadrille;

constexpr std::uint32_t n = 2049;  // the least without tables

// The same channels and routes as those of the complete graph, in a list.
class ListedComplete final : public Topology {
 public:
  explicit ListedComplete(std::uint32_t capacity) : capacity_(capacity) {}

  std::string_view family() const override { return "listed"; }
  std::vector<TopologyArgument> arguments() const override { return {{"capacity", capacity_}}; }
  Result<Wiring> wiring(Span) const override {
    Wiring wiring;
    wiring.processors = wiring.nodes = n;
    for (std::uint32_t from = 0; from < n; ++from) {
      for (std::uint32_t to = 0; to < n; ++to) {
        if (from != to) wiring.channels.push_back({NodeId(from), NodeId(to), capacity_, 0});
      }
    }
    return wiring;
  }
  std::shared_ptr<const Routes> routes(const Fabric& fabric) const override {
    return topologies::direct_routes(fabric);
  }
  bool shortest_by_default() const override { return true; }
  bool processors_alike() const override { return true; }

 private:
  std::uint32_t capacity_;
};

// Fabrics with the same rules: unlisted, and listed.
struct Pair {
  Fabric unlisted;
  Fabric listed;
};

std::vector<Pair> pairs() {
  std::vector<Pair> all;
  for (const std::uint32_t capacity : {1U, 2U}) {
    all.push_back(
        {Fabric::make(Complete(n, capacity), {}).value(), Fabric::make(ListedComplete(capacity), {}).value()});
  }
  return all;
}

Rules random_rules(reference::Dice& dice, bool rounds = false) {
  Rules rules;
  if (dice.one_in(2)) rules.duplex = Duplex::half;
  if (dice.one_in(2)) rules.ports = Ports::single;
  if (!rounds) return rules;
  rules.timing = Timing::rounds;
  if (dice.one_in(2)) rules.paths = Paths::shared;
  return rules;
}

std::string told(const Report& report) {
  std::string text = fmt::format("{} steps, {} rows, {} messages, volume {}, {}\n", report.steps, report.rows,
                                 report.messages, report.volume.value_or(0), to_string(report.verdict));
  for (std::size_t i = 0; i < property_count; ++i) {
    text += fmt::format("{}: {} {}\n", to_string(static_cast<Property>(i)), to_string(report.properties[i].verdict),
                        report.properties[i].violations);
  }
  for (const Violation& violation : report.violations) text += violation.message + "\n";
  return text;
}

// Some right, some twice, some on lanes that are not there, between the first processors and the last ones.
std::vector<StoredRows::StepRow> random_rows(reference::Dice& dice, const Fabric& fabric) {
  const auto node = [&] { return NodeId(dice.one_in(4) ? n - 1 - dice.below(3) : dice.below(5)); };
  std::vector<StoredRows::StepRow> rows;
  for (std::uint32_t i = dice.from_to(1, 80); i > 0; --i) {
    const auto channel = fabric.channel_between(node(), node());
    if (!channel) continue;
    rows.push_back({StepId(dice.from_to(1, 4)),
                    Row{*channel, LaneId(dice.one_in(4) ? dice.below(3) : 0), ChunkId(dice.below(5))}});
  }
  return rows;
}

}  // namespace

TEST_CASE("rows on a complete graph are judged as on a graph that lists its channels") {
  const std::uint64_t first = reference::first_seed();
  const std::vector<Pair> all = pairs();
  REQUIRE(too_many_for_a_table(all[0].unlisted));
  const Collective gossip = parse_collective({"", "allgather"}, 0, n).value();
  std::set<std::string> verdicts;
  for (std::uint64_t seed = first; seed < first + (tests::sanitized ? 10 : 30); ++seed) {
    CAPTURE(seed);
    reference::Dice dice(seed);
    const Pair& pair = all[seed % 2];
    const Rules rules = random_rules(dice, dice.one_in(2));
    const Fabric unlisted = pair.unlisted.with_rules(rules);
    const auto rows = std::make_shared<StoredRows>(random_rows(dice, unlisted));
    const SendTable here{unlisted, gossip, "random", {}, rows};
    const SendTable there{pair.listed.with_rules(rules), gossip, "random", {}, rows};
    const std::string report = told(check(here));
    CHECK(report == told(check(there)));
    verdicts.insert(report);
    CHECK(best_bound(here.fabric, gossip, 0, {}).steps == best_bound(there.fabric, gossip, 0, {}).steps);
  }
  CHECK(verdicts.size() > (tests::sanitized ? 5 : 20));
}

TEST_CASE("schedules are compiled and placed on a complete graph as on a graph that lists its channels") {
  const std::string head = fmt::format("fabric complete({})\n", n);
  const std::vector<std::string> schedules = {
      "collective broadcast(root: 0)\nfor t in 0..11: at t + 1: for p in 0..min(2^t, n-2^t)-1: send p -> p + 2^t "
      "carrying 0 -> *\n",
      "collective broadcast(root: 0)\nat 1: send 0 -> {1, 2, 3, n-1} carrying 0 -> *\nfor p in 4..n-2: at p: send 0 -> "
      "p carrying 0 -> *\n",
      "collective gather(root: 0)\nfor p in 1..n-1: at 1 + p mod 7: send p -> 0\n",
      "collective scatter(root: 0)\nfor p in 1..n-1: at 1: send 0 -> p\n",
      "collective reduce(root: 0)\nfor p in 1..n-1: at 1: send p -> 0\n",
  };
  const std::vector<Pair> all = pairs();
  const std::uint64_t first = reference::first_seed();
  int compiled = 0;
  for (std::uint64_t seed = first; seed < first + (tests::sanitized ? 10 : 30); ++seed) {
    CAPTURE(seed);
    reference::Dice dice(seed);
    const Pair& pair = all[dice.below(2)];
    const Rules rules = random_rules(dice, dice.one_in(3));
    ElaborateOptions options;
    options.retime = dice.one_in(2);
    options.spread = !options.retime && dice.one_in(3);
    const std::string& text = head + schedules[seed % schedules.size()];
    options.fabric = pair.unlisted.with_rules(rules);
    const Compiled here = compile_text(text, {}, options);
    options.fabric = pair.listed.with_rules(rules);
    const Compiled there = compile_text(text, {}, options);
    REQUIRE(here.table.has_value() == there.table.has_value());
    if (!here.table) {
      INFO(here.messages);
      CHECK(here.messages.find("test.qd") == std::string::npos);
      continue;
    }
    ++compiled;
    CHECK(rows_text(*here.table) == rows_text(*there.table));
    CHECK(told(check(*here.table)) == told(check(*there.table)));
  }
  CHECK(compiled > (tests::sanitized ? 5 : 20));
}
