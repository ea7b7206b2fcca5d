// Words are chosen depth first: a choice that leads nowhere is undone, and what was missing then is remembered. Where
// words are intervals, something like `4 and above` is missing, so that each is met once.
//
// For example, of {0}, {1-2} and {0-1}, which make up {0-2}: {0-1} begins with 0 and is the largest that does, but no
// word brings 2 alone; so it is {0}, and then {1-2}. Cost: for intervals, the square of the words; in general there may
// be very many ways, of which few processors have any.
#include "compiler/plan/held/held_words.h"

#include <algorithm>
#include <set>

namespace quadrille {
namespace {

// One search for words that make up a set.
class WordChoice {
 public:
  WordChoice(const std::vector<ContributionSet>& words, const ContributionSet& wanted, bool idempotent)
      : words_(words), wanted_(wanted), idempotent_(idempotent) {}

  std::optional<std::vector<std::uint32_t>> run() {
    if (extend(wanted_)) return chosen_;
    return std::nullopt;
  }

 private:
  bool extend(const ContributionSet& missing) {
    if (missing.empty()) return true;
    if (failed_.contains(missing)) return false;
    for (const std::uint32_t word : candidates(missing)) {
      chosen_.push_back(word);
      if (extend(missing.without(words_[word]))) return true;
      chosen_.pop_back();
    }
    failed_.insert(missing);
    return false;
  }

  std::vector<std::uint32_t> candidates(const ContributionSet& missing) const {
    const ContributionSet first(missing.smallest());
    // What comes again does no harm where the operation is idempotent.
    const ContributionSet& allowed = idempotent_ ? wanted_ : missing;
    std::vector<std::uint32_t> result;
    for (std::uint32_t word = 0; word < words_.size(); ++word) {
      if (words_[word].contains(first) && allowed.contains(words_[word])) result.push_back(word);
    }
    std::stable_sort(result.begin(), result.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return words_[a].size() > words_[b].size(); });
    return result;
  }

  const std::vector<ContributionSet>& words_;
  const ContributionSet& wanted_;
  bool idempotent_;
  std::vector<std::uint32_t> chosen_;
  std::set<ContributionSet> failed_;
};

}  // namespace

const std::vector<ContributionSet>& HeldWords::of(Key key) {
  std::vector<ContributionSet>& words = words_[key];
  if (words.empty()) words.emplace_back(key.second);
  return words;
}

std::optional<std::vector<std::uint32_t>> HeldWords::making_up(Key key, const ContributionSet& wanted) {
  return WordChoice(of(key), wanted, collective_->idempotent()).run();
}

ContributionSet HeldWords::chained(Key key, std::span<const std::uint32_t> words) {
  const std::vector<ContributionSet>& all = of(key);
  if (words.size() == 1 && words.front() < all.size()) return all[words.front()];
  ContributionSet result;
  for (const std::uint32_t word : words) {
    const bool fits = word < all.size() && (collective_->idempotent() || result.disjoint(all[word]));
    if (fits) result = result.united(all[word]);
  }
  return result;
}

Arrival HeldWords::arrive(Key key, const ContributionSet& brought, Arrival said) {
  of(key);
  std::vector<ContributionSet>& words = words_[key];
  ContributionSet& held = words.front();
  if (said == Arrival::kept) {
    words.push_back(brought);
    return Arrival::kept;
  }
  if (said != Arrival::combined && brought.contains(held)) {
    held = brought;
    return Arrival::stored;
  }
  const bool fits = collective_->idempotent() || held.disjoint(brought);
  if (said == Arrival::stored || !fits) return Arrival::joined;
  held = held.united(brought);
  return Arrival::combined;
}

}  // namespace quadrille
