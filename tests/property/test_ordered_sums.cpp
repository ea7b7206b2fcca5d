// The order of additions of an ordered operation (model/MODEL.md, Agreement): all readings of it are the obvious one,
// on random tables with several arrivals in one step.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "driver/diff/sent_contents.h"
#include "formats/table_io.h"
#include "tests/driver/memory_environment.h"
#include "tests/environment.h"
#include "tests/reference/agreement.h"
#include "tests/reference/random_tables.h"
#include "tests/reference/reference_check.h"
#include "verifier/check.h"

namespace {

using namespace quadrille;
using reference::Dice;

// The contributions first … last, and how they were added up: "(0 + 2) + 1" without its outermost brackets.
struct Held {
  std::uint32_t first;
  std::uint32_t last;
  std::string tree;

  bool next_to(const Held& other) const { return last + 1 == other.first || other.last + 1 == first; }
  bool contains(const Held& other) const { return first <= other.first && other.last <= last; }
};

std::string bracketed(const Held& it) { return it.first == it.last ? it.tree : "(" + it.tree + ")"; }

Held united(const Held& a, const Held& b) {
  const auto& [low, high] = std::minmax(a, b, [](const Held& x, const Held& y) { return x.first < y.first; });
  return {low.first, high.last, bracketed(low) + " + " + bracketed(high)};
}

// Joins what several senders bring, in order of sender: neighbours first, the lowest sender first.
Held joined(Held held, std::map<std::uint32_t, Held> arrivals) {
  while (!arrivals.empty()) {
    const auto next =
        std::find_if(arrivals.begin(), arrivals.end(), [&](const auto& it) { return it.second.next_to(held); });
    REQUIRE(next != arrivals.end());
    held = united(held, next->second);
    arrivals.erase(next);
  }
  return held;
}

struct Drawn {
  SendTable table;
  std::vector<Held> held;  // at the end, by processor
  std::uint64_t several;   // how often several came to one processor in one step
};

// A right all-reduce: in each step processors take what together with their own makes an interval, in any number; now
// and then one that contains what they hold takes its place, and what comes above it is added.
Drawn random_allreduce(Dice& dice) {
  const std::uint32_t n = dice.from_to(3, 9);
  std::vector<Held> held;
  for (std::uint32_t p = 0; p < n; ++p) held.push_back({p, p, std::to_string(p)});
  std::string rows;
  std::uint64_t several = 0;
  const auto full = [&](const Held& it) { return it.first == 0 && it.last + 1 == n; };
  for (std::uint32_t step = 1; !std::ranges::all_of(held, full); ++step) {
    if (step > 30) return random_allreduce(dice);  // intervals overlap, so that nobody can get what is missing
    const std::vector<Held> before = held;
    for (std::uint32_t p = 0; p < n; ++p) {
      Held range = before[p];  // its tree is of no account
      std::map<std::uint32_t, Held> arrivals;
      std::vector<std::uint32_t> senders;
      for (std::uint32_t q = 0; q < n; ++q) {
        if (q != p) senders.push_back(q);
      }
      dice.shuffle(senders);
      const auto take = [&](std::uint32_t q) { rows += fmt::format("{},{},{},0,{},{},0\n", step, q, p, q, p); };
      const auto container = std::ranges::find_if(senders, [&](std::uint32_t q) { return before[q].contains(range); });
      const bool replaced = container != senders.end() && dice.one_in(3);
      if (replaced) {
        range = held[p] = before[*container];
        take(*container);
      }
      for (std::uint32_t sent = dice.below(n + 1); sent > 0; --sent) {
        const auto sender = std::ranges::find_if(senders, [&](std::uint32_t q) {
          return before[q].next_to(range) && (!replaced || before[q].first > range.last);
        });
        if (sender == senders.end()) break;
        range = united(range, before[*sender]);
        arrivals.emplace(*sender, before[*sender]);
        take(*sender);
      }
      held[p] = joined(held[p], arrivals);
      several += arrivals.size() > 1 ? 1 : 0;
    }
  }
  const std::string text = fmt::format(
      "# quadrille-table 1\n# fabric: complete:{}\n# collective: allreduce:ordered\n# schedule: sums\n"
      "step,from,to,lane,origin,target,part\n{}",
      n, rows);
  const Result<SendTable> table = read_table({"table.csv", text}, 0, {});
  REQUIRE_MESSAGE(table.ok(), text);
  return {*table, held, several};
}

}  // namespace

TEST_CASE("checker, reference and per-rank programs add up an ordered operation as the obvious program does") {
  const std::uint64_t tables = tests::brief ? 50 : tests::long_run() ? 5000 : 500;
  const std::uint64_t first = reference::first_seed();
  std::uint64_t other_orders = 0;
  std::uint64_t several = 0;
  for (std::uint64_t seed = first; seed < first + tables; ++seed) {
    CAPTURE(seed);
    Dice dice(seed);
    const Drawn drawn = random_allreduce(dice);
    const std::string& lowest = drawn.held.front().tree;
    const Report report = check(drawn.table, {.listed_per_property = 100});
    REQUIRE(report.verdict == Verdict::holds);
    std::map<std::uint32_t, std::string> sums;
    for (const Violation& violation : report.violations) {
      if (violation.property != Property::agreement) continue;
      REQUIRE(violation.orders.size() == 2);
      CHECK(violation.orders.back().sum == lowest);
      CHECK(!violation.rows.empty());
      sums[violation.orders.front().processor.value] = violation.orders.front().sum;
    }
    driver::MemoryEnvironment environment;
    driver::Context context{environment};
    programs::Sums numbers;
    const auto programs = sent_contents_of(drawn.table, driver::SlotNumbering::own, numbers, context);
    REQUIRE(programs.ok());
    for (std::uint32_t p = 0; p < drawn.held.size(); ++p) {
      CHECK((sums.contains(p) ? sums.at(p) : lowest) == drawn.held[p].tree);
      CHECK((programs->results.at({p, 0}) == programs->results.at({0, 0})) == (drawn.held[p].tree == lowest));
    }
    const std::string differences = reference::disagreement(drawn.table);
    CHECK_MESSAGE(differences.empty(), differences);
    other_orders += sums.size();
    several += drawn.several;
  }
  MESSAGE(fmt::format("{} tables from seed {}: {} times several arrivals, {} other orders", tables, first, several,
                      other_orders));
  CHECK(several > tables);
  CHECK(other_orders > tables / 4);
}
