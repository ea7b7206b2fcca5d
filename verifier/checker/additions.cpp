// Idea and cost: additions.h.
#include "verifier/checker/additions.h"

#include <algorithm>

namespace quadrille::checker {

Additions::Additions(const Collective& collective, Budget& budget)
    : budget_(budget),
      trees_(collective.results_can_differ()),
      ordered_(collective.ordered()),
      idempotent_(collective.idempotent()),
      leaves_(collective.processors()),
      share_(budget),
      nodes_(budget) {}

ContributionsRef Additions::own(std::uint32_t processor) {
  return std::make_shared<const SharedContributions>(Intervals{Interval{processor, processor}}, budget_, processor);
}

ContributionsRef Additions::united(const SharedContributions& a, const SharedContributions& b,
                                   const AdditionPlace& where) {
  return std::make_shared<const SharedContributions>(checker::united(a.intervals(), b.intervals()), budget_,
                                                     trees_ ? tree_of(a.tree(), b.tree(), where) : 0);
}

ContributionsRef Additions::together(const SharedContributions& a, const SharedContributions& b) {
  return std::make_shared<const SharedContributions>(checker::united(a.intervals(), b.intervals()), budget_, 0);
}

bool Additions::fit(const SharedContributions& a, const SharedContributions& b) const {
  return idempotent_ || disjoint(a.intervals(), b.intervals());
}

// No node is numbered 0, as there is at least one leaf: 0 in the table is a new one.
std::uint32_t Additions::tree_of(std::uint32_t a, std::uint32_t b, const AdditionPlace& where) {
  constexpr std::uint32_t most = 0xfffffffe;
  std::uint32_t& number = *nodes_.insert({std::min(a, b), std::max(a, b)}).first;
  if (number != 0) return number;
  if (additions_.size() >= most - leaves_) throw OverBudget{};
  share_.add(2 * sizeof(Addition));  // as vectors grow
  number = leaves_ + static_cast<std::uint32_t>(additions_.size());
  additions_.push_back({std::min(a, b), std::max(a, b), where});
  return number;
}

void Sum::add(const ContributionsRef& set, const AdditionPlace& where) {
  if (additions_.ordered()) {
    added_.emplace_back(set, where);
    now_ = now_ ? additions_.together(*now_, *set) : set;
  } else {
    now_ = now_ ? additions_.united(*now_, *set, where) : set;
  }
}

void Sum::replace(const ContributionsRef& set) {
  added_.clear();
  held_ = now_ = set;
}

ContributionsRef Sum::made() {
  if (added_.empty()) return now_;
  const auto smallest = [](const Addend& it) { return it.first->intervals().front().first; };
  std::ranges::stable_sort(added_, {}, smallest);
  auto above = added_.begin();
  ContributionsRef sum = held_ ? held_ : (above++)->first;
  while (above != added_.end() && smallest(*above) < sum->intervals().front().first) ++above;
  for (auto it = above; it != added_.begin() && held_; --it)
    sum = additions_.united(*sum, *std::prev(it)->first, std::prev(it)->second);
  for (auto it = above; it != added_.end(); ++it) sum = additions_.united(*sum, *it->first, it->second);
  return sum;
}

}  // namespace quadrille::checker
