// Idea: what is O(f) or Ω(f), divided by f, for trees that grow from 2^10 to 2^10000 leaves: if it goes on growing, or
// falling, that is none. Only a hint, where the two are this near: log log N is 13.3 at the end.
#include "tests/golden/ideal_table_1.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "tests/reference/ideal_counts.h"

namespace quadrille::golden {
namespace {

using reference::broadcast_steps;
using reference::Capacities;
using reference::capacities_of;
using reference::capacity_family;
using reference::CapacityFamily;
using reference::counting_bound;
using reference::halving_steps;
using reference::pipelined_steps;

struct Shape {
  std::string words;
  double (*of)(double log_n);
};

const Shape square{"log² N", [](double x) { return x * x; }};
const Shape quotient{"log² N / log log N", [](double x) { return x * x / std::log2(x); }};
const Shape between{"log^1.5 N", [](double x) { return std::pow(x, 1.5); }};
const Shape product{"log N · log log N", [](double x) { return x * std::log2(x); }};
const Shape product_of_three{"log N · (log log N)²", [](double x) { return x * std::log2(x) * std::log2(x); }};
const Shape linear{"log N", [](double x) { return x; }};

struct Row {
  std::string family;
  std::string what;
  bool pipelined;
  const Shape& shape;
};

const std::vector<Row> uppers = {
    {"1", "no pipelining", false, square},
    {"1", "unrestricted", true, quotient},
    {"log n + 1", "no pipelining", false, quotient},
    {"log n + 1", "unrestricted", true, quotient},
    {"2^⌊√log n⌋", "no pipelining", false, between},
    {"2^⌊√log n⌋", "unrestricted", true, between},
    {"n^(1/log log n)", "no pipelining", false, product},
    {"n^(1/log log n)", "unrestricted", true, product},
    {"n^(1/log log n)", "the same, otherwise", true, product_of_three},
    {"2^⌊(log n)/2⌋", "no pipelining", false, product},
    {"n", "no pipelining", false, product},
};

struct Lower {
  std::string family;
  const Shape& unrestricted;
  const Shape* rounds = nullptr;
};

const std::vector<Lower> lowers = {{"1", quotient, &square},
                                   {"log n + 1", quotient},
                                   {"2^⌊√log n⌋", between},
                                   {"n^(1/log log n)", product},
                                   {"2^⌊(log n)/2⌋", linear, &product},
                                   {"n", linear, &product}};

std::string bounds() {
  std::string text =
      "\n#### Table 1, upper bounds: how many times its expressions the counts are\n"
      "| w(n) | | claimed | N = 2^10 | 2^20 | 2^60 | 2^1000 | 2^10000 |\n|---|---|---|--:|--:|--:|--:|--:|\n";
  for (const Row& row : uppers) {
    text += fmt::format("| {} | {} | {} |", row.family, row.what, row.shape.words);
    for (const std::uint64_t levels : {10U, 20U, 60U, 1000U, 10000U}) {
      const std::uint64_t steps = row.pipelined ? pipelined_steps(capacity_family(row.family), levels)
                                                : broadcast_steps(capacity_family(row.family), levels);
      text += fmt::format(" {:.2f} |", static_cast<double>(steps) / row.shape.of(static_cast<double>(levels)));
    }
    text += "\n";
  }
  text +=
      "\n#### Table 1, lower bounds: likewise of Theorems 2 (its proof) and 3\n"
      "| w(n) | | claimed | N = 2^10 | 2^20 | 2^40 | 2^60 |\n|---|---|---|--:|--:|--:|--:|\n";
  for (const Lower& row : lowers) {
    for (const bool rounds : {false, true}) {
      if (rounds && row.rounds == nullptr) continue;
      const Shape& shape = rounds ? *row.rounds : row.unrestricted;
      text += fmt::format("| {} | {} | {} |", row.family, rounds ? "no pipelining" : "unrestricted", shape.words);
      for (const std::uint64_t levels : {10U, 20U, 40U, 60U}) {
        const Capacities capacities = capacities_of(row.family, levels);
        const double steps =
            rounds ? reference::theorem_3(capacities) : static_cast<double>(counting_bound(capacities));
        text += fmt::format(" {:.2f} |", steps / shape.of(static_cast<double>(levels)));
      }
      text += "\n";
    }
  }
  return text;
}

// The least L such that one is less than the other from there on, up to 2^60.
template <typename One, typename Other>
std::string from_where(const std::string& name, const One& one, const Other& other) {
  std::uint64_t levels = 61;
  while (levels > 1 && one(capacities_of(name, levels - 1)) < other(capacities_of(name, levels - 1))) --levels;
  return levels > 60 ? "never" : fmt::format("2^{}", levels);
}

std::string crossings() {
  std::string text =
      "\n#### From which N on, up to 2^60, one is shorter than another\n"
      "| w(n) | Algorithm 1 than halving | pipelined than halving | pipelined than Algorithm 1 | it saves at 2^20 | "
      "bursts than all of these | Algorithm 1 than bursts | pipelined than bursts |\n"
      "|---|--:|--:|--:|--:|--:|--:|--:|\n";
  const auto obvious = [](const Capacities& capacities) { return halving_steps(capacities.size()); };
  const auto sparse = [](const Capacities& capacities) { return broadcast_steps(capacities); };
  const auto pipelined = [](const Capacities& capacities) { return pipelined_steps(capacities); };
  const std::vector<std::uint64_t> by_levels = reference::burst_steps(60);
  const auto bursts = [&](const Capacities& capacities) { return by_levels[capacities.size()]; };
  const auto least = [&](const Capacities& capacities) {
    return std::min({obvious(capacities), sparse(capacities), pipelined(capacities)});
  };
  for (const CapacityFamily& each : reference::capacity_families()) {
    if (each.name == "⌊√n⌋") continue;  // as 2^⌊(log n)/2⌋, rounded down to powers of two
    const Capacities large = capacities_of(each, 20);
    const auto saved = static_cast<double>(broadcast_steps(large) - pipelined_steps(large));
    text += fmt::format("| {} | {} | {} | {} | {:.0f}% | {} | {} | {} |\n", each.name,
                        from_where(each.name, sparse, obvious), from_where(each.name, pipelined, obvious),
                        from_where(each.name, pipelined, sparse),
                        100 * saved / static_cast<double>(broadcast_steps(large)), from_where(each.name, bursts, least),
                        from_where(each.name, sparse, bursts), from_where(each.name, pipelined, bursts));
  }
  return text;
}

}  // namespace

std::string ideal_table_1() { return bounds() + crossings(); }

}  // namespace quadrille::golden
