// Reductions made by reversing schedules: of ordered operations, and all-reduces.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/compile.h"
#include "dsl/load.h"
#include "tests/environment.h"
#include "tests/reference/agreement.h"
#include "tests/reference/random_tables.h"
#include "verifier/check.h"

namespace quadrille {
namespace {

using reference::Dice;

SendTable compiled(const std::string& text) {
  Sources sources;
  const auto program = load({"reversed.qd", text}, {}, sources);
  REQUIRE_MESSAGE(program.ok(), render(program.diagnostics(), sources));
  const auto schedule = compile(*program, "reversed");
  REQUIRE_MESSAGE(schedule.ok(), render(schedule.diagnostics(), sources));
  const auto table = elaborate(*schedule, {}, {});
  REQUIRE_MESSAGE(table.ok(), render(table.diagnostics(), sources));
  return *table;
}

// The verdict, once all judges have said the same.
Verdict judged(const std::string& text) {
  CAPTURE(text);
  const SendTable table = compiled(text);
  const std::string differences = reference::disagreement(table);
  CHECK_MESSAGE(differences.empty(), differences);
  return check(table).verdict;
}

// p, who knows, informs all of lo … hi, of whom it is one: one of the other half of a split, who does the same there.
void inform_ranks(Dice& dice, std::uint32_t p, std::uint32_t lo, std::uint32_t hi, std::uint32_t step,
                  std::string& sends) {
  if (lo == hi) return;
  const std::uint32_t split = dice.from_to(lo, hi - 1);
  const bool below = p <= split;
  const std::uint32_t other = below ? dice.from_to(split + 1, hi) : dice.from_to(lo, split);
  sends += fmt::format("  at {}: send {} -> {}\n", step, p, other);
  inform_ranks(dice, p, below ? lo : split + 1, below ? split : hi, step + 1, sends);
  inform_ranks(dice, other, below ? split + 1 : lo, below ? hi : split, step + 1, sends);
}

// Along a random tree, one after another.
std::vector<std::pair<std::uint32_t, std::uint32_t>> random_tree(Dice& dice, std::uint32_t n) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> links;  // parent, child; parents first
  for (std::uint32_t child = 1; child < n; ++child) links.emplace_back(dice.below(child), child);
  return links;
}

}  // namespace

TEST_CASE("a broadcast that informs contiguous ranks, reversed, is a reduction of an ordered operation") {
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + tests::share(300); ++seed) {
    CAPTURE(seed);
    Dice dice(seed);
    const std::uint32_t n = dice.from_to(2, 12);
    const std::uint32_t root = dice.below(n);
    std::string sends;
    inform_ranks(dice, root, 0, n - 1, 1, sends);
    for (const char* operation : {"commutative", "ordered", "idempotent"}) {
      CHECK(judged(fmt::format("fabric complete({})\ncollective reduce(root: {}, operation: {})\nreverse:\n{}", n, root,
                               operation, sends)) == Verdict::holds);
    }
  }
}

TEST_CASE(
    "any broadcast reversed is a reduction, but one that joins others than neighbours is none of an ordered one") {
  const std::uint64_t first = reference::first_seed();
  std::uint64_t violated = 0;
  for (std::uint64_t seed = first; seed < first + tests::share(300); ++seed) {
    CAPTURE(seed);
    Dice dice(seed);
    const std::uint32_t n = dice.from_to(2, 8);
    std::string sends;
    std::uint32_t step = 0;
    for (const auto& [parent, child] : random_tree(dice, n)) {
      sends += fmt::format("  at {}: send {} -> {}\n", ++step, parent, child);
    }
    const std::string text = "fabric complete({})\ncollective reduce(operation: {})\nreverse:\n{}";
    CHECK(judged(fmt::format(fmt::runtime(text), n, "commutative", sends)) == Verdict::holds);
    violated += judged(fmt::format(fmt::runtime(text), n, "ordered", sends)) == Verdict::violated ? 1 : 0;
  }
  MESSAGE("seeds from " << first << ": " << violated << " join others than neighbours");
  CHECK(violated > tests::share(100));
}

TEST_CASE("an all-reduce reversed is an all-reduce: along trees, and by doubling") {
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + tests::share(300); ++seed) {
    CAPTURE(seed);
    Dice dice(seed);
    const std::uint32_t n = dice.from_to(2, 10);
    const auto tree = random_tree(dice, n);
    std::string sends;
    std::uint32_t step = 0;
    for (auto link = tree.rbegin(); link != tree.rend(); ++link) {
      sends += fmt::format("  at {}: send {} -> {}\n", ++step, link->second, link->first);
    }
    for (const auto& [parent, child] : random_tree(dice, n)) {
      sends += fmt::format("  at {}: send {} -> {}\n", ++step, parent, child);
    }
    CHECK(judged(fmt::format("fabric complete({})\ncollective allreduce\nreverse:\n{}", n, sends)) == Verdict::holds);
  }
  for (std::uint32_t levels = 1; levels <= 5; ++levels) {
    CHECK(judged(fmt::format("fabric hypercube({})\ncollective allreduce\nreverse:\n  for t in 0..{}:\n"
                             "    at t + 1: for k in processors: send k -> k xor 2^t\n",
                             levels, levels - 1)) == Verdict::holds);
  }
}

}  // namespace quadrille
