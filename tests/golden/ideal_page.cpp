// The page of broadcast and associative operations on the ideal fat tree, dsl/schedules/ideal_fat_tree/PAPER.md: what
// its algorithms take, beside the paper's bounds and its Table 1, the optima of small trees, and what a real fat tree
// takes.
//
//     ideal_page [--update] PAGE
//
// Works out every cell anew, and compares the page between its two marks with that; --update writes it there. A
// schedule that does not hold, or takes other steps than its recurrence, ends it at once. Cost: some hundred tables of
// up to 60,000 rows, and searches of some seconds.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/compile.h"
#include "driver/check/check.h"
#include "driver/files/real_environment.h"
#include "driver/search/search.h"
#include "model/verdict.h"
#include "tests/golden/ideal_table_1.h"
#include "tests/golden/marked_page.h"
#include "tests/reference/compiled.h"
#include "tests/reference/ideal_counts.h"
#include "tests/reference/prefix_optimum.h"
#include "tests/reference/round_optimum.h"
#include "verifier/check.h"

namespace {

using namespace quadrille;
using namespace quadrille::driver;
using reference::broadcast_steps;
using reference::burst_steps;
using reference::Capacities;
using reference::capacities_of;
using reference::counting_bound;
using reference::halving_steps;
using reference::pipelined_steps;
using reference::round_optimum;

// --- what is asked of the program -----------------------------------------------------------------------------------

// Steps, in rounds hops.
std::uint64_t checked(CheckRequest request) {
  RealEnvironment environment;
  Context context{environment};
  request.claims = !request.input.retime;
  const auto outcome = run(request, context);
  if (!outcome || outcome->report.verdict != Verdict::holds)
    throw std::runtime_error(request.input.file + " does not hold");
  return outcome->report.hops.value_or(outcome->report.steps);
}

std::uint64_t measured(const std::string& schedule, const Capacities& capacities, bool retime = false,
                       const std::string& on = {}) {
  CheckRequest request;
  request.input.file = schedule;
  request.input.defines = {fmt::format("L={}", capacities.size()), "capacity=" + reference::listed(capacities)};
  request.input.retime = retime;
  request.input.on = on;
  return checked(std::move(request));
}

std::string ideal_tree(const Capacities& capacities) {
  return fmt::format("fat_tree:capacity={},ports=single,switches=forward,queue=none", reference::listed(capacities));
}

// Of a schedule for any fabric, retimed on the tree.
std::uint64_t measured_on_tree(const std::string& schedule, const Capacities& capacities) {
  CheckRequest request;
  request.input.file = schedule;
  request.input.defines = {fmt::format("N={}", std::uint64_t{1} << capacities.size())};
  request.input.retime = true;
  request.input.on = ideal_tree(capacities);
  return checked(std::move(request));
}

struct Found {
  std::uint64_t steps = 0;
  bool optimal = false;
};

Found searched(const std::string& collective, const Capacities& capacities) {
  RealEnvironment environment;
  Context context{environment};
  SearchRequest request;
  request.collective = collective;
  request.on = ideal_tree(capacities);
  const auto outcome = run(request, context);
  if (!outcome || !outcome->result.table) throw std::runtime_error("no schedule of " + collective + " is found");
  const SearchResult& result = outcome->result;
  return {result.steps, result.verdict == SearchVerdict::optimal};
}

// --- counts ---------------------------------------------------------------------------------------------------------

// Trees of so many levels are compiled; what is larger is counted by recurrence.
std::uint64_t compiled(bool brief) { return brief ? 9 : 13; }

void compare_with_recurrences(const Capacities& capacities) {
  const bool same = measured("ideal_broadcast_obvious", capacities) == halving_steps(capacities.size()) &&
                    measured("ideal_broadcast", capacities) == broadcast_steps(capacities) &&
                    measured("ideal_broadcast_pipelined", capacities) == pipelined_steps(capacities) &&
                    measured("ideal_broadcast_rounds", capacities) == broadcast_steps(capacities) &&
                    measured("ideal_broadcast_bursts", capacities) == burst_steps(capacities.size()).back();
  if (!same) throw std::runtime_error("not as the recurrences say: " + reference::listed(capacities));
}

struct Counted {
  std::string_view name;
  std::uint64_t steps;
};

std::string shortest(const std::vector<Counted>& all) {
  const std::uint64_t least = std::ranges::min(all, {}, &Counted::steps).steps;
  std::string text;
  for (const Counted& it : all) {
    if (it.steps == least) text += fmt::format(", {}", it.name);
  }
  return text.substr(2);
}

std::string counts(const std::string& name, bool brief) {
  std::string text = fmt::format(
      "\n#### Counts, w(n) = {}\n"
      "| N | halving | Algorithm 1 | pipelined | over one lane | bursts | Theorem 2 | its proof | Theorem 3 | shortest "
      "|\n"
      "|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|\n",
      name);
  const std::vector<std::uint64_t> bursts = burst_steps(20);
  for (std::uint64_t levels = 1; levels <= 20; ++levels) {
    const Capacities capacities = capacities_of(name, levels);
    if (levels <= compiled(brief)) compare_with_recurrences(capacities);
    const std::uint64_t sparse = broadcast_steps(capacities);
    const std::uint64_t pipelined = pipelined_steps(capacities);
    const std::uint64_t one_lane = pipelined_steps(capacities_of("1", levels));
    text += fmt::format("| 2^{} | {} | {} | {} | {} | {} | {} | {} | {:.1f} | {} |\n", levels, halving_steps(levels),
                        sparse, pipelined, one_lane, bursts[levels], reference::theorem_2(capacities),
                        counting_bound(capacities), reference::theorem_3(capacities),
                        shortest({{"halving", halving_steps(levels)},
                                  {"Algorithm 1", sparse},
                                  {"pipelined", pipelined},
                                  {"over one lane", one_lane},
                                  {"bursts", bursts[levels]}}));
  }
  return text;
}

// --- small trees ----------------------------------------------------------------------------------------------------

const std::vector<std::string> four = {"1", "log n + 1", "2^⌊(log n)/2⌋", "n"};

std::string optima() {
  std::string text =
      "\n#### Optima\n"
      "| N | w(n) | any schedule | bursts | in rounds | halving | Algorithm 1 | the same, retimed | pipelined | the "
      "same, "
      "retimed |\n"
      "|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|\n";
  for (std::uint64_t levels = 1; levels <= 5; ++levels) {
    for (const std::string& name : four) {
      const Capacities capacities = capacities_of(name, levels);
      const Found found = searched("broadcast", capacities);
      if (!found.optimal) throw std::runtime_error("a broadcast's optimum is not found");
      const std::uint64_t rounds = levels > 4 ? 0 : round_optimum(capacities, false);
      if (levels <= 4 && rounds != round_optimum(capacities, true)) throw std::runtime_error("rounds that hold differ");
      text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", 1U << levels, name, found.steps,
                          burst_steps(levels).back(), levels > 4 ? "?" : std::to_string(rounds), halving_steps(levels),
                          broadcast_steps(capacities), measured("ideal_broadcast", capacities, true),
                          pipelined_steps(capacities), measured("ideal_broadcast_pipelined", capacities, true));
    }
  }
  return text;
}

// Steps of a prefix, where processors keep all that they get: none fewer, and the checker agrees.
std::uint64_t prefix_steps(const Capacities& capacities) {
  const auto optimum = reference::prefix_optimum(capacities);
  const auto table = elaborate(reference::compiled(optimum.schedule).schedule, {});
  if (!table) throw std::runtime_error(table.diagnostics().front().message);
  const Report report = quadrille::check(*table);
  if (report.verdict != Verdict::holds || report.steps != optimum.steps)
    throw std::runtime_error("a prefix does not hold");
  return optimum.steps;
}

std::string products() {
  std::string text =
      "\n#### Products and prefixes: optima, and ours\n"
      "| N | w(n) | product | ordered | `ideal_product_ordered` | prefix | by `search` | `ideal_prefix` |\n"
      "|--:|---|--:|--:|--:|--:|--:|--:|\n";
  for (std::uint64_t levels = 1; levels <= 3; ++levels) {
    for (const std::string& name : four) {
      const Capacities capacities = capacities_of(name, levels);
      const Found product = searched("reduce:root=0", capacities);
      const Found ordered = searched("reduce:root=0,ordered", capacities);
      if (!product.optimal || !ordered.optimal) throw std::runtime_error("a product's optimum is not found");
      text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", 1U << levels, name, product.steps,
                          ordered.steps, measured("ideal_product_ordered", capacities), prefix_steps(capacities),
                          searched("prefix", capacities).steps, measured("ideal_prefix", capacities));
    }
  }
  return text;
}

// What ships for any fabric, beside what is made for this one.
std::string prefixes() {
  std::string text =
      "\n#### Prefixes that ship, retimed on these trees\n"
      "| N | w(n) | `ideal_prefix` | `prefix_recursive_doubling` | `prefix_work_efficient` |\n"
      "|--:|---|--:|--:|--:|\n";
  for (const std::uint64_t levels : {4U, 7U, 10U}) {
    for (const std::string& name : four) {
      const Capacities capacities = capacities_of(name, levels);
      text += fmt::format("| 2^{} | {} | {} | {} | {} |\n", levels, name, measured("ideal_prefix", capacities, true),
                          measured_on_tree("prefix_recursive_doubling", capacities),
                          measured_on_tree("prefix_work_efficient", capacities));
    }
  }
  return text;
}

// --- Theorem 1 ------------------------------------------------------------------------------------------------------

std::string concrete() {
  std::string text =
      "\n#### Theorem 1: on a butterfly fat tree of the same capacities\n"
      "| N | w(n) | schedule | ideal | on the butterfly | slow-down |\n|--:|---|---|--:|--:|--:|\n";
  for (const std::uint64_t levels : {4U, 7U, 10U}) {
    for (const std::uint64_t pruning : {1U, 2U, 14U}) {
      const std::string name = pruning == 1 ? "n" : pruning == 2 ? "2^⌊(log n)/2⌋" : "1";
      const Capacities capacities = capacities_of(name, levels);
      const std::string on = fmt::format(
          "butterfly_fat_tree:levels={},pruning={},ports=single,switches=forward,queue=none", levels, pruning);
      for (const std::string schedule :
           {"ideal_broadcast", "ideal_broadcast_pipelined", "ideal_product_ordered", "ideal_prefix"}) {
        const std::uint64_t ideal = measured(schedule, capacities, true);
        const std::uint64_t there = measured(schedule, capacities, true, on);
        text += fmt::format("| 2^{} | {} | {} | {} | {} | {:.2f} |\n", levels, name, schedule, ideal, there,
                            static_cast<double>(there) / static_cast<double>(ideal));
      }
    }
  }
  return text;
}

std::string measures(bool brief) {
  std::string text = golden::ideal_table_1() + optima() + products() + prefixes() + concrete();
  for (const std::string name : {"1", "log n + 1", "2^⌊√log n⌋", "n^(1/log log n)", "2^⌊(log n)/2⌋", "n"})
    text += counts(name, brief);
  return text.substr(1);
}

}  // namespace

int main(int count, char** arguments) {
  return quadrille::golden::run_marked_page(count, arguments, {"measures", "ideal_page", measures});
}
