// The bound on what few rounds carry (bounds/entries.cpp): on small fabrics it is no more than the least volume, of
// all schedules; and of all ways in which a value may enter groups, none with fewer entries is enough.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/topologies/graph.h"
#include "tests/environment.h"
#include "tests/reference/random_tables.h"
#include "tests/verifier/every_volume.h"
#include "tests/verifier/round_questions.h"
#include "verifier/bounds.h"

namespace quadrille::tests {
namespace {

constexpr double rounding = 1e-9;

Collective asked(const std::string& name, std::uint32_t processors) {
  return parse_collective({"", name}, 0, processors).value();
}

// A way of one value among groups, given who sends to whom across borders in each round. Within a group everybody hears
// in each round whatever another one of it held before.
class Entries {
 public:
  using Pair = std::pair<std::uint32_t, std::uint32_t>;

  explicit Entries(const std::vector<std::uint32_t>& sizes) {
    for (std::uint32_t group = 0; group < sizes.size(); ++group) {
      group_of_.insert(group_of_.end(), sizes[group], group);
    }
    for (std::uint32_t from = 0; from < group_of_.size(); ++from) {
      for (std::uint32_t to = 0; to < group_of_.size(); ++to) {
        if (group_of_[from] != group_of_[to]) pairs_.emplace_back(from, to);
      }
    }
  }

  // Whether everyone can have all contributions with so many entries in so many rounds.
  bool are_enough(std::uint32_t entries, std::uint32_t rounds) {
    std::vector<std::uint32_t> held;
    for (std::uint32_t p = 0; p < group_of_.size(); ++p) held.push_back(std::uint32_t{1} << p);
    return all_from(held, entries, rounds);
  }

 private:
  bool complete(const std::vector<std::uint32_t>& held) const {
    const std::uint32_t all = (std::uint32_t{1} << held.size()) - 1;
    return std::ranges::all_of(held, [&](std::uint32_t it) { return it == all; });
  }

  bool all_from(const std::vector<std::uint32_t>& held, std::uint32_t entries, std::uint32_t rounds) const {
    if (complete(held)) return true;
    if (rounds == 0) return false;
    std::vector<std::uint32_t> next = held;
    for (std::uint32_t p = 0; p < held.size(); ++p) {
      for (std::uint32_t q = 0; q < held.size(); ++q) {
        if (group_of_[p] == group_of_[q]) next[p] |= held[q];
      }
    }
    return round_from(held, next, 0, entries, rounds);
  }

  // Likewise, where the entries of the first round before this pair have been chosen.
  bool round_from(const std::vector<std::uint32_t>& held, const std::vector<std::uint32_t>& next, std::size_t pair,
                  std::uint32_t entries, std::uint32_t rounds) const {
    if (all_from(next, entries, rounds - 1)) return true;
    for (std::size_t other = pair; entries > 0 && other < pairs_.size(); ++other) {
      const auto [from, to] = pairs_[other];
      if ((held[from] & ~next[to]) == 0) continue;
      std::vector<std::uint32_t> with = next;
      with[to] |= held[from];
      if (round_from(held, with, other + 1, entries - 1, rounds)) return true;
    }
    return false;
  }

  std::vector<std::uint32_t> group_of_;
  std::vector<Pair> pairs_;
};

// Groups whose processors are linked without limits, each with one lane between its switch and that of all.
Fabric with_gates(const std::vector<std::uint32_t>& sizes) {
  constexpr std::uint32_t wide = 1000;
  Graph graph;
  for (const std::uint32_t size : sizes) graph.processors += size;
  const std::uint32_t core = graph.processors + static_cast<std::uint32_t>(sizes.size());
  const auto link = [&](std::uint32_t one, std::uint32_t other, std::uint32_t lanes) {
    graph.channels.push_back({NodeId(one), NodeId(other), lanes});
    graph.channels.push_back({NodeId(other), NodeId(one), lanes});
  };
  std::uint32_t processor = 0;
  for (std::uint32_t group = 0; group < sizes.size(); ++group) {
    graph.switch_names.push_back(fmt::format("gate{}", group));
    for (std::uint32_t i = 0; i < sizes[group]; ++i) link(processor++, graph.processors + group, wide);
    link(graph.processors + group, core, 1);
  }
  graph.switch_names.emplace_back("core");
  Rules rules;
  rules.timing = Timing::rounds;
  rules.paths = Paths::shared;
  rules.switches = Switching::forward;
  return Fabric::make(std::move(graph), rules).value();
}

// The entries of a value that everyone wants into all groups of one size, by the bound for so many rounds.
std::uint32_t least_entries(const std::vector<std::uint32_t>& sizes, std::uint32_t rounds) {
  const Fabric fabric = with_gates(sizes);
  const double at_a_gate = load_by_rounds(fabric, asked("allreduce", fabric.processors())).few[rounds - 1];
  return static_cast<std::uint32_t>(std::lround(at_a_gate * static_cast<double>(sizes.size())));
}

}  // namespace

TEST_CASE("no schedule in few rounds has less volume than the bound, by trying them all") {
  constexpr std::uint64_t most_work = 5000;  // some ten milliseconds
  constexpr std::array names = {"allreduce", "allreduce", "reduce", "reduce_scatter", "broadcast", "allgather"};
  const std::uint64_t first = reference::first_seed();
  int compared = 0;
  int tight = 0;
  for (std::uint64_t seed = first; seed < first + share(1200); ++seed) {
    reference::Dice dice(seed);
    const Fabric fabric = random_fabric_in_rounds(dice);
    if (fabric.channels() > 10 || fabric.processors() < 2) continue;
    const Collective collective = asked(names[dice.below(names.size())], fabric.processors());
    INFO("QUADRILLE_SEED=" << seed << " " << fabric.notation() << " " << collective.notation());
    const LoadByRounds least = load_by_rounds(fabric, collective);
    for (std::uint32_t rounds = 1; rounds <= 3; ++rounds) {
      for (std::uint32_t volume = 1; volume <= 4; ++volume) {
        const auto enough = volume_is_enough(fabric, collective, rounds, volume, most_work);
        if (!enough || !*enough) continue;
        CHECK(least.in(rounds) <= volume * (1 + rounding));
        ++compared;
        tight += least.in(rounds) > volume - 1 ? 1 : 0;
        break;
      }
    }
  }
  MESSAGE(compared, " volumes from seed ", first, ", of which the bound says ", tight);
  CHECK(compared > share(150));
  CHECK(tight > compared / 4);
}

TEST_CASE("a value that everyone wants does not enter groups less often than the bound says") {
  using Sizes = std::vector<std::uint32_t>;
  for (const Sizes& sizes : {Sizes{1, 1}, {2, 2}, {1, 1, 1}, {2, 2, 2}, {1, 1, 1, 1}, {3, 3}}) {
    CAPTURE(fmt::format("{} groups of {}", sizes.size(), sizes.front()));
    for (std::uint32_t rounds = 1; rounds <= 3; ++rounds) {
      CAPTURE(rounds);
      const std::uint32_t least = least_entries(sizes, rounds);
      if (least <= 6) CHECK_FALSE(Entries(sizes).are_enough(least - 1, rounds));
    }
  }
  CHECK(Entries({2, 2}).are_enough(least_entries({2, 2}, 2), 2));
  CHECK(Entries({2, 2}).are_enough(least_entries({2, 2}, 3), 3));
  CHECK(Entries({3, 3}).are_enough(least_entries({3, 3}, 2), 2));
}

TEST_CASE("few rounds of an all-reduce enter four groups of eight more often") {
  const std::vector<std::uint32_t> sizes(4, 8);
  CHECK(least_entries(sizes, 1) == 32 * 24);
  CHECK(least_entries(sizes, 2) == 4 * 8);
  CHECK(least_entries(sizes, 3) == 3 * 4);
}

TEST_CASE("where switches join values or copy chunks, few rounds carry no more than many") {
  const auto in_one_round = [](const std::string& collective, Switching switches) {
    const Fabric fabric = with_gates({4, 4});
    Rules rules = fabric.rules();
    rules.switches = switches;
    return load_by_rounds(fabric.with_rules(rules), asked(collective, 8)).in(1);
  };
  CHECK(in_one_round("allreduce", Switching::forward) == 16);
  CHECK(in_one_round("allreduce", Switching::reduce) == 0);
  CHECK(in_one_round("reduce", Switching::copy) == 4);
  CHECK(in_one_round("reduce", Switching::reduce) == 0);
  CHECK(in_one_round("broadcast", Switching::forward) == 4);
  CHECK(in_one_round("broadcast", Switching::copy) == 0);
}

TEST_CASE("broadcasts lose what comes too late to be passed on, and reductions likewise") {
  const auto in_rounds = [](const std::string& collective, std::uint64_t rounds) {
    return load_by_rounds(with_gates({8, 8, 8, 8}), asked(collective, 32)).in(rounds);
  };
  for (const std::string collective : {"broadcast", "reduce"}) {
    CHECK(in_rounds(collective, 1) == 24);
    CHECK(in_rounds(collective, 2) == doctest::Approx(1.5));  // 2 / (2 - 2/3)
    CHECK(in_rounds(collective, 1000) == doctest::Approx(1).epsilon(0.001));
  }
}

}  // namespace quadrille::tests
