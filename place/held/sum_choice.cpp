// A depth-first search chooses the partial reductions. It undoes a choice that leads nowhere, and remembers the
// contributions that were missing then. Where all partial reductions are intervals, the missing contributions have a
// form such as `4 and above`, so that the search meets each such set once.
//
// For example, of {0}, {1-2} and {0-1}, which make up {0-2}: {0-1} begins with 0 and is the largest that does, but no
// set brings 2 alone; so the choice is {0}, and then {1-2}. Cost: for intervals, the square of their number; in general
// the search is exponential, but few processors hold sets that make it long.
#include "place/held/sum_choice.h"

#include <algorithm>
#include <set>

namespace quadrille {
namespace {

class SumChoice {
 public:
  SumChoice(std::span<const ContributionSet> held, const ContributionSet& wanted, bool idempotent)
      : held_(held), wanted_(wanted), idempotent_(idempotent) {}

  std::optional<std::vector<std::uint32_t>> run() {
    if (extend(wanted_)) return chosen_;
    return std::nullopt;
  }

 private:
  bool extend(const ContributionSet& missing) {
    if (missing.empty()) return true;
    if (failed_.contains(missing)) return false;
    for (const std::uint32_t number : candidates(missing)) {
      chosen_.push_back(number);
      if (extend(missing.without(held_[number]))) return true;
      chosen_.pop_back();
    }
    failed_.insert(missing);
    return false;
  }

  std::vector<std::uint32_t> candidates(const ContributionSet& missing) const {
    const ContributionSet first(missing.smallest());
    // An idempotent operation may take a contribution several times.
    const ContributionSet& allowed = idempotent_ ? wanted_ : missing;
    std::vector<std::uint32_t> result;
    for (std::uint32_t number = 0; number < held_.size(); ++number) {
      if (held_[number].contains(first) && allowed.contains(held_[number])) result.push_back(number);
    }
    std::stable_sort(result.begin(), result.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return held_[a].size() > held_[b].size(); });
    return result;
  }

  std::span<const ContributionSet> held_;
  const ContributionSet& wanted_;
  bool idempotent_;
  std::vector<std::uint32_t> chosen_;
  std::set<ContributionSet> failed_;
};

}  // namespace

std::optional<std::vector<std::uint32_t>> making_up(std::span<const ContributionSet> held,
                                                    const ContributionSet& wanted, bool idempotent) {
  return SumChoice(held, wanted, idempotent).run();
}

}  // namespace quadrille
