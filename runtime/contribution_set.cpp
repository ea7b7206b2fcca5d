// Contribution sets as sorted runs that never touch: {0, 1, 2} is the run 0…2, and united with {3} the run 0…3. Each
// operation walks both lists once, like the merge of merge sort. Cost: the number of runs of both.
#include "runtime/contribution_set.h"

#include <algorithm>
#include <iterator>

namespace quadrille::replaying {

namespace {

bool before(const ContributionSet::Interval& a, const ContributionSet::Interval& b) { return a.first < b.first; }

}  // namespace

ContributionSet::ContributionSet(std::uint32_t first, std::uint32_t last) : ContributionSet(Runs{{first, last}}) {}

bool ContributionSet::operator==(const ContributionSet& other) const {
  return runs_ == other.runs_ || (runs_ && other.runs_ && *runs_ == *other.runs_);
}

bool ContributionSet::disjoint(const ContributionSet& other) const {
  if (empty() || other.empty()) return true;
  auto a = runs_->begin();
  auto b = other.runs_->begin();
  while (a != runs_->end() && b != other.runs_->end()) {
    if (a->last < b->first) {
      ++a;
    } else if (b->last < a->first) {
      ++b;
    } else {
      return false;
    }
  }
  return true;
}

bool ContributionSet::contains(const ContributionSet& other) const {
  if (other.empty()) return true;
  if (empty()) return false;
  auto run = runs_->begin();
  for (const Interval& wanted : *other.runs_) {
    while (run != runs_->end() && run->last < wanted.first) ++run;
    if (run == runs_->end() || run->first > wanted.first || run->last < wanted.last) return false;
  }
  return true;
}

ContributionSet ContributionSet::united(const ContributionSet& other) const {
  if (empty()) return other;
  if (other.empty()) return *this;
  Runs all;
  all.reserve(runs_->size() + other.runs_->size());
  std::merge(runs_->begin(), runs_->end(), other.runs_->begin(), other.runs_->end(), std::back_inserter(all), before);
  std::size_t last = 0;
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (all[i].first <= all[last].last || all[i].first == all[last].last + 1) {
      all[last].last = std::max(all[last].last, all[i].last);
    } else {
      all[++last] = all[i];
    }
  }
  all.resize(last + 1);
  return ContributionSet(std::move(all));
}

}  // namespace quadrille::replaying
