// What processors end with in combining collectives: is it what they want, and was it added up alike?
//
//   all-reduce among 3, each sends to both others in one step: all have {0-2}, as demanded; 0 and 1 as (0 + 1) + 2, but
//   2 as (2 + 0) + 1: one violation of agreement
//
// Cost: a look at each demand up to the last violation that is listed, then at each (processor, value) that rows have
// touched; the words that were kept are sorted.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "model/limits/limits.h"
#include "verifier/checker/additions.h"
#include "verifier/checker/reduction_tracker.h"

namespace quadrille::checker {
namespace {

// --- orders that part ----------------------------------------------------------------------------------------------

// PartedOrders finds where two orders of addition of the same contributions part, and writes them.
//
// Idea: two trees of the same contributions that share a summand differ in the other one; two whose summands are of the
// same contributions, and share none, differ in both, of which the lower one is looked at; any others part here.
//
//   ((0 + 1) + 2) + 3 and ((0 + 2) + 1) + 3 share 3, and part in (0 + 1) + 2 and (0 + 2) + 1: {0, 1} is no summand
//   there
//
// Cost: the contributions, for each level on which no summand is shared.

// Both outlive it.
class PartedOrders {
 public:
  PartedOrders(const Additions& additions, const Limits& limits) : additions_(additions), limits_(limits) {}

  // The sums below two different trees of the same contributions in which they part: of the same contributions again,
  // but of other summands. Throws Ended.
  std::pair<std::uint32_t, std::uint32_t> part(std::uint32_t one, std::uint32_t other);
  // Whether text() leaves out nothing.
  bool short_enough(std::uint32_t tree) { return contributions(tree).size() <= most_terms; }
  // "(0 + 2) + 1", the summand with the lower contribution first; "{0-7} + {8-15}" where there are too many.
  std::string text(std::uint32_t tree);

 private:
  static constexpr std::size_t most_terms = 16;

  std::vector<std::uint32_t> contributions(std::uint32_t tree);
  std::pair<std::uint32_t, std::uint32_t> summands(const Addition& sum);
  std::string text(std::uint32_t tree, const std::vector<std::uint32_t>& written_out, bool outermost);

  const Additions& additions_;
  const Limits& limits_;
  std::uint64_t seen_ = 0;
};

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

}  // namespace

// The demands: every wanted contribution set must be held. They are looked at one by one up to the last that is listed,
// the others only where a row has changed what is held: a processor that holds its own contribution lacks all others.
void ReductionTracker::finish() {
  if (additions_.have_trees()) judge_agreement();
  judge_demands();
}

void ReductionTracker::judge_demands() {
  const Collective& collective = pass_.table.collective;
  std::uint64_t seen = 0;
  std::uint64_t looked_at = 0;
  for (std::uint32_t value = 0; value < collective.values(); ++value) {
    for (std::uint32_t processor = 0; processor < collective.processors(); ++processor) {
      look_at_limits(pass_.limits, looked_at++);
      seen += judge_end(value, processor) ? 1 : 0;
    }
    const bool more = pass_.findings.counted(Property::complete) == 0 || collective.processors() == 1;
    if (!more && !pass_.findings.wants(Property::complete, Findings::no_step)) return count_others(value, seen);
  }
}

// As held(), but nothing is entered.
ContributionsRef ReductionTracker::held_at_end(std::uint32_t value, std::uint32_t processor) {
  const ContributionsRef* now = held_.find({value, processor});
  return now != nullptr && *now ? *now : additions_.own(processor);
}

// Where results can differ, all want the same. Of those who have it, each is compared with the lowest. Who holds its
// own contribution only has not got it, so that what no row has touched need not be looked at.
void ReductionTracker::judge_agreement() {
  std::vector<Result> results;
  std::uint64_t looked_at = 0;
  held_.each([&](const PairKey& key, const ContributionsRef& held) {
    const auto [number, processor] = key;
    look_at_limits(pass_.limits, looked_at++);
    const auto value = static_cast<std::uint32_t>(number);
    const auto wanted = pass_.table.collective.wanted_contributions(value, NodeId{processor});
    if (!wanted || !held) return;
    const ContributionsRef it = result(value, processor, Interval{wanted->first, wanted->second});
    if (!it) return;
    share_.add(2 * sizeof(Result));
    results.push_back({value, processor, it->tree()});
  });
  std::sort(results.begin(), results.end(), [&](const Result& a, const Result& b) {
    look_at_limits(pass_.limits, looked_at++);
    return std::tie(a.value, a.processor) < std::tie(b.value, b.processor);
  });
  std::size_t lowest = 0;
  for (std::size_t at = 0; at < results.size(); ++at) {
    const Result& it = results[at];
    if (it.value != results[lowest].value) lowest = at;
    if (it.tree == results[lowest].tree) continue;
    pass_.findings.add(Property::agreement, Findings::no_step, [&] { return other_order(it, results[lowest]); });
  }
  share_.remove(results.size() * 2 * sizeof(Result));
}

// Both orders, and the rows where they part.
BlamedViolation ReductionTracker::other_order(const Result& one, const Result& lowest) {
  const Fabric& fabric = pass_.table.fabric;
  PartedOrders orders(additions_, pass_.limits);
  const auto parted = orders.part(one.tree, lowest.tree);
  const bool whole = orders.short_enough(one.tree);
  BlamedViolation found{{.value = one.value}};
  const auto add = [&](const Result& result, std::uint32_t sum) {
    const AdditionPlace& where = additions_.addition(sum).where;
    AddedOrder order{NodeId{result.processor}, orders.text(whole ? result.tree : sum), where.node};
    const bool by_row = where.step != AdditionPlace::no_step;
    if (by_row) order.step = StepId{where.step};
    found.violation.orders.push_back(std::move(order));
    return by_row ? std::optional(RowPlace{StepId{where.step}, where.row}) : std::nullopt;
  };
  found.place = add(one, parted.first);
  found.other = add(lowest, parted.second);
  const AddedOrder& here = found.violation.orders.front();
  const AddedOrder& there = found.violation.orders.back();
  found.violation.step = here.step;
  found.violation.node = here.at;
  const auto where = [&](const AddedOrder& it) {
    const std::string when = it.step ? fmt::format("in {} {}", fabric.in_rounds() ? "round" : "step", it.step->value)
                                     : std::string("at the end");
    return fmt::format("at {} {}", fabric.name(it.at), when);
  };
  found.violation.message =
      fmt::format("processor {} adds up value {} {}as {}, processor {} as {}; they part {}, {}", one.processor,
                  one.value, whole ? "" : "in part ", here.sum, lowest.processor, there.sum, where(here), where(there));
  return found;
}

// What the processor ends with: its words that have wanted contributions only, chained. Null if they cannot be, or do
// not make up what is wanted.
ContributionsRef ReductionTracker::result(std::uint32_t value, std::uint32_t processor, const Interval& wanted) {
  const Intervals needed{wanted};
  const Kept* kept = kept_.find({value, processor});
  ContributionsRef now = held_at_end(value, processor);
  if (kept == nullptr) return now->intervals() == needed ? now : nullptr;
  Kept reductions = *kept;
  reductions.push_back(std::move(now));
  std::erase_if(reductions,
                [&](const ContributionsRef& reduction) { return !contains(needed, reduction->intervals()); });
  std::sort(reductions.begin(), reductions.end(), [](const ContributionsRef& a, const ContributionsRef& b) {
    return a->intervals().front().first < b->intervals().front().first;
  });
  Sum chain(additions_, nullptr);
  for (const ContributionsRef& reduction : reductions) {
    const bool gap = pass_.table.collective.ordered() && reduction->intervals().size() > 1;
    if (gap || !chain.fits(*reduction)) return nullptr;
    chain.add(reduction, {.node = NodeId{processor}});
  }
  return chain.now() && chain.now()->intervals() == needed ? chain.made() : nullptr;
}

// Whether a contribution set is asked of the processor at the end; if it is another than its result, that is a
// violation.
bool ReductionTracker::judge_end(std::uint32_t value, std::uint32_t processor) {
  const auto wanted = pass_.table.collective.wanted_contributions(value, NodeId{processor});
  if (!wanted) return false;
  const Interval needed{wanted->first, wanted->second};
  if (result(value, processor, needed)) return true;
  pass_.findings.add(Property::complete, Findings::no_step, [&] {
    std::string reductions = text_of(held_at_end(value, processor)->intervals());
    if (const Kept* kept = kept_.find({value, processor}); kept != nullptr) {
      reductions = fmt::format("{{{}}}", reductions);
      for (const ContributionsRef& reduction : *kept)
        reductions += fmt::format(", {{{}}}", text_of(reduction->intervals()));
    }
    std::string text = fmt::format("processor {} ends with the contributions {} of value {}, but {} are wanted",
                                   processor, reductions, value, text_of({needed}));
    return BlamedViolation{{.node = NodeId{processor},
                            .value = value,
                            .contribution = first_missing(held_at_end(value, processor)->intervals(), needed),
                            .message = std::move(text)},
                           std::nullopt};
  });
  return true;
}

// Counts the violations in the values after `last`; `seen`: the demands up to it. A set that its processor has from
// the start (prefix: that of processor 0) is asked for in every value or in none.
void ReductionTracker::count_others(std::uint32_t last, std::uint64_t seen) {
  const Collective& collective = pass_.table.collective;
  std::uint64_t unmet = collective.demands() - seen;
  for (std::uint32_t processor = 0; processor < collective.processors(); ++processor) {
    const auto wanted = collective.wanted_contributions(last, NodeId{processor});
    if (wanted && wanted->first == processor && wanted->second == processor) unmet -= collective.values() - 1 - last;
  }
  std::uint64_t looked_at = 0;
  held_.each([&](const PairKey& key, const ContributionsRef& held) {
    const auto [number, processor] = key;
    look_at_limits(pass_.limits, looked_at++);
    if (number <= last) return;
    const auto value = static_cast<std::uint32_t>(number);
    const auto wanted = collective.wanted_contributions(value, NodeId{processor});
    if (!wanted || !held) return;
    const bool from_start = wanted->first == processor && wanted->second == processor;
    const bool met = result(value, processor, Interval{wanted->first, wanted->second}) != nullptr;
    if (met && !from_start) --unmet;
    if (!met && from_start) ++unmet;
  });
  pass_.findings.count(Property::complete, unmet);
}

}  // namespace quadrille::checker
