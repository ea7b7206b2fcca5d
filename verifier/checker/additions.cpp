// Idea and cost: additions.h.
#include "verifier/checker/additions.h"

#include <algorithm>

namespace quadrille::checker {

Additions::Additions(const Collective& collective, Budget& budget)
    : budget_(budget),
      trees_(collective.results_can_differ()),
      idempotent_(collective.idempotent()),
      next_(collective.processors()),
      nodes_(budget) {}

ContributionsRef Additions::own(std::uint32_t processor) {
  return std::make_shared<const SharedContributions>(Intervals{Interval{processor, processor}}, budget_, processor);
}

ContributionsRef Additions::united(const SharedContributions& a, const SharedContributions& b) {
  return std::make_shared<const SharedContributions>(checker::united(a.intervals(), b.intervals()), budget_,
                                                     trees_ ? tree_of(a.tree(), b.tree()) : 0);
}

bool Additions::fit(const SharedContributions& a, const SharedContributions& b) const {
  return idempotent_ || disjoint(a.intervals(), b.intervals());
}

// No node is numbered 0, as there is at least one leaf: 0 in the table is a new one.
std::uint32_t Additions::tree_of(std::uint32_t a, std::uint32_t b) {
  constexpr std::uint32_t most = 0xfffffffe;
  std::uint32_t& number = nodes_.insert(std::min(a, b), std::max(a, b));
  if (number != 0) return number;
  if (next_ == most) throw OverBudget{};
  return number = next_++;
}

}  // namespace quadrille::checker
