// The schedules of multi-node broadcast on a wormhole torus: every phase keeps to channels of its own, whatever nodes
// the messages are at, for every n up to 12 (32 in the long tests) and every h that divides n; and what is claimed of
// them.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/compile.h"
#include "dsl/load.h"
#include "tests/environment.h"
#include "tests/reference/compiled.h"
#include "tests/reference/random_tables.h"
#include "verifier/check.h"

namespace {

using namespace quadrille;

using Nodes = std::vector<std::uint32_t>;

const std::vector<std::string> phases = {"wormhole_aggregation", "wormhole_balancing", "wormhole_alignment",
                                         "wormhole_multinode_broadcast"};

std::shared_ptr<const ir::Schedule> shipped(const std::string& name) {
  const auto compiled = reference::compiled(std::string(shipped_schedule(name)->text), name);
  REQUIRE_MESSAGE(compiled.schedule, compiled.errors);
  return compiled.schedule;
}

// Nodes (i, j) of an n x n torus for which a condition holds.
template <typename Condition>
Nodes where(std::uint32_t n, const Condition& condition) {
  Nodes nodes;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < n; ++j) {
      if (condition(i, j)) nodes.push_back(i * n + j);
    }
  }
  return nodes;
}

// Dense, sparse and adversarial ones.
std::map<std::string, Nodes> source_sets(std::uint32_t n, std::uint32_t h, reference::Dice& dice) {
  std::map<std::string, Nodes> sets;
  sets["all"] = where(n, [](auto, auto) { return true; });
  sets["one"] = {n * n - 1};
  sets["one network"] = where(n, [&](auto i, auto j) { return i % h == h - 1 && j % h == h - 1; });
  sets["main diagonal"] = where(n, [](auto i, auto j) { return i == j; });
  sets["other diagonal"] = where(n, [&](auto i, auto j) { return i + j == n - 1; });
  sets["row"] = where(n, [&](auto i, auto) { return i == n / 2; });
  sets["column"] = where(n, [&](auto, auto j) { return j == n - 1; });
  sets["a block"] = where(n, [&](auto i, auto j) { return i < h && j < h; });
  for (const std::uint64_t rarity : {2U, 9U}) {
    sets[fmt::format("one in {}", rarity)] = where(n, [&](auto, auto) { return dice.below(rarity) == 0; });
  }
  return sets;
}

std::optional<SendTable> table_of(const std::shared_ptr<const ir::Schedule>& schedule, std::uint32_t n, std::uint32_t h,
                                  const Nodes& sources, const std::string& ways = "1") {
  Arguments arguments = {{"n", std::to_string(n)}, {"sources", fmt::format("{{{}}}", fmt::join(sources, ","))}};
  arguments["h"] = std::to_string(h);
  if (ways != "1") arguments["ways"] = ways;
  const auto table = elaborate(schedule, arguments);
  REQUIRE_MESSAGE(table, table.diagnostics().front().message);
  return *table;
}

std::string wrong_in(const SendTable& table) {
  const Report report = check(table);
  if (report.verdict == Verdict::holds) return {};
  std::string text(to_string(report.verdict));
  for (const Violation& violation : report.violations) text += "\n" + violation.message;
  return text;
}

std::uint32_t largest() { return tests::long_run() ? 32 : tests::brief ? 6 : 12; }

template <typename Each>
void for_each_instance(const Each& each) {
  const std::uint64_t seed = reference::first_seed();
  INFO("QUADRILLE_SEED=" << seed);
  reference::Dice dice(seed);
  for (std::uint32_t n = 2; n <= largest(); ++n) {
    for (std::uint32_t h = 1; h <= n; ++h) {
      if (n % h != 0) continue;
      for (const auto& [name, sources] : source_sets(n, h, dice)) each(n, h, name, sources);
    }
  }
}

}  // namespace

TEST_CASE("every phase on a wormhole torus holds, from any sources") {
  std::size_t checked = 0;
  for (const std::string& phase : phases) {
    const auto schedule = shipped(phase);
    for_each_instance([&](std::uint32_t n, std::uint32_t h, const std::string& name, const Nodes& sources) {
      for (const char* ways : {"1", "2"}) {
        if (phase != phases.back() && *ways != '1') continue;
        const std::string wrong = wrong_in(*table_of(schedule, n, h, sources, ways));
        CHECK_MESSAGE(wrong.empty(),
                      phase << " n=" << n << " h=" << h << " ways=" << ways << " " << name << ": " << wrong);
        ++checked;
      }
    });
  }
  MESSAGE(checked << " tables");
  CHECK(checked > 400);
}

// From what the table has to bring about alone: the schedule's own count of sources is not asked.
TEST_CASE("balancing gives no network of the torus two messages more than another") {
  const auto schedule = shipped("wormhole_balancing");
  for_each_instance([&](std::uint32_t n, std::uint32_t h, const std::string& name, const Nodes& sources) {
    const SendTable table = *table_of(schedule, n, h, sources);
    Nodes loads(h);
    for (const CustomChunk& chunk : table.collective.description().chunks) {
      REQUIRE(chunk.wanted_by.size() == 1);
      const std::uint32_t i = chunk.wanted_by.front() / n;
      const std::uint32_t j = chunk.wanted_by.front() % n;
      CHECK(i % h == j % h);
      ++loads[i % h];
    }
    const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
    CHECK_MESSAGE(*most - *least <= 1, "n=" << n << " h=" << h << " " << name);
  });
}

TEST_CASE("control messages of the prefix sum on a wormhole torus hold: as many rounds as Lemma 2 counts") {
  const auto schedule = shipped("wormhole_prefix_sum");
  for (std::uint32_t n = 2; n <= (tests::brief ? 8U : 64U); ++n) {
    for (std::uint32_t h = 1; h <= n; ++h) {
      if (n % h != 0) continue;
      const auto table = elaborate(schedule, {{"n", std::to_string(n)}, {"h", std::to_string(h)}});
      REQUIRE(table);
      const std::string wrong = wrong_in(*table);
      CHECK_MESSAGE(wrong.empty(), "n=" << n << " h=" << h << ": " << wrong);
    }
  }
}

// Nodes of the diagonals in the order in which the trees of wormhole_prefix_sum can sum up: a node between its
// children.
class InOrder {
 public:
  InOrder(const SendTable& control, std::uint32_t n, std::uint32_t h) : n_(n), h_(h) {
    for (const CustomChunk& chunk : control.collective.description().chunks) {
      if (chunk.name.part != 0) continue;
      children_[chunk.wanted_by.front()].push_back(chunk.name.origin);
    }
    visit(n / 2 * n + n / 2);
  }
  const Nodes& nodes() const { return nodes_; }

 private:
  // Diagonals below the main one, from -side/2 on.
  int slant(std::uint32_t node) const {
    const std::uint32_t side = n_ / h_;
    return static_cast<int>(((node / n_ + n_ - node % n_) / h_ + side / 2) % side) - static_cast<int>(side / 2);
  }
  // Children on other diagonals come between those along the main one: each node there stands for all below it.
  void visit(std::uint32_t node) {
    Nodes& children = children_[node];
    std::sort(children.begin(), children.end(), [this](std::uint32_t one, std::uint32_t other) {
      return std::pair(slant(one), one) < std::pair(slant(other), other);
    });
    for_those(children, [&](std::uint32_t child) { return along(child) && child < node; });
    for_those(children, [&](std::uint32_t child) { return !along(child) && slant(child) < slant(node); });
    nodes_.push_back(node);
    for_those(children, [&](std::uint32_t child) { return !along(child) && slant(child) > slant(node); });
    for_those(children, [&](std::uint32_t child) { return along(child) && child > node; });
  }
  template <typename Condition>
  void for_those(const Nodes& children, const Condition& condition) {
    for (const std::uint32_t child : children) {
      if (condition(child)) visit(child);
    }
  }
  bool along(std::uint32_t node) const { return slant(node) == 0; }

  std::uint32_t n_;
  std::uint32_t h_;
  std::map<std::uint32_t, Nodes> children_;
  Nodes nodes_;
};

// With at most h messages, at nodes of the diagonals, message x goes to network x: so the numbers show.
TEST_CASE("messages on a wormhole torus are numbered as the trees of the prefix sum add up") {
  const auto balancing = shipped("wormhole_balancing");
  const auto control = shipped("wormhole_prefix_sum");
  reference::Dice dice(reference::first_seed());
  for (std::uint32_t n = 2; n <= 20; ++n) {
    for (std::uint32_t h = 1; h <= n; ++h) {
      if (n % h != 0) continue;
      const InOrder order(*elaborate(control, {{"n", std::to_string(n)}, {"h", std::to_string(h)}}), n, h);
      REQUIRE(order.nodes().size() == n * n / h);
      Nodes sources;
      for (std::uint32_t i = 0; i < h; ++i) sources.push_back(order.nodes()[dice.below(order.nodes().size())]);
      std::sort(sources.begin(), sources.end());
      sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
      const SendTable table = *table_of(balancing, n, h, sources);
      std::map<std::uint32_t, std::uint32_t> network;
      for (const CustomChunk& chunk : table.collective.description().chunks)
        network[chunk.name.origin] = chunk.wanted_by.front() / n % h;
      std::uint32_t number = 0;
      for (const std::uint32_t node : order.nodes()) {
        if (network.contains(node)) CHECK_MESSAGE(network[node] == number++, "n=" << n << " h=" << h);
      }
      CHECK(number == sources.size());
    }
  }
}

TEST_CASE("four arc-disjoint spanning trees of a torus carry messages from any sources, in blocks of any size") {
  const auto schedule = shipped("wormhole_spanning_trees");
  reference::Dice dice(reference::first_seed());
  for (std::uint32_t n = 3; n <= (tests::long_run() ? 16U : std::min(largest(), 8U)); ++n) {
    for (const auto& set : source_sets(n, n, dice)) {
      const std::string& name = set.first;
      const Nodes& sources = set.second;
      for (const char* block : {"1", "3", ""}) {
        Arguments arguments = {{"n", std::to_string(n)}, {"sources", fmt::format("{{{}}}", fmt::join(sources, ","))}};
        if (*block != '\0') arguments["block"] = block;
        const auto table = elaborate(schedule, arguments);
        REQUIRE(table);
        const std::string wrong = wrong_in(*table);
        CHECK_MESSAGE(wrong.empty(), "n=" << n << " " << name << " block=" << block << ": " << wrong);
      }
    }
  }
}
