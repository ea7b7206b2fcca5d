// Idea: two trees of the same contributions that share a summand differ in the other one; two whose summands are of the
// same contributions, and share none, differ in both, of which the lower one is looked at; any others part here.
//
//   ((0 + 1) + 2) + 3 and ((0 + 2) + 1) + 3 share 3, and part in (0 + 1) + 2 and (0 + 2) + 1: {0, 1} is no summand
//   there
//
// Cost: the contributions, for each level on which no summand is shared.
#include "verifier/checker/parted_orders.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

namespace quadrille::checker {
namespace {

// "{0-7}"; of many intervals the first ones.
std::string set_text(const std::vector<std::uint32_t>& contributions) {
  constexpr std::size_t most = 4;
  Intervals all;
  for (const std::uint32_t each : contributions) {
    if (!all.empty() && all.back().last + 1 == each) {
      all.back().last = each;
    } else {
      all.push_back({each, each});
    }
  }
  const std::size_t left_out = all.size() > most ? all.size() - most : 0;
  all.resize(all.size() - left_out);
  return fmt::format("{{{}{}}}", text_of(all), left_out > 0 ? ", …" : "");
}

}  // namespace

std::pair<std::uint32_t, std::uint32_t> PartedOrders::part(std::uint32_t one, std::uint32_t other) {
  for (;;) {
    const Addition& a = additions_.addition(one);
    const Addition& b = additions_.addition(other);
    if (a.first == b.first || a.first == b.second || a.second == b.first || a.second == b.second) {
      const std::uint32_t shared = a.first == b.first || a.first == b.second ? a.first : a.second;
      one = a.first == shared ? a.second : a.first;
      other = b.first == shared ? b.second : b.first;
      continue;
    }
    const std::uint32_t a_low = summands(a).first;
    const std::uint32_t b_low = summands(b).first;
    if (contributions(a_low) != contributions(b_low)) return {one, other};
    one = a_low;
    other = b_low;
  }
}

// The one with the lowest contribution first.
std::pair<std::uint32_t, std::uint32_t> PartedOrders::summands(const Addition& sum) {
  const bool swapped = contributions(sum.second).front() < contributions(sum.first).front();
  return swapped ? std::pair(sum.second, sum.first) : std::pair(sum.first, sum.second);
}

// In increasing order. Each is below a tree once, as only disjoint sets are united where results can differ.
std::vector<std::uint32_t> PartedOrders::contributions(std::uint32_t tree) {
  std::vector<std::uint32_t> found;
  std::vector<std::uint32_t> open{tree};
  while (!open.empty()) {
    look_at_limits(limits_, seen_++);
    const std::uint32_t next = open.back();
    open.pop_back();
    if (additions_.leaf(next)) {
      found.push_back(next);
    } else {
      open.push_back(additions_.addition(next).first);
      open.push_back(additions_.addition(next).second);
    }
  }
  std::ranges::sort(found);
  return found;
}

// The additions nearest to the root are written out, until there are too many terms.
std::string PartedOrders::text(std::uint32_t tree) {
  std::vector<std::uint32_t> written_out;
  std::deque<std::uint32_t> open{tree};
  while (!open.empty() && written_out.size() + 1 < most_terms) {
    const std::uint32_t next = open.front();
    open.pop_front();
    if (additions_.leaf(next)) continue;
    written_out.push_back(next);
    open.push_back(additions_.addition(next).first);
    open.push_back(additions_.addition(next).second);
  }
  return text(tree, written_out, true);
}

std::string PartedOrders::text(std::uint32_t tree, const std::vector<std::uint32_t>& written_out, bool outermost) {
  if (additions_.leaf(tree)) return std::to_string(tree);
  if (std::ranges::find(written_out, tree) == written_out.end()) return set_text(contributions(tree));
  const auto [low, high] = summands(additions_.addition(tree));
  return fmt::format("{}{} + {}{}", outermost ? "" : "(", text(low, written_out, false), text(high, written_out, false),
                     outermost ? "" : ")");
}

}  // namespace quadrille::checker
