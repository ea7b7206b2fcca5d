// The schedules of the ideal fat tree: all hold, for every family of capacities and random ones; they take as many
// steps as the recurrences say; and no bound of the paper is above them.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/compile.h"
#include "dsl/load.h"
#include "model/fabric_notation.h"
#include "tests/environment.h"
#include "tests/reference/compiled.h"
#include "tests/reference/ideal_counts.h"
#include "tests/reference/random_tables.h"
#include "tests/reference/round_optimum.h"
#include "verifier/check.h"

namespace {

using namespace quadrille;
using reference::Capacities;

SendTable table_of(const std::shared_ptr<const ir::Schedule>& schedule, const Capacities& capacities,
                   const ElaborateOptions& options = {}) {
  const std::string levels = std::to_string(capacities.size());
  const auto table = elaborate(schedule, {{"L", levels}, {"capacity", reference::listed(capacities)}}, options);
  REQUIRE_MESSAGE(table, table.diagnostics().front().message);
  return *table;
}

std::shared_ptr<const ir::Schedule> shipped(const std::string& name) {
  const auto compiled = reference::compiled(std::string(shipped_schedule(name)->text), name);
  REQUIRE_MESSAGE(compiled.schedule, compiled.errors);
  return compiled.schedule;
}

// Some of the families' trees, and for each size some that grow at random, now and then by more than twice.
std::vector<Capacities> trees(std::uint64_t most_levels) {
  const std::uint64_t seed = reference::first_seed();
  INFO("QUADRILLE_SEED=" << seed);
  reference::Dice dice(seed);
  std::vector<Capacities> result;
  for (std::uint64_t levels = 1; levels <= most_levels; ++levels) {
    for (const auto& family : reference::capacity_families()) result.push_back(capacities_of(family, levels));
    for (int i = 0; i < 5; ++i) {
      Capacities capacities = {1 + dice.below(2)};
      while (capacities.size() < levels)
        capacities.push_back(capacities.back() + dice.below(2 * capacities.back() + 1));
      result.push_back(capacities);
    }
  }
  return result;
}

std::uint64_t largest() { return tests::long_run() ? 12 : tests::brief ? 4 : 8; }

void check_steps(const char* name, std::uint64_t (*expected)(const Capacities&)) {
  const auto schedule = shipped(name);
  for (const Capacities& capacities : trees(largest())) {
    CAPTURE(name);
    CAPTURE(reference::listed(capacities));
    const Report report = check(table_of(schedule, capacities));
    CHECK(report.verdict == Verdict::holds);
    CHECK((report.hops ? report.hops.value() : report.steps) == expected(capacities));
  }
}

std::uint64_t obvious(const Capacities& capacities) { return capacities.size() * (capacities.size() + 1); }
std::uint64_t sparse(const Capacities& capacities) { return reference::broadcast_steps(capacities); }
std::uint64_t twice(const Capacities& capacities) { return 2 * reference::broadcast_steps(capacities); }

// Who has the message, a bit for each; and whether messages of a round fit, each from bit to bit.
struct Message {
  std::uint32_t from;
  std::uint32_t to;
};

// In rounds that hold their paths, whatever enters a subtree; else what turns at one height, which is there at one
// time.
bool fit(const std::vector<Message>& messages, const Capacities& capacities, bool held) {
  for (std::size_t level = 1; level < capacities.size(); ++level) {
    for (std::uint32_t subtree = 0; subtree < (1U << (capacities.size() - level)); ++subtree) {
      std::uint64_t out = 0;
      std::map<int, std::uint64_t> in;  // by height
      for (const Message& message : messages) {
        const bool from = message.from >> level == subtree;
        const bool to = message.to >> level == subtree;
        if (from && !to) ++out;
        if (to && !from) ++in[held ? 0 : static_cast<int>(std::bit_width(message.from ^ message.to))];
      }
      if (out > capacities[level]) return false;
      for (const auto& [height, messages_in] : in) {
        if (messages_in > capacities[level]) return false;
      }
    }
  }
  return true;
}

class EveryRound {
 public:
  EveryRound(const Capacities& capacities, bool held)
      : capacities_(capacities), held_(held), leaves_(1U << capacities.size()) {}

  std::uint64_t shortest() {
    std::set<std::pair<std::uint64_t, std::uint32_t>> next{{0, 1}};
    std::set<std::uint32_t> known;
    while (true) {
      const auto [time, has] = *next.begin();
      next.erase(next.begin());
      if (!known.insert(has).second) continue;
      if (has == (1U << leaves_) - 1) return time;
      std::vector<Message> messages;
      rounds(has, 0, messages, [&, time = time, has = has] {
        std::uint32_t after = has;
        std::uint64_t height = 0;
        for (const Message& each : messages) {
          after |= 1U << each.to;
          height = std::max<std::uint64_t>(height, static_cast<std::uint64_t>(std::bit_width(each.from ^ each.to)));
        }
        if (!messages.empty()) next.emplace(time + 2 * height, after);
      });
    }
  }

 private:
  template <typename Each>
  void rounds(std::uint32_t has, std::uint32_t from, std::vector<Message>& messages, const Each& each) {
    if (from == leaves_) {
      if (fit(messages, capacities_, held_)) each();
      return;
    }
    rounds(has, from + 1, messages, each);
    if ((has >> from & 1U) == 0) return;
    for (std::uint32_t to = 0; to < leaves_; ++to) {
      const bool taken = std::any_of(messages.begin(), messages.end(), [&](const Message& it) { return it.to == to; });
      if ((has >> to & 1U) != 0 || taken) continue;
      messages.push_back({from, to});
      rounds(has, from + 1, messages, each);
      messages.pop_back();
    }
  }

  const Capacities& capacities_;
  bool held_;
  std::uint32_t leaves_;
};

}  // namespace

TEST_CASE("broadcasts on the ideal fat tree hold, and take the steps of the paper's recurrences") {
  check_steps("ideal_broadcast", sparse);
  check_steps("ideal_broadcast_pipelined", [](const Capacities& tree) { return reference::pipelined_steps(tree); });
  check_steps("ideal_broadcast_obvious", obvious);
  check_steps("ideal_broadcast_bursts",
              [](const Capacities& tree) { return reference::burst_steps(tree.size()).back(); });
}

TEST_CASE("so do products, ordered or not, and prefixes in twice as many steps") {
  check_steps("ideal_product", sparse);
  check_steps("ideal_product_ordered", sparse);
  check_steps("ideal_prefix", twice);
}

TEST_CASE("in the round model broadcasts take as many hops as steps without it") {
  check_steps("ideal_broadcast_rounds", sparse);
  check_steps("ideal_broadcast_obvious_rounds", obvious);
}

// "During a round a processor can send or receive at most one message" (§4.2): the stricter reading, and more, for the
// two directions of a link share its lanes.
TEST_CASE("no schedule of the ideal fat tree sends and receives in one step, nor crosses a lane both ways") {
  for (const char* name : {"ideal_broadcast", "ideal_broadcast_pipelined", "ideal_broadcast_obvious",
                           "ideal_broadcast_bursts", "ideal_product", "ideal_product_ordered", "ideal_prefix"}) {
    const auto schedule = shipped(name);
    for (const Capacities& capacities : trees(std::min<std::uint64_t>(largest(), 7))) {
      CAPTURE(name);
      CAPTURE(reference::listed(capacities));
      ElaborateOptions options;
      options.fabric = parse_fabric({"", "fat_tree:capacity=" + reference::listed(capacities) +
                                             ",ports=single,duplex=half,switches=forward,queue=none"},
                                    0)
                           .value();
      CHECK(check(table_of(schedule, capacities, options)).verdict == Verdict::holds);
    }
  }
}

TEST_CASE("no bound of the ideal fat tree is above what a schedule takes") {
  for (const Capacities& capacities : trees(20)) {
    CAPTURE(reference::listed(capacities));
    const std::uint64_t rounds = std::min(reference::broadcast_steps(capacities), obvious(capacities));
    const std::uint64_t steps = std::min(rounds, reference::pipelined_steps(capacities));
    CHECK(reference::counting_bound(capacities) <= steps);
    CHECK(reference::theorem_2(capacities) <= reference::counting_bound(capacities));
    CHECK(reference::theorem_3(capacities) < static_cast<double>(rounds));
  }
}

TEST_CASE("the optimum of the round model is what trying every message finds") {
  for (const Capacities& capacities : trees(tests::brief ? 2 : 3)) {
    CAPTURE(reference::listed(capacities));
    for (const bool held : {false, true})
      CHECK(reference::round_optimum(capacities, held) == EveryRound(capacities, held).shortest());
  }
}

TEST_CASE("in the round model, nothing beats halving on up to 16 leaves, whatever the capacities") {
  for (const Capacities& capacities : trees(tests::brief ? 3 : 4)) {
    CAPTURE(reference::listed(capacities));
    for (const bool held : {false, true}) CHECK(reference::round_optimum(capacities, held) == obvious(capacities));
    CHECK(reference::theorem_3(capacities) < static_cast<double>(obvious(capacities)));
  }
}

TEST_CASE("trees of the families are counted alike by capacities and by exponents") {
  for (const auto& family : reference::capacity_families()) {
    if (family.exponent == nullptr) continue;
    for (std::uint64_t levels = 1; levels <= 62; ++levels) {
      const Capacities capacities = capacities_of(family, levels);
      CHECK(reference::broadcast_steps(family, levels) == reference::broadcast_steps(capacities));
      CHECK(reference::pipelined_steps(family, levels) == reference::pipelined_steps(capacities));
    }
  }
}
