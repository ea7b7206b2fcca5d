// The bounds by entries into groups: on random clusters of processors, under every combination of rules, no schedule
// that ships, and none that a search finds, makes fewer steps, or less volume or load. How tight they are is counted,
// so that the test has something to say.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/compile.h"
#include "driver/inputs/context.h"
#include "driver/inputs/costs.h"
#include "driver/inputs/message_time.h"
#include "driver/inputs/notations.h"
#include "driver/search/fit.h"
#include "driver/search/known_arguments.h"
#include "driver/search/least_time.h"
#include "dsl/load.h"
#include "model/topologies/graph.h"
#include "tests/driver/memory_environment.h"
#include "tests/environment.h"
#include "tests/reference/random_tables.h"
#include "verifier/bounds.h"
#include "verifier/certificate.h"
#include "verifier/check.h"
#include "verifier/search.h"

namespace quadrille::tests::entries {
namespace {

const std::uint64_t fabrics_tried = tests::share(1200);

std::vector<std::shared_ptr<const ir::Schedule>> shipped() {
  std::vector<std::shared_ptr<const ir::Schedule>> all;
  for (const ShippedFile& file : shipped_schedules()) {
    Sources sources;
    const auto program = load({std::string(file.name), std::string(file.text)}, {}, sources);
    REQUIRE(program.ok());
    const auto schedule = compile(*program, std::string(file.name));
    REQUIRE(schedule.ok());
    all.push_back(*schedule);
  }
  return all;
}

// Clusters of processors around switches or linked directly, wide inside and narrow between, of 3 to 7 processors.
class Clusters {
 public:
  explicit Clusters(reference::Dice& dice) : dice_(dice) {}

  Graph graph() {
    graph_.processors = dice_.from_to(3, 7);
    const std::uint32_t clusters = dice_.from_to(2, std::min(4U, graph_.processors));
    std::vector<std::vector<std::uint32_t>> members(clusters);
    for (std::uint32_t p = 0; p < graph_.processors; ++p) {
      members[p < clusters ? p : dice_.below(clusters)].push_back(p);
    }
    std::vector<std::uint32_t> gates;
    for (const std::vector<std::uint32_t>& cluster : members) gates.push_back(gate_of(cluster));
    join(gates, 2);
    return std::move(graph_);
  }

 private:
  // Joins them, and returns a node that leads to the rest.
  std::uint32_t gate_of(const std::vector<std::uint32_t>& cluster) {
    if (cluster.size() == 1) return cluster.front();
    return join(cluster, 4).value_or(dice_.pick(cluster));
  }

  // Around a switch, which is returned; or all directly; or in a ring.
  std::optional<std::uint32_t> join(const std::vector<std::uint32_t>& nodes, std::uint32_t most) {
    const std::uint32_t there = dice_.from_to(1, most);
    const std::uint32_t back = dice_.one_in(3) ? dice_.from_to(1, most) : there;
    if (dice_.one_in(2)) {
      const auto middle = graph_.processors + static_cast<std::uint32_t>(graph_.switch_names.size());
      graph_.switch_names.push_back(fmt::format("s{}", middle));
      for (const std::uint32_t node : nodes) link(node, middle, there, back);
      return middle;
    }
    const bool all = dice_.one_in(2);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      for (std::size_t j = i + 1; j < nodes.size(); ++j) {
        const bool next = j == i + 1 || (i == 0 && j + 1 == nodes.size());
        if (all || next) link(nodes[i], nodes[j], there, back);
      }
    }
    return std::nullopt;
  }

  void link(std::uint32_t one, std::uint32_t other, std::uint32_t there, std::uint32_t back) {
    graph_.channels.push_back({NodeId(one), NodeId(other), there});
    graph_.channels.push_back({NodeId(other), NodeId(one), back});
  }

  reference::Dice& dice_;
  Graph graph_;
};

Rules random_rules(reference::Dice& dice) {
  Rules rules;
  rules.duplex = dice.one_in(2) ? Duplex::full : Duplex::half;
  rules.ports = dice.one_in(2) ? Ports::multi : Ports::single;
  rules.switches = dice.pick(std::vector<Switching>{Switching::copy, Switching::forward, Switching::reduce});
  rules.timing = dice.one_in(2) ? Timing::steps : Timing::rounds;
  if (rules.in_rounds()) rules.paths = dice.one_in(2) ? Paths::held : Paths::shared;
  return rules;
}

Collective random_question(reference::Dice& dice, std::uint32_t processors) {
  constexpr std::array names = {"allreduce", "allreduce", "reduce", "reduce_scatter", "broadcast", "allgather"};
  CollectiveDescription description =
      parse_collective({"", names[dice.below(names.size())]}, 0, processors).value().description();
  if (description.kind != CollectiveKind::broadcast && description.kind != CollectiveKind::allgather) {
    description.operation =
        dice.pick(std::vector<Operation>{Operation::commutative, Operation::ordered, Operation::idempotent});
  }
  description.parts = dice.from_to(1, 3);
  return Collective::make(std::move(description), processors).value();
}

const Bound* by_entries(const std::vector<Bound>& bounds) {
  const auto found = std::ranges::find(bounds, BoundKind::entries, &Bound::kind);
  return found == bounds.end() ? nullptr : &*found;
}

// What the judge says of a bound's groups, in so many steps.
CertificateVerdict judged(const SendTable& table, const GroupBorders& borders, std::uint64_t steps) {
  std::string text = fmt::format("quadrille certificate 1\nfabric {}\ncollective {}\nsteps {}\ninject many\n",
                                 table.fabric.notation(), table.collective.notation(), steps);
  text += fmt::format("evidence groups {}\n", borders.border);
  for (const GroupBorders::NamedGroup& group : borders.groups) {
    text += fmt::format("group {}: {}\n", fmt::join(group.processors, " "), fmt::join(group.channels, " "));
  }
  return judge(read_certificate({"", text}, 0).value(), {}).verdict;
}

// The judge accepts what the bound says, and no more; nothing of what the table does.
void compare_certificates(const SendTable& table, const Bound& bound, std::uint64_t measured) {
  const GroupBorders borders = bound.groups();
  CHECK(judged(table, borders, *bound.steps - 1) == CertificateVerdict::accepted);
  CHECK(judged(table, borders, *bound.steps) == CertificateVerdict::rejected);
  CHECK(judged(table, borders, measured) == CertificateVerdict::rejected);
}

struct Tally {
  std::uint64_t tables = 0;
  std::uint64_t most = 0;   // where no other bound is as large
  std::uint64_t tight = 0;  // of these, where the table takes no more
};

// The costs of a start, a hop and a byte make the bound on time one of few rounds, or of many.
void compare_times(const SendTable& table, const Report& report, reference::Dice& dice) {
  const double byte = std::ldexp(1.0, -static_cast<int>(dice.below(24)));
  const driver::Costs costs{static_cast<double>(dice.below(4)), static_cast<double>(dice.below(2)),
                            static_cast<double>(dice.from_to(1, 4)) / 4 * byte, static_cast<double>(dice.below(2))};
  const driver::LeastTime least = driver::least_time(table.fabric, table.collective, costs, {});
  for (int power = 0; power <= 30; ++power) {
    const std::uint64_t size = std::uint64_t{1} << power;
    const double seconds =
        driver::message_time(table, driver::measures_of(table.fabric, report), costs, size, {}).value();
    CHECK(least.of(size) <= seconds * (1 + 1e-9));
  }
}

void compare(const SendTable& table, reference::Dice& dice, Tally& tally) {
  const Report report = check(table);
  if (report.verdict != Verdict::holds) return;
  const bool rounds = table.fabric.in_rounds();
  const std::vector<Bound> bounds =
      rounds ? volume_bounds(table.fabric, table.collective) : lower_bounds(table.fabric, table.collective);
  const std::uint64_t measured = rounds ? *report.volume : report.steps;
  for (const Bound& bound : bounds) {
    CHECK_MESSAGE((!bound.impossible() && *bound.steps <= measured), measured << " is less than " << bound.reason);
  }
  if (report.load) {
    CHECK(driver::least_load(table.fabric, table.collective, bounds.front(), {}) <= report.load->value() * (1 + 1e-9));
  }
  if (rounds) compare_times(table, report, dice);
  const Bound* entries = by_entries(bounds);
  if (!rounds && entries != nullptr) compare_certificates(table, *entries, measured);
  ++tally.tables;
  if (bounds.front().kind != BoundKind::entries) return;
  ++tally.most;
  tally.tight += bounds.front().steps == measured;
}

driver::CollectiveOnFabric asked(const std::string& collective, const std::string& fabric) {
  driver::MemoryEnvironment environment;
  driver::Context context{environment};
  return driver::collective_on(fabric, {}, collective, context).value();
}

std::uint64_t volume_of(const std::string& collective, const std::string& fabric) {
  const auto [on, what] = asked(collective, fabric);
  const std::vector<Bound> all = volume_bounds(on, what);
  const Bound* bound = by_entries(all);
  return bound == nullptr ? 0 : *bound->steps;
}

double least_time_of(const std::string& collective, const std::string& fabric, const driver::Costs& costs,
                     std::uint64_t size) {
  const auto [on, what] = asked(collective, fabric);
  return driver::least_time(on, what, costs, {}).of(size);
}

}  // namespace

TEST_CASE("no schedule makes fewer entries than the bound, whatever the groups and the rules") {
  const std::uint64_t first = reference::first_seed();
  const auto schedules = shipped();
  Tally compared;
  Tally searched;
  for (std::uint64_t seed = first; seed < first + fabrics_tried; ++seed) {
    reference::Dice dice(seed);
    const Graph graph = Clusters(dice).graph();
    const Fabric fabric = Fabric::make(graph, random_rules(dice)).value();
    const Collective asked = random_question(dice, fabric.processors());
    INFO("QUADRILLE_SEED=" << seed << " " << fabric.notation() << " " << asked.notation());
    for (const auto& schedule : schedules) {
      if (!driver::may_serve(schedule->collective.kind, asked)) continue;
      ElaborateOptions options;
      options.fabric = fabric;
      options.retime = dice.one_in(2);
      Result<SendTable> table = driver::elaborate_serving(schedule, driver::arguments_for(*schedule, fabric, asked, {}),
                                                          asked, driver::ChunkCount::any, options);
      if (!table) continue;
      table->claims.clear();
      table->invariants.clear();
      INFO(table->schedule);
      compare(*table, dice, compared);
    }
    if (fabric.processors() > 4 || !dice.one_in(2)) continue;
    SearchOptions options;
    options.limits = Limits().within(std::chrono::milliseconds(300));
    const SearchResult found = search(fabric, asked, {}, options);
    if (found.table) compare(*found.table, dice, searched);
  }
  MESSAGE(fmt::format(
      "{} tables that ship from seed {}: the bound is the largest for {}, and met by {}; {} that are "
      "found: {} and {}",
      compared.tables, first, compared.most, compared.tight, searched.tables, searched.most, searched.tight));
  CHECK(compared.tables > fabrics_tried);
  CHECK(compared.most > fabrics_tried / 10);
  CHECK(compared.tight > 0);
}

TEST_CASE("eight servers on rails exchange a value with 14 entries, 64 at once") {
  CHECK(volume_of("allreduce:parts=64", "dgx_h100_rails:servers=8,timing=rounds") == 14);
  CHECK(volume_of("reduce_scatter", "dgx_h100_rails:servers=8,timing=rounds") == 7);
  const double seconds =
      least_time_of("allreduce", "dgx_h100_rails:servers=8,timing=rounds,paths=shared", {0, 0}, std::uint64_t{1} << 30);
  CHECK(seconds == doctest::Approx(14.0 * (1 << 30) / (64 * 50e9)).epsilon(0.002));  // 4.70 ms, and latencies
}

TEST_CASE("four servers on rails exchange a message in four rounds, or carry more") {
  const auto least = [](std::uint64_t size) {
    return least_time_of("allreduce", "dgx_h100_rails:servers=4,timing=rounds,paths=shared", {5e-6, 0}, size);
  };
  constexpr std::uint64_t mebi = std::uint64_t{1} << 20;
  const auto rails = [](double entries, std::uint64_t size) {
    return entries * static_cast<double>(size) / (32 * 50e9);
  };
  // The links' own latencies come to 2.5 us at most.
  const auto is_about = [](double seconds, double least) { return least <= seconds && seconds <= least + 2.5e-6; };
  CHECK(is_about(least(mebi / 16), 2 * 5e-6 + rails(32, mebi / 16)));
  CHECK(is_about(least(mebi), 3 * 5e-6 + rails(12, mebi)));
  CHECK(least(16 * mebi) >= 4 * 5e-6 + rails(6, 16 * mebi));
}

TEST_CASE("a reduction is a broadcast backwards") {
  const auto least = [](const std::string& collective, double start) {
    return least_time_of(collective, "star:3,switches=forward,timing=rounds", {start, 0, 1}, 300);
  };
  for (const double start : {200.0, 5.0, 0.0}) CHECK(least("reduce", start) == least("broadcast", start));
}

TEST_CASE("no bound by entries where one row may be several of them") {
  const std::string rails = "dgx_h100_rails:servers=8,timing=rounds";
  CHECK(volume_of("allreduce:parts=64", rails + ",switches=forward") == 14);
  CHECK(volume_of("allreduce:parts=64", rails + ",switches=reduce") == 0);
  CHECK(volume_of("allreduce:parts=64", "ring:8,switches=reduce,ports=single,timing=rounds") == 0);  // transfers
  CHECK(volume_of("broadcast", rails) == 0);
  CHECK(volume_of("scatter", rails) == 0);
}

TEST_CASE("half duplex counts both borders that an entry crosses") {
  // 2 · 2 · 7 crossings of the 8 links, which carry both what comes to their processors and what leaves them.
  CHECK(volume_of("allreduce:parts=8", "star:8,duplex=half,timing=rounds") == 28);
  CHECK(volume_of("reduce_scatter", "star:8,duplex=half,timing=rounds") == 14);
  CHECK(volume_of("allgather", "star:8,duplex=half,switches=forward,timing=rounds") == 14);
}

TEST_CASE("what the root of a broadcast sends in the last round comes too late to be passed on") {
  const std::string three = "star:3,switches=forward,timing=rounds";
  const auto least = [&](double start) { return least_time_of("broadcast", three, {start, 0, 1}, 300); };
  CHECK(least(200) == doctest::Approx(2 * 200 + 400));          // two rounds of 200 s
  CHECK(least(5) == doctest::Approx(6 * 5 + 300 * 12.0 / 11));  // six: five or seven are no better
  CHECK(least(0) == doctest::Approx(300));
  CHECK(least_time_of("broadcast", "star:3,timing=rounds", {200, 0, 1}, 300) < 600);
}

}  // namespace quadrille::tests::entries
