// The page of multi-node broadcast on a wormhole torus, dsl/schedules/wormhole_torus/PAPER.md: the rounds a and the
// volume b of every phase, beside the paper's lemmas; and its Table 1, measured.
//
//     wormhole_page [--update] PAGE
//
// Works out every cell anew, and compares the page between its two marks with that; --update writes it there. A claim
// that does not hold, or a table that is wrong, ends it at once. Cost: some hundred tables, of up to 500,000 rows.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "driver/check/check.h"
#include "driver/files/real_environment.h"
#include "model/verdict.h"
#include "tests/golden/marked_page.h"

namespace {

using namespace quadrille;
using namespace quadrille::driver;

// T = a·T_s + b·m·T_c.
struct Cost {
  std::uint64_t a = 0;
  std::uint64_t b = 0;
};

Cost measured(const std::string& schedule, const std::vector<std::string>& defines, std::uint64_t* bound = nullptr) {
  RealEnvironment environment;
  Context context{environment};
  CheckRequest request;
  request.input.file = schedule;
  request.input.defines = defines;
  const auto outcome = run(request, context);
  if (!outcome || outcome->report.verdict != Verdict::holds) throw std::runtime_error(schedule + " does not hold");
  if (bound != nullptr) *bound = outcome->volume_bound->steps.value();
  return {outcome->report.steps, outcome->report.volume.value()};
}

// ⌈log of x to this base⌉
std::uint64_t logarithm(std::uint64_t x, std::uint64_t base) {
  std::uint64_t result = 0;
  for (std::uint64_t power = 1; power < x; power *= base) ++result;
  return result;
}

std::uint64_t power_of_5(std::uint64_t exponent) { return exponent == 0 ? 1 : 5 * power_of_5(exponent - 1); }

std::vector<std::uint64_t> divisors(std::uint64_t n) {
  std::vector<std::uint64_t> result;
  for (std::uint64_t h = 1; h <= n; ++h) {
    if (n % h == 0) result.push_back(h);
  }
  return result;
}

std::string shown(Cost cost) { return fmt::format("{} / {}", cost.a, cost.b); }

// Lemmas 2 and 3, without control messages. What their O() leaves out counts as nothing; s/h is rounded up.
Cost lemmas(std::uint64_t n, std::uint64_t h, std::uint64_t s) {
  const std::uint64_t near = logarithm(h, 5);
  const std::uint64_t distribution = 4 * logarithm(n / h, 5) + logarithm(h, 3) + h - 1;
  return {3 * near + distribution, 2 * near + (power_of_5(near) - 1) / 4 + distribution * ((s + h - 1) / h)};
}

std::vector<std::string> defined(std::uint64_t n, std::uint64_t h) {
  return {fmt::format("n={}", n), fmt::format("h={}", h)};
}

// From all nodes: each phase is measured with those before it, whose volumes are then taken away.
std::string phases(bool brief) {
  std::string text =
      "#### Every phase, from all nodes\n"
      "A cell is a / b; the first four are volumes b. Control messages are apart: a = b there.\n\n"
      "| n | h | aggregation | balancing | alignment | distribution | whole | Lemmas 2 and 3 | control | Lemma 2 |\n"
      "|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n";
  for (const std::uint64_t n : {4U, 6U, 8U, 9U, 12U, 16U, 25U}) {
    if (brief && n == 25) return text + golden::left_out + "\n";
    for (const std::uint64_t h : divisors(n)) {
      const Cost aggregation = measured("wormhole_aggregation", defined(n, h));
      const Cost balancing = measured("wormhole_balancing", defined(n, h));
      const Cost alignment = measured("wormhole_alignment", defined(n, h));
      const Cost whole = measured("wormhole_multinode_broadcast", defined(n, h));
      const Cost control = measured("wormhole_prefix_sum", defined(n, h));
      text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", n, h, aggregation.b,
                          balancing.b - aggregation.b, alignment.b - balancing.b, whole.b - alignment.b, shown(whole),
                          shown(lemmas(n, h, n * n)), control.a, 4 * logarithm(n, 5) + 2 * logarithm(n / h, 5));
    }
  }
  return text;
}

// The s sources 0, n²/s, 2n²/s, …
std::string spread(std::uint64_t n, std::uint64_t s) {
  std::string text;
  for (std::uint64_t i = 0; i < s; ++i) text += fmt::format("{}{}", i == 0 ? "" : ",", i * n * n / s);
  return "sources={" + text + "}";
}

struct Option {
  std::string name;  // "h=4"
  Cost cost;
};

// Which is fastest for which x = m·T_c/T_s: "h=1 < 0.050 < h=4" for h=1 up to x = 0.050, and h=4 from there on. The
// lower hull of the lines a + b·x: from the fewest start-ups on, the next one is that which is met first.
std::string best(const std::vector<Option>& options) {
  const auto before = [](const Option& one, const Option& other) {
    return std::pair(one.cost.a, one.cost.b) < std::pair(other.cost.a, other.cost.b);
  };
  const Option* now = &*std::min_element(options.begin(), options.end(), before);
  std::string text = now->name;
  while (true) {
    const Option* next = nullptr;
    double met = 0;
    for (const Option& it : options) {
      if (it.cost.b >= now->cost.b) continue;
      const double at = static_cast<double>(it.cost.a - now->cost.a) / static_cast<double>(now->cost.b - it.cost.b);
      if (next != nullptr && (at > met || (at == met && it.cost.b >= next->cost.b))) continue;
      next = &it;
      met = at;
    }
    if (next == nullptr) return text;
    text += fmt::format(" < {:.3f} < {}", met, next->name);
    now = next;
  }
}

std::string listed(const std::vector<Option>& options) {
  std::string text;
  for (const Option& it : options) text += fmt::format("{}{}: {}", text.empty() ? "" : "<br>", it.name, shown(it.cost));
  return text;
}

std::string comparison(std::uint64_t n) {
  std::string text = fmt::format(
      "\n#### Table 1, for n = {}\n"
      "| s | networks | trees | b at least | the paper's best network | best of all |\n|--:|---|---|--:|---|---|\n",
      n);
  for (const std::uint64_t s : {std::uint64_t{1}, n, n * n / 4, n * n}) {
    std::uint64_t bound = 0;
    std::vector<Option> networks;
    for (const std::uint64_t h : divisors(n)) {
      const auto control = measured("wormhole_prefix_sum", defined(n, h)).a;
      for (const std::string ways : {"1", "2"}) {
        if (h <= 2 && ways == "2") continue;  // nothing else
        auto defines = defined(n, h);
        defines.insert(defines.end(), {spread(n, s), "ways=" + ways});
        Cost cost = measured("wormhole_multinode_broadcast", defines, &bound);
        if (h > 1) cost.a += control;  // one network has nothing to balance
        networks.push_back({fmt::format("h={}{}", h, ways == "2" ? " both ways" : ""), cost});
      }
    }
    std::vector<Option> trees;
    for (std::uint64_t block = (s + 3) / 4;; block = (block + 3) / 4) {
      const Cost cost =
          measured("wormhole_spanning_trees", {fmt::format("n={}", n), spread(n, s), fmt::format("block={}", block)});
      trees.push_back({fmt::format("block={}", block), cost});
      if (block == 1) break;
    }
    std::vector<Option> networks_of_the_paper;
    std::copy_if(networks.begin(), networks.end(), std::back_inserter(networks_of_the_paper),
                 [](const Option& it) { return it.name.find("both") == it.name.npos; });
    std::vector<Option> all = networks;
    all.insert(all.end(), trees.begin(), trees.end());
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", s, listed(networks), listed(trees), bound,
                        best(networks_of_the_paper), best(all));
  }
  return text;
}

// Brief: without the largest torus of either part, which takes more than the others together.
std::string measures(bool brief) {
  std::string text = phases(brief);
  for (const std::uint64_t n : {8U, 9U}) text += comparison(n);
  return text + (brief ? golden::left_out + "\n" : comparison(16));
}

}  // namespace

int main(int count, char** arguments) {
  return quadrille::golden::run_marked_page(count, arguments, {"measures", "wormhole_page", measures});
}
