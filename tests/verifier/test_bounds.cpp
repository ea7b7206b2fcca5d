// Lower bounds: the papers' numbers, and no schedule that the checker accepts beats one.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <string>

#include "model/topologies/complete.h"
#include "model/topologies/fat_tree.h"
#include "model/topologies/graph.h"
#include "model/topologies/grid.h"
#include "model/topologies/star.h"
#include "tests/verifier/hand_tables.h"
#include "verifier/bounds.h"
#include "verifier/check.h"

namespace quadrille::tests {
namespace {

Fabric constant_tree(std::uint32_t levels) { return binary_tree(std::vector<std::uint32_t>(levels, 1)); }

Fabric exponential_tree(std::uint32_t levels) {
  std::vector<std::uint32_t> capacities;
  for (std::uint32_t level = 1; level <= levels; ++level) capacities.push_back(1U << (level - 1));
  return binary_tree(capacities);
}

Fabric ring(std::uint32_t processors, Rules rules) {
  return Fabric::make(Grid("ring", {processors}, 1), rules).value();
}

Rules rules_of(Duplex duplex, Ports ports) {
  Rules rules;
  rules.duplex = duplex;
  rules.ports = ports;
  return rules;
}

std::uint64_t largest(const Fabric& fabric, CollectiveKind kind, std::uint32_t root = 0) {
  return lower_bounds(fabric, collective(kind, fabric.processors(), root)).front().steps.value();
}

// The bound of this kind; 0 if it is not given.
std::uint64_t bound_of(BoundKind bound_kind, const Fabric& fabric, CollectiveKind kind) {
  for (const Bound& bound : lower_bounds(fabric, collective(kind, fabric.processors()))) {
    if (bound.kind == bound_kind) return bound.steps.value();
  }
  return 0;
}

TEST_CASE("Table 1: broadcasting takes twice the height of the tree; reducing as long") {
  for (std::uint32_t levels = 1; levels <= 10; ++levels) {
    CHECK(largest(constant_tree(levels), CollectiveKind::broadcast) == 2 * levels);
    CHECK(largest(constant_tree(levels), CollectiveKind::reduce) == 2 * levels);
    CHECK(largest(constant_tree(levels), CollectiveKind::allreduce) == 2 * levels);
  }
}

TEST_CASE("Table 1: n + 1 for scattering, gathering and multinode broadcasting, which is exact; 2 for n = 2") {
  for (const auto kind : {CollectiveKind::scatter, CollectiveKind::gather, CollectiveKind::allgather}) {
    CHECK(largest(constant_tree(1), kind) == 2);
    for (std::uint32_t levels = 2; levels <= 10; ++levels) {
      CHECK(largest(constant_tree(levels), kind) == (1U << levels) + 1);
    }
  }
  CHECK(largest(constant_tree(4), CollectiveKind::scatter, 5) == 17);
  CHECK(largest(constant_tree(4), CollectiveKind::reduce_scatter) == 17);  // every sum that others want must go out
}

TEST_CASE("Table 1: n + 1 and n^2 / 4c for total exchange; never n + 1 for n = 2") {
  CHECK(largest(constant_tree(1), CollectiveKind::total_exchange) == 2);
  for (std::uint32_t levels = 2; levels <= 8; ++levels) {
    const std::uint64_t n = std::uint64_t{1} << levels;
    CHECK(bound_of(BoundKind::receptions, exponential_tree(levels), CollectiveKind::total_exchange) == n + 1);
    CHECK(bound_of(BoundKind::sends, exponential_tree(levels), CollectiveKind::total_exchange) == n + 1);
    CHECK(bound_of(BoundKind::cut, constant_tree(levels), CollectiveKind::total_exchange) == n * n / 4);
  }
  CHECK(bound_of(BoundKind::cut, binary_tree({1, 3}), CollectiveKind::total_exchange) == 3);      // level 1: 1 * 3 / 1
  CHECK(bound_of(BoundKind::cut, binary_tree({1, 1, 3}), CollectiveKind::total_exchange) == 12);  // level 2: 2 * 6 / 1
}

TEST_CASE("Lemma 3: at least the paper's closed form, at most the steps of the paper's algorithm") {
  for (std::uint32_t levels = 1; levels <= 16; ++levels) {
    const std::uint64_t n = std::uint64_t{1} << levels;
    const std::uint64_t algorithm = n + 2 * levels - 2;
    const Fabric tree = exponential_tree(levels);
    CHECK(largest(tree, CollectiveKind::total_exchange) <= algorithm);
    if (levels != 4 && levels != 8 && levels != 16) continue;
    const double lemma = static_cast<double>(n) + 2.0 * levels - 2.0 * std::log2(levels) - 2.0;
    CHECK(bound_of(BoundKind::holes, tree, CollectiveKind::total_exchange) >=
          static_cast<std::uint64_t>(std::floor(lemma)));
  }
  // The constant tree's algorithm, (n^2 - 1) / 3 + 2 log n - 1, is not beaten either.
  for (std::uint32_t levels = 1; levels <= 8; ++levels) {
    const std::uint64_t n = std::uint64_t{1} << levels;
    CHECK(largest(constant_tree(levels), CollectiveKind::total_exchange) <= (n * n - 1) / 3 + 2 * levels - 1);
  }
}

// The papers' formulas for this case, by the names of our bounds that they stand beside.
std::map<BoundKind, PaperFormula> formulas(const Fabric& fabric, const Collective& what) {
  std::map<BoundKind, PaperFormula> all;
  for (const Bound& bound : lower_bounds(fabric, what)) {
    if (bound.paper) all[bound.kind] = *bound.paper;
  }
  return all;
}

std::map<BoundKind, PaperFormula> formulas(const Fabric& fabric, CollectiveKind kind) {
  return formulas(fabric, collective(kind, fabric.processors()));
}

TEST_CASE("hops beyond counting give no bound, not a wrong one") {
  const CollectiveDescription much{.kind = CollectiveKind::total_exchange, .parts = 0xffffffff, .chunks = {}};
  const std::vector<Bound> bounds = lower_bounds(ring(9000, {}), Collective::make(much, 9000).value());
  CHECK(
      std::none_of(bounds.begin(), bounds.end(), [](const Bound& bound) { return bound.kind == BoundKind::traffic; }));
}

TEST_CASE("what is impossible comes before every number of steps") {
  Graph pair_and_one{3, {}, {{NodeId{0}, NodeId{1}}, {NodeId{1}, NodeId{0}}}};
  const Fabric fabric = Fabric::make(std::move(pair_and_one), {}).value();
  const CollectiveDescription much{.kind = CollectiveKind::total_exchange, .parts = 0xffffffff, .chunks = {}};
  const std::vector<Bound> bounds = lower_bounds(fabric, Collective::make(much, 3).value());
  CHECK(bounds.front().impossible());
  CHECK(bounds[1].steps.value() > max_step);
}

TEST_CASE("the paper's formulas never exceed our bound beside them") {
  for (std::uint32_t levels = 1; levels <= 12; ++levels) {
    for (const Fabric& fabric : {constant_tree(levels), exponential_tree(levels)}) {
      for (const auto kind : {CollectiveKind::broadcast, CollectiveKind::scatter, CollectiveKind::gather,
                              CollectiveKind::allgather, CollectiveKind::total_exchange}) {
        for (const Bound& bound : lower_bounds(fabric, collective(kind, fabric.processors()))) {
          if (bound.paper) CHECK(static_cast<double>(bound.steps.value()) >= bound.paper->value);
        }
      }
    }
  }
}

TEST_CASE("the paper's formulas stand beside our bound from the same argument") {
  CHECK(formulas(constant_tree(4), CollectiveKind::broadcast).at(BoundKind::distance).value == 8);
  CHECK(formulas(constant_tree(4), CollectiveKind::scatter).at(BoundKind::sends).value == 17);
  CHECK(formulas(constant_tree(4), CollectiveKind::gather).at(BoundKind::receptions).value == 17);
  CHECK(formulas(constant_tree(4), CollectiveKind::allgather).at(BoundKind::receptions).value == 17);
  CHECK(formulas(constant_tree(4), CollectiveKind::total_exchange).at(BoundKind::cut).value == 64);
  const auto exchange = formulas(exponential_tree(4), CollectiveKind::total_exchange);
  CHECK(exchange.at(BoundKind::receptions).value == 17);
  CHECK(exchange.at(BoundKind::holes).value == 18);
  CHECK(exchange.size() == 2);
  CHECK(formulas(exponential_tree(3), CollectiveKind::total_exchange).at(BoundKind::holes).value ==
        doctest::Approx(8.83).epsilon(0.001));
}

// Lemma 3's question (§5.1): the schedule that ships as total_exchange_shortest takes just as many steps.
TEST_CASE("total exchange on exponential capacities takes n + 2 log n - 3 steps from n = 8 on") {
  CHECK(largest(exponential_tree(1), CollectiveKind::total_exchange) == 2);
  CHECK(largest(exponential_tree(2), CollectiveKind::total_exchange) == 6);
  for (std::uint32_t levels = 3; levels <= 14; ++levels) {
    CHECK(largest(exponential_tree(levels), CollectiveKind::total_exchange) == (1U << levels) + 2 * levels - 3);
  }
}

TEST_CASE("nothing is said where the paper's formulas are not stated, nor where one is false") {
  for (const auto kind : {CollectiveKind::scatter, CollectiveKind::gather, CollectiveKind::allgather}) {
    CHECK(formulas(constant_tree(1), kind).empty());     // n + 1 = 3, but 2 steps do
    CHECK(formulas(binary_tree({2, 2}), kind).empty());  // two links at each processor
  }
  CHECK(formulas(constant_tree(1), CollectiveKind::total_exchange).size() == 1);  // Lemma 3: 2
  CHECK(formulas(binary_tree({2, 4}), CollectiveKind::total_exchange).empty());
  CHECK(formulas(constant_tree(3), CollectiveKind::reduce).empty());
  CHECK(formulas(ring(8, {}), CollectiveKind::broadcast).empty());
  CHECK(formulas(Fabric::make(FatTree(3, {1, 1}), {}).value(), CollectiveKind::scatter).empty());
  for (const Rules& rules : {rules_of(Duplex::half, Ports::multi), rules_of(Duplex::full, Ports::single)}) {
    CHECK(formulas(binary_tree({1, 1}, rules), CollectiveKind::scatter).empty());
  }
  const CollectiveDescription two_parts{.kind = CollectiveKind::scatter, .parts = 2, .chunks = {}};
  CHECK(formulas(constant_tree(2), Collective::make(two_parts, 4).value()).empty());
}

TEST_CASE("single-port multinode broadcasting: the optimal times of rings") {
  for (std::uint32_t n = 4; n <= 12; ++n) {
    const Fabric full = ring(n, rules_of(Duplex::full, Ports::single));
    const Fabric half = ring(n, rules_of(Duplex::half, Ports::single));
    CHECK(largest(full, CollectiveKind::allgather) == n - 1);
    CHECK(largest(half, CollectiveKind::allgather) == (n % 2 == 0 ? 2 * (n - 1) : 2 * n));
  }
}

TEST_CASE("grids: half must cross to half") {
  const Fabric line = Fabric::make(Grid("line", {8}, 1), {}).value();
  CHECK(bound_of(BoundKind::cut, line, CollectiveKind::total_exchange) == 16);
  const Fabric mesh = Fabric::make(Grid("mesh", {4, 6}, 1), {}).value();
  CHECK(bound_of(BoundKind::cut, mesh, CollectiveKind::total_exchange) == 36);  // 12 * 12 over 4
  CHECK(bound_of(BoundKind::distance, mesh, CollectiveKind::total_exchange) == 8);
}

TEST_CASE("custom chunks come from the nearest holder, and go where there is a way") {
  const auto custom = [](std::vector<std::uint32_t> held_by, std::vector<std::uint32_t> wanted_by) {
    CollectiveDescription description;
    description.kind = CollectiveKind::custom;
    description.chunks = {{ChunkName{0, std::nullopt, 0}, std::move(held_by), std::move(wanted_by)}};
    return Collective::make(std::move(description), 8).value();
  };
  CHECK(lower_bounds(constant_tree(3), custom({0, 6}, {7})).front().steps == 2);
  CHECK(lower_bounds(constant_tree(3), custom({0}, {1, 7})).front().steps == 6);
  CHECK(lower_bounds(constant_tree(3), custom({0, 1}, {1})).front().steps == 0);
  const auto apart = Fabric::make(Graph(8, {}, {}), {});
  if (apart.ok()) {
    const Bound impossible = lower_bounds(apart.value(), custom({0}, {7})).front();
    CHECK_FALSE(impossible.steps);
    CHECK(impossible.reason.starts_with("impossible"));
  }
}

TEST_CASE("nothing to do takes no steps") {
  const Fabric one = Fabric::make(Star(1, 1), {}).value();
  for (const auto kind : {CollectiveKind::broadcast, CollectiveKind::total_exchange, CollectiveKind::allreduce,
                          CollectiveKind::prefix, CollectiveKind::reduce_scatter, CollectiveKind::scatter}) {
    CHECK(largest(one, kind) == 0);
  }
}

// --- random schedules ------------------------------------------------------------------------------------------------

// Lets every channel carry, in every step, random chunks that its tail has and its head lacks, until all demands are
// met. Rules are kept. Wasteful, but on small fabrics the best of many comes near the optimum.
class RandomFlood {
 public:
  RandomFlood(const Fabric& fabric, const Collective& collective, std::uint32_t seed)
      : fabric_(fabric), collective_(collective), random_(seed) {
    for (std::uint64_t id = 0; id < collective.chunk_ids(); ++id) {
      for (std::uint32_t p = 0; p < fabric.processors(); ++p) {
        if (collective.starts_at(ChunkId{id}, NodeId{p})) has_.insert({id, p});
      }
    }
  }

  SendTable run() {
    for (std::uint32_t step = 1; !done(); ++step) send(step);
    return {fabric_, collective_, "random", {}, std::make_shared<StoredRows>(std::move(rows_))};
  }

 private:
  using Place = std::pair<std::uint64_t, std::uint32_t>;  // (chunk, node)

  bool done() const {
    for (std::uint64_t number = 0; number < collective_.demands(); ++number) {
      const auto [chunk, processor] = collective_.demand_at(number);
      if (!has_.contains({chunk.value, processor.value})) return false;
    }
    return true;
  }

  // Whether the rules let one more packet cross; if so it is counted.
  bool allowed(ChannelId id) {
    const Channel& channel = fabric_.channel(id);
    const bool half = fabric_.rules().duplex == Duplex::half;
    if (on_channel_[id.value] >= channel.capacity) return false;
    const auto back = half ? fabric_.channel_between(channel.to, channel.from) : std::nullopt;
    const std::uint32_t both = fabric_.channel(std::min(id, back.value_or(id))).capacity;
    if (back && on_channel_[id.value] + on_channel_[back->value] >= both) return false;
    if (fabric_.rules().ports == Ports::single) {
      const bool busy = sends_[channel.from.value] || receives_[channel.to.value] ||
                        (half && (receives_[channel.from.value] || sends_[channel.to.value]));
      if (busy) return false;
      sends_[channel.from.value] = fabric_.is_processor(channel.from);
      receives_[channel.to.value] = fabric_.is_processor(channel.to);
    }
    ++on_channel_[id.value];
    return true;
  }

  void send(std::uint32_t step) {
    on_channel_.assign(fabric_.channels(), 0);
    sends_.assign(fabric_.nodes(), false);
    receives_.assign(fabric_.nodes(), false);
    std::vector<std::pair<ChannelId, std::uint64_t>> hops;
    for (const auto& [chunk, node] : has_) {
      for (const ChannelId id : fabric_.channels_from(NodeId{node})) {
        if (!has_.contains({chunk, fabric_.channel(id).to.value})) hops.emplace_back(id, chunk);
      }
    }
    std::shuffle(hops.begin(), hops.end(), random_);
    std::set<Place> arrived;
    for (const auto& [id, chunk] : hops) {
      const Place place{chunk, fabric_.channel(id).to.value};
      if (arrived.contains(place) || !allowed(id)) continue;
      arrived.insert(place);
      rows_.push_back({StepId{step}, Row{id, LaneId{on_channel_[id.value] - 1}, ChunkId{chunk}}});
    }
    has_.insert(arrived.begin(), arrived.end());
  }

  Fabric fabric_;
  Collective collective_;
  std::mt19937 random_;
  std::set<Place> has_;
  std::vector<StoredRows::StepRow> rows_;
  std::vector<std::uint32_t> on_channel_;
  std::vector<bool> sends_;
  std::vector<bool> receives_;
};

TEST_CASE("no random schedule that the checker accepts beats a bound") {
  std::vector<Fabric> fabrics;
  for (const Rules& rules : {Rules{}, rules_of(Duplex::half, Ports::multi), rules_of(Duplex::full, Ports::single),
                             rules_of(Duplex::half, Ports::single)}) {
    fabrics.push_back(binary_tree({1}, rules));
    fabrics.push_back(binary_tree({1, 1}, rules));
    fabrics.push_back(binary_tree({1, 2}, rules));
    fabrics.push_back(ring(3, rules));
    fabrics.push_back(ring(4, rules));
    fabrics.push_back(Fabric::make(Grid("mesh", {2, 3}, 1), rules).value());
    fabrics.push_back(Fabric::make(Star(3, 2), rules).value());
    fabrics.push_back(Fabric::make(Complete(4, 1), rules).value());
    Graph one_way{4, {"in", "out"}, {}};  // a circle, and a bus by way of the switches
    for (std::uint32_t p = 0; p < 4; ++p) {
      one_way.channels.push_back({NodeId{p}, NodeId{(p + 1) % 4}, 1 + p % 2});
      one_way.channels.push_back({NodeId{p}, NodeId{4}});
      one_way.channels.push_back({NodeId{5}, NodeId{p}});
    }
    one_way.channels.push_back({NodeId{4}, NodeId{5}, 2});
    one_way.channels.push_back({NodeId{1}, NodeId{0}, 2});
    fabrics.push_back(Fabric::make(std::move(one_way), rules).value());
  }
  for (const Fabric& fabric : fabrics) {
    for (const auto kind : {CollectiveKind::broadcast, CollectiveKind::scatter, CollectiveKind::gather,
                            CollectiveKind::allgather, CollectiveKind::total_exchange}) {
      const bool rooted = kind != CollectiveKind::allgather && kind != CollectiveKind::total_exchange;
      const Collective what = collective(kind, fabric.processors(), rooted ? 1 : 0);
      const std::vector<Bound> bounds = lower_bounds(fabric, what);
      for (std::uint32_t seed = 0; seed < 10; ++seed) {
        const Report report = check(RandomFlood(fabric, what, seed).run());
        REQUIRE(report.verdict == Verdict::holds);
        INFO(fabric.notation() << " " << what.notation() << ": " << to_string(bounds.front().kind) << ", "
                               << bounds.front().reason);
        CHECK(report.steps >= bounds.front().steps);
      }
    }
  }
}

TEST_CASE("in half duplex, what shared paths bring counts by the capacity of the link, whichever way it comes") {
  Rules rules = rules_of(Duplex::half, Ports::multi);
  rules.timing = Timing::rounds;
  rules.paths = Paths::shared;
  const Fabric fabric =
      Fabric::make(Graph{2, {}, {{NodeId(0), NodeId(1), 3}, {NodeId(1), NodeId(0), 1}}}, rules).value();
  CollectiveDescription scatter{.kind = CollectiveKind::scatter, .root = 1, .parts = 2, .chunks = {}};
  CHECK(volume_bounds(fabric, Collective::make(scatter, 2).value()).front().steps == 1);
}

TEST_CASE("bounds on volume grow with the parts, up to as many as have names") {
  Rules rules = rules_of(Duplex::full, Ports::multi);
  rules.timing = Timing::rounds;
  rules.paths = Paths::shared;
  Graph graph{4, {}, {}};
  for (std::uint32_t p = 0; p < 4; ++p) {
    for (const std::uint32_t d : {1U, 3U}) graph.channels.push_back({NodeId(p), NodeId((p + d) % 4), 1});
  }
  const Fabric fabric = Fabric::make(std::move(graph), rules).value();
  for (const CollectiveKind kind : {CollectiveKind::allreduce, CollectiveKind::reduce, CollectiveKind::broadcast,
                                    CollectiveKind::allgather, CollectiveKind::total_exchange}) {
    const auto least = [&](std::uint32_t parts) -> std::optional<std::uint64_t> {
      const auto what = Collective::make({.kind = kind, .root = 0, .parts = parts, .chunks = {}}, 4);
      return what ? volume_bounds(fabric, *what).front().steps : std::nullopt;
    };
    constexpr std::uint32_t few = 1024;
    for (std::uint32_t parts = std::uint32_t{1} << 31U; parts > few; parts /= 2) {
      const auto many = least(parts);
      if (!many) continue;
      CAPTURE(kind);
      CAPTURE(parts);
      CHECK(*many > (*least(few) - 1) * (parts / few));
    }
  }
}

}  // namespace
}  // namespace quadrille::tests
