// Idea: the step of arrival is a sum of at most two distances, a number of the parameters and a constant, the same for
// all entries of a case. A case is cut off by one comparison of the language; what is left is guessed in the same way.
// Of all comparisons, one that leaves a single case is taken first, then those that explain the most entries; those
// without products of variables first. If that fails, even and odd parts are guessed apart.
//
//   all-gather both ways round a ring: where (k - x) mod N is at most N/2 it is the step; elsewhere (x - k) mod N is
//
// A sum is found by weights: with a random weight w for each entry, the weighted sums of columns add up as the columns
// do, so that t = a + b + 3 at all entries if the weighted sums say so (and then it is looked at). Few entries are
// looked at first; those that the guess gets wrong are added, and it is made again (Solar-Lezama's loop of guesses and
// counterexamples). Where all this fails, the sends are guessed that bring the items, and their steps are taken.
//
// Cost: (number of tests) * (number of columns) * (number of entries) operations for each case, below some 10^9.

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <span>
#include <unordered_set>

#include "verifier/prover/relation/columns.h"

namespace quadrille::prover {
namespace {

constexpr std::size_t most_looked_at = 1500;  // entries at first
constexpr std::size_t most_guessed_cases = 6;
constexpr std::size_t most_followed_up = 5;   // comparisons, of those that explain the most
constexpr std::size_t most_looked_into = 40;  // comparisons
constexpr std::size_t most_searches = 60;     // of the search for cases
constexpr std::uint64_t seed = 20261129;

using Mask = std::vector<std::size_t>;  // the entries of a subset

// Finds sums of columns that have given values at some entries.
class Sums {
 public:
  Sums(const GuessLanguage& language, std::size_t entries, Watch& watch)
      : language_(language), watch_(watch), weights_(entries) {
    std::mt19937_64 random(seed);
    for (auto& weight : weights_) weight = random();
  }

  // `pairs`: also sums of two distances.
  std::optional<Number> fit(const Mask& subset, const std::vector<std::int64_t>& target, bool pairs) {
    const std::int64_t first = target[subset[0]];
    if (std::ranges::all_of(subset, [&](std::size_t i) { return target[i] == first; })) return Number(int(first));
    // Most subsets fit nothing, and few of their entries show it.
    constexpr std::size_t few = 24;
    if (subset.size() > 2 * few) {
      Mask some;
      for (std::size_t i = 0; i < few; ++i) some.push_back(subset[i * subset.size() / few]);
      if (!found(some, target, pairs)) return std::nullopt;
    }
    watch_.require_open();
    const auto sum = found(subset, target, pairs);
    return sum ? std::optional(number_of(*sum)) : std::nullopt;
  }

 private:
  // A number of the parameters: at most two of the language's sizes, each with a factor, and a constant.
  struct SizeSum {
    std::array<std::size_t, 2> sizes = {none, none};
    std::array<int, 2> factors = {0, 0};
    int constant = 0;
  };
  static constexpr std::size_t none = ~std::size_t{0};
  // A rest, and at most two distances, each with a factor.
  struct GuessedSum {
    std::size_t rest = 0;
    std::array<std::size_t, 2> distances = {none, none};
    std::array<int, 2> factors = {0, 0};
  };

  std::optional<GuessedSum> found(const Mask& subset, const std::vector<std::int64_t>& target, bool pairs) {
    const std::uint64_t wanted = weighed(subset, target);
    find_rests(subset);
    if (const auto rest = rest_of(wanted)) return GuessedSum{*rest};
    sums_.clear();
    for (const GuessColumn& each : language_.distances) sums_.push_back(weighed(subset, each.values));
    for (std::size_t a = 0; a < sums_.size(); ++a) {
      for (const int factor : {1, -1, 2, -2}) {
        const auto rest = rest_of(wanted - sums_[a] * static_cast<std::uint64_t>(factor));
        if (rest) return GuessedSum{*rest, {a, none}, {factor, 0}};
      }
    }
    for (std::size_t a = 0; pairs && a < sums_.size(); ++a) {
      for (std::size_t b = 0; b < sums_.size(); ++b) {
        for (const int factor : {1, -1}) {
          if (a == b) continue;
          const auto rest = rest_of(wanted - sums_[a] - sums_[b] * static_cast<std::uint64_t>(factor));
          if (rest) return GuessedSum{*rest, {a, b}, {1, factor}};
        }
      }
    }
    return std::nullopt;
  }

  Number number_of(const GuessedSum& sum) const {
    const SizeSum& rest = rests_[sum.rest];
    Number result(rest.constant);
    for (std::size_t i = 0; i < 2; ++i) {
      if (rest.sizes[i] != none) result = result + language_.sizes[rest.sizes[i]].number * Number(rest.factors[i]);
      if (sum.distances[i] != none)
        result = result + language_.distances[sum.distances[i]].number * Number(sum.factors[i]);
    }
    return result;
  }

  std::uint64_t weighed(const Mask& subset, const std::vector<std::int64_t>& values) const {
    std::uint64_t sum = 0;
    for (const std::size_t i : subset) sum += weights_[i] * static_cast<std::uint64_t>(values[i]);
    return sum;
  }

  // All rests, the simpler first.
  void list_rests() {
    const std::size_t sizes = language_.sizes.size();
    const auto add = [&](const SizeSum& rest) {
      for (const int constant : {0, 1, -1, 2, -2, 3, -3}) {
        rests_.push_back(rest);
        rests_.back().constant = constant;
      }
    };
    add({});
    for (const int factor : {1, 2, -1, -2}) {
      for (std::size_t a = 0; a < sizes; ++a) add({{a, none}, {factor, 0}, 0});
    }
    for (const int factor : {1, -1}) {
      for (std::size_t a = 0; a < sizes; ++a) {
        for (std::size_t b = 0; b < sizes; ++b) {
          if (a != b && (factor == -1 || a < b)) add({{a, b}, {1, factor}, 0});
        }
      }
    }
    std::size_t places = 1;
    while (places < 4 * rests_.size()) places *= 2;
    table_.resize(places);
  }

  // The table of the rests by their weighted sums at these entries; of two with one sum, the first.
  void find_rests(const Mask& subset) {
    if (rests_.empty()) list_rests();
    std::ranges::fill(table_, SumPlace{});
    std::uint64_t one = 0;
    for (const std::size_t i : subset) one += weights_[i];
    std::vector<std::uint64_t> sums;
    for (const GuessColumn& each : language_.sizes) sums.push_back(weighed(subset, each.values));
    for (std::size_t r = 0; r < rests_.size(); ++r) {
      const SizeSum& rest = rests_[r];
      std::uint64_t sum = one * static_cast<std::uint64_t>(rest.constant);
      for (std::size_t i = 0; i < 2; ++i) {
        if (rest.sizes[i] != none) sum += sums[rest.sizes[i]] * static_cast<std::uint64_t>(rest.factors[i]);
      }
      SumPlace& place = table_[place_of(sum)];
      if (place.rest == none) place = {sum, r};
    }
  }

  struct SumPlace {
    std::uint64_t sum = 0;
    std::size_t rest = none;
  };
  // Where the sum is, or would be.
  std::size_t place_of(std::uint64_t sum) const {
    constexpr std::uint64_t scatter = 0x9e3779b97f4a7c15;
    std::size_t at = (sum * scatter >> 20) & (table_.size() - 1);
    while (table_[at].rest != none && table_[at].sum != sum) at = (at + 1) & (table_.size() - 1);
    return at;
  }
  std::optional<std::size_t> rest_of(std::uint64_t sum) const {
    const SumPlace& place = table_[place_of(sum)];
    return place.rest == none ? std::nullopt : std::optional(place.rest);
  }

  const GuessLanguage& language_;
  Watch& watch_;
  std::vector<std::uint64_t> weights_;
  std::vector<SizeSum> rests_;
  std::vector<SumPlace> table_;
  std::vector<std::uint64_t> sums_;  // of the distances
};

// One case of a guess: what holds of it, and its number; nothing: the label `never`.
struct GuessedCase {
  Formula when = nullptr;
  std::optional<Number> number;
  Mask entries;
};

// Guesses cases for a target, which has no value at some entries.
class CaseSearch {
 public:
  CaseSearch(Algebra& algebra, const GuessLanguage& language, Sums& sums,
             const std::vector<std::optional<std::int64_t>>& target)
      : algebra_(algebra), language_(language), sums_(sums), target_(target) {
    for (const auto& each : target) values_.push_back(each.value_or(0));
  }

  std::optional<std::vector<GuessedCase>> guess(const Mask& all, std::size_t most) {
    calls_ = 0;
    tests_ = language_.plain_tests;
    auto found = solve(all, most);
    if (found || tests_ == language_.tests.size()) return found;
    calls_ = 0;
    tests_ = language_.tests.size();
    return solve(all, most);
  }

  // The same, or with cases of their own where a test holds and where it does not.
  std::optional<std::vector<GuessedCase>> guess_or_halve(const Mask& all, std::size_t most) {
    if (auto whole = guess(all, most)) return whole;
    for (const GuessTest& test : language_.halves) {
      Mask here, there;
      for (const std::size_t i : all) (test.holds[i] != 0 ? here : there).push_back(i);
      if (here.empty() || there.empty()) continue;
      auto first = guess(here, most);
      auto second = first ? guess(there, most) : std::nullopt;
      if (!second) continue;
      for (GuessedCase& each : *first) each.when = algebra_.conjunction({test.formula, each.when});
      std::ranges::move(*second, std::back_inserter(*first));
      return first;
    }
    return std::nullopt;
  }

 private:
  // One number for all of these entries, or `never` for all.
  std::optional<GuessedCase> one_case(const Mask& subset, bool pairs) {
    const auto never =
        static_cast<std::size_t>(std::ranges::count_if(subset, [&](std::size_t i) { return !target_[i].has_value(); }));
    if (never == subset.size()) return GuessedCase{algebra_.truth(true), std::nullopt, subset};
    if (never > 0) return std::nullopt;
    auto number = sums_.fit(subset, values_, pairs);
    if (!number) return std::nullopt;
    return GuessedCase{algebra_.truth(true), std::move(number), subset};
  }

  struct Candidate {
    const GuessTest* test = nullptr;
    bool holds = true;
    GuessedCase one;
  };

  std::vector<Candidate> candidates(const Mask& subset, bool pairs) {
    std::vector<Candidate> result;
    std::unordered_set<std::size_t> seen;
    for (const GuessTest& test : std::span(language_.tests).first(tests_)) {
      for (const bool holds : {true, false}) {
        Mask part;
        std::size_t hash = 0;
        for (const std::size_t i : subset) {
          if ((test.holds[i] != 0) != holds) continue;
          part.push_back(i);
          hash = hash * 1'000'003 + i;
        }
        if (part.empty() || part.size() == subset.size() || !seen.insert(hash).second) continue;
        auto one = one_case(part, pairs);
        if (!one) continue;
        one->when = holds ? test.formula : algebra_.negation(test.formula);
        result.push_back({&test, holds, std::move(*one)});
      }
    }
    return result;
  }

  static Mask rest_of(const Candidate& candidate, const Mask& subset) {
    Mask rest;
    for (const std::size_t i : subset) {
      if ((candidate.test->holds[i] != 0) != candidate.holds) rest.push_back(i);
    }
    return rest;
  }

  // Two cases, if one comparison makes all plain. Sums of two distances, which take long, are tried with simple ones.
  std::optional<std::vector<GuessedCase>> two_cases(const std::vector<Candidate>& found, const Mask& subset) {
    for (std::size_t i = 0; i < found.size(); ++i) {
      auto other = one_case(rest_of(found[i], subset), i < most_looked_into);
      if (other) return std::vector<GuessedCase>{found[i].one, std::move(*other)};
    }
    return std::nullopt;
  }

  std::optional<std::vector<GuessedCase>> solve(const Mask& subset, std::size_t most) {
    if (auto one = one_case(subset, true)) return std::vector<GuessedCase>{std::move(*one)};
    if (most <= 1 || ++calls_ > most_searches) return std::nullopt;
    std::vector<Candidate> found = candidates(subset, false);
    if (found.empty()) found = candidates(subset, true);
    if (auto two = two_cases(found, subset)) return two;
    std::ranges::stable_sort(
        found, [](const Candidate& a, const Candidate& b) { return a.one.entries.size() > b.one.entries.size(); });
    std::size_t tried = 0;
    for (Candidate& each : found) {
      if (tried++ == most_followed_up || most == 2) break;
      auto others = solve(rest_of(each, subset), most - 1);
      if (!others) continue;
      others->insert(others->begin(), std::move(each.one));
      return others;
    }
    return std::nullopt;
  }

  Algebra& algebra_;
  const GuessLanguage& language_;
  Sums& sums_;
  const std::vector<std::optional<std::int64_t>>& target_;
  std::vector<std::int64_t> values_;
  std::size_t calls_ = 0;
  std::size_t tests_ = 0;  // that are tried
};

class Guess {
 public:
  Guess(const Writing& writing, const Relation& empty, const SmallArrivals& arrivals, bool with_digits)
      : writing_(writing), empty_(empty), arrivals_(arrivals), with_digits_(with_digits), atoms_(empty.scope()) {
    chosen_.assign(arrivals.entries.size(), false);
    std::mt19937_64 random(seed);
    Mask all(arrivals.entries.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::ranges::shuffle(all, random);
    for (const std::size_t i : all) choose(i, most_looked_at);
  }

  std::optional<GuessedRelation> made() {
    for (int again = 0; again < 4; ++again) {
      const GuessLanguage language = guess_language(writing_, empty_, arrivals_.sizes, looked_at_, with_digits_);
      Sums sums(language, looked_at_.size(), writing_.watch);
      std::vector<std::optional<std::int64_t>> steps;
      for (const ArrivedItem* each : looked_at_) steps.push_back(each->step);
      Mask all(looked_at_.size());
      std::iota(all.begin(), all.end(), std::size_t{0});
      const auto cases = cases_of(language, CaseSearch(writing_.algebra, language, sums, steps), all);
      if (!cases) return std::nullopt;
      GuessedRelation result{empty_, nullptr, {}};
      for (const GuessedCase& each : *cases) result.relation.cases.push_back({each.when, each.number, {}, {}});
      if (add_wrong(result.relation)) continue;
      add_ranges(language, result.relation);
      add_senders(language, *cases, result);
      return result;
    }
    return std::nullopt;
  }

 private:
  // The fewest cases that are found: for the steps; where that needs many, by the sends that bring the items; and with
  // what everyone begins with as a case of its own.
  std::optional<std::vector<GuessedCase>> cases_of(const GuessLanguage& language, CaseSearch search,
                                                   const Mask& all) const {
    constexpr std::size_t few = 3;
    auto found = search.guess_or_halve(all, most_guessed_cases);
    if (found && found->size() <= few) return found;
    if (auto by_sends = cases_by_sends(language, all)) {
      if (!found || by_sends->size() < found->size()) return by_sends;
    }
    return found ? std::move(found) : cases_but_own(std::move(search), all);
  }

  std::optional<std::vector<GuessedCase>> cases_but_own(CaseSearch search, const Mask& all) const {
    const RelationItem item = empty_.item();
    GuessedCase own{writing_.algebra.equal(item.holder, item.origin), Number(0), {}};
    Mask others;
    for (const std::size_t i : all) (evaluate(own.when, values_of(*looked_at_[i])) ? own.entries : others).push_back(i);
    if (own.entries.empty() || others.empty()) return std::nullopt;
    auto found = search.guess_or_halve(others, most_guessed_cases);
    if (found) found->insert(found->begin(), std::move(own));
    return found;
  }

  // A case for each family that brings something, where the step is that of the send whose variables are guessed.
  std::optional<std::vector<GuessedCase>> cases_by_sends(const GuessLanguage& language, const Mask& all) const {
    GuessLanguage labels = language;
    labels.sizes.clear();
    labels.distances.clear();
    Sums sums(labels, looked_at_.size(), writing_.watch);
    std::vector<std::optional<std::int64_t>> target;  // 0: it is there at the start
    for (const ArrivedItem* each : looked_at_) {
      target.push_back(each->step);
      if (each->family) target.back() = static_cast<std::int64_t>(*each->family) + 1;
    }
    auto cases = CaseSearch(writing_.algebra, labels, sums, target).guess(all, most_guessed_cases);
    if (!cases) return std::nullopt;
    for (GuessedCase& each : *cases) {
      if (!each.number || *each.number == Number(0)) continue;
      const std::size_t family = *looked_at_[each.entries.front()]->family;
      each.number = step_of_send(family, sender(language, family, each.entries));
      if (!each.number) return std::nullopt;
    }
    return cases;
  }

  // The step in which a send with these values arrives. Nothing if it depends on others.
  std::optional<Number> step_of_send(std::size_t family, const Substitution& values) const {
    const Number& arrival = arrivals_.arrivals[family];
    const Variables inside = variables_in(arrival);
    for (const Atom variable : delivery_variables(writing_.problem.families[family])) {
      if (inside.count(variable) > 0 && values.count(variable) == 0) return std::nullopt;
    }
    return writing_.algebra.substituted(arrival, values);
  }

  void choose(std::size_t entry, std::size_t most) {
    if (chosen_[entry] || looked_at_.size() >= most) return;
    chosen_[entry] = true;
    looked_at_.push_back(&arrivals_.entries[entry]);
  }

  // Adds entries that the relation gets wrong. False if there are none.
  bool add_wrong(const Relation& relation) {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < arrivals_.entries.size() && wrong < most_looked_at / 3; ++i) {
      if (chosen_[i]) continue;
      const ArrivedItem& entry = arrivals_.entries[i];
      if (right(relation, entry)) continue;
      ++wrong;
      choose(i, looked_at_.size() + 1);
    }
    return wrong > 0;
  }

  bool right(const Relation& relation, const ArrivedItem& entry) const {
    const Relation::ArrivalCase& each = relation.cases[case_of(relation, entry)];
    if (!each.arrival || !entry.step) return !each.arrival && !entry.step;
    return evaluate(*each.arrival, values_of(entry)) == *entry.step;
  }

  // The first and the last step of each case, as formulas of the parameters.
  void add_ranges(const GuessLanguage& language, Relation& relation) {
    const auto& entries = arrivals_.entries;
    for (std::size_t number = 0; number < relation.cases.size(); ++number) {
      if (!relation.cases[number].arrival) continue;
      std::map<std::size_t, std::pair<std::int64_t, std::int64_t>> ends;  // by size
      for (const ArrivedItem& entry : entries) {
        if (!entry.step || *entry.step < 1 || case_of(relation, entry) != number) continue;
        const auto [at, fresh] = ends.try_emplace(entry.size, *entry.step, *entry.step);
        at->second.first = std::min(at->second.first, *entry.step);
        at->second.second = std::max(at->second.second, *entry.step);
      }
      if (ends.empty()) continue;
      relation.cases[number].first = of_sizes(language, ends, -1);
      relation.cases[number].last = of_sizes(language, ends, 1);
    }
  }

  // A number of the parameters with the second values at the sizes (`way` 1), or else one that is never below them; or
  // (-1) the first values, or never above them.
  std::optional<Number> of_sizes(const GuessLanguage& language,
                                 const std::map<std::size_t, std::pair<std::int64_t, std::int64_t>>& ends,
                                 int way) const {
    std::vector<Number> candidates = {Number(0)};
    for (const GuessColumn& each : language.sizes) candidates.push_back(each.number);
    for (std::size_t a = 0; a < language.sizes.size(); ++a) {
      for (std::size_t b = a; b < language.sizes.size(); ++b)
        candidates.push_back(language.sizes[a].number + language.sizes[b].number);
    }
    std::optional<Number> best;
    std::optional<Integer> best_excess;
    for (const Number& candidate : candidates) {
      std::optional<Integer> more;  // the least (greatest) number that must be added
      Integer sum = 0;
      for (const auto& [size, range] : ends) {
        const Integer missing = (way > 0 ? range.second : range.first) - evaluate(candidate, arrivals_.sizes[size]);
        sum += missing;
        if (!more || (way > 0 ? missing > *more : missing < *more)) more = missing;
      }
      const Integer excess = (*more * static_cast<int>(ends.size()) - sum) * way;
      if (abs(*more) > 3 || (best_excess && excess >= *best_excess)) continue;
      best = candidate + Number(Rational(*more));
      best_excess = excess;
    }
    return best;
  }

  std::size_t case_of(const Relation& relation, const ArrivedItem& entry) const {
    const Assignment values = values_of(entry);
    std::size_t number = 0;
    while (number + 1 < relation.cases.size() && !evaluate(relation.cases[number].when, values)) ++number;
    return number;
  }

  Assignment values_of(const ArrivedItem& entry) const {
    Assignment values = arrivals_.sizes[entry.size];
    for (std::size_t digit = 0; digit < atoms_.size(); ++digit) values[atoms_[digit]] = entry.digits[digit];
    return values;
  }

  // For each case and family that brings some of it, formulas for the variables of such a send.
  void add_senders(GuessLanguage language, const std::vector<GuessedCase>& cases, GuessedRelation& result) {
    result.step = writing_.algebra.variable("t", Number(1), std::nullopt);
    GuessColumn step{Number(result.step), {}};
    for (const ArrivedItem* each : looked_at_) step.values.push_back(each->step.value_or(0));
    language.distances.insert(language.distances.begin(), std::move(step));
    for (std::size_t c = 0; c < cases.size(); ++c) {
      for (std::size_t f = 0; f < writing_.problem.families.size(); ++f) {
        Mask brought;
        for (const std::size_t i : cases[c].entries) {
          if (looked_at_[i]->family == f) brought.push_back(i);
        }
        if (!brought.empty()) result.brought.push_back({c, f, sender(language, f, brought)});
      }
    }
  }

  // First those variables by which the others' digits are told.
  Substitution sender(const GuessLanguage& language, std::size_t f, const Mask& brought) const {
    const Family& family = writing_.problem.families[f];
    const std::vector<Atom> variables = delivery_variables(family);
    const std::set<DigitPlace> places = digit_places(family);
    Substitution values;
    add_values(language, variables, brought, values);
    if (values.size() == variables.size() || places.empty() || !with_digits_) return values;
    GuessLanguage more = language;
    for (const DigitPlace& each : places) add_digits(each, family, brought, values, more);
    add_values(more, variables, brought, values);
    return values;
  }

  // Adds formulas for variables that have none.
  void add_values(const GuessLanguage& language, const std::vector<Atom>& variables, const Mask& brought,
                  Substitution& values) const {
    Sums sums(language, looked_at_.size(), writing_.watch);
    for (std::size_t v = 0; v < variables.size(); ++v) {
      if (values.count(variables[v]) > 0) continue;
      std::vector<std::optional<std::int64_t>> target(looked_at_.size());
      for (const std::size_t i : brought) target[i] = looked_at_[i]->send[v];
      const auto found = CaseSearch(writing_.algebra, language, sums, target).guess(brought, 2);
      if (!found) continue;
      Number value = *found->back().number;
      if (found->size() > 1) value = writing_.algebra.choice(found->front().when, *found->front().number, value);
      values[variables[v]] = std::move(value);
    }
  }

  // Adds what stands at the digit, if formulas are known for what it depends on.
  void add_digits(const DigitPlace& place, const Family& family, const Mask& brought, const Substitution& known,
                  GuessLanguage& language) const {
    const std::vector<Atom> variables = delivery_variables(family);
    const Variables inside = variables_in(place.power);
    for (const Atom variable : variables) {
      if (inside.count(variable) > 0 && known.count(variable) == 0) return;
    }
    GuessColumn powers{Number(1), std::vector<std::int64_t>(looked_at_.size(), 1)};
    GuessColumn bases{place.base, powers.values};
    Substitution inside_ranges;
    for (const auto& [variable, value] : known)
      inside_ranges[variable] = inside_range(writing_.algebra, variable, value);
    try {
      powers.number = writing_.algebra.substituted(place.power, inside_ranges);
    } catch (const Unsupported&) {  // an exponent that is not linear
      return;
    }
    for (const std::size_t i : brought) {
      Assignment values = arrivals_.sizes[looked_at_[i]->size];
      for (std::size_t v = 0; v < variables.size(); ++v) values[variables[v]] = looked_at_[i]->send[v];
      powers.values[i] = std::max<std::int64_t>(1, static_cast<std::int64_t>(evaluate(place.power, values)));
      bases.values[i] = static_cast<std::int64_t>(evaluate(place.base, values));
    }
    std::ranges::move(columns_at_digit(writing_.algebra, language.ends, powers, bases),
                      std::back_inserter(language.distances));
  }

  const Writing& writing_;
  const Relation& empty_;
  const SmallArrivals& arrivals_;
  bool with_digits_;
  std::vector<Atom> atoms_;
  std::vector<char> chosen_;
  std::vector<const ArrivedItem*> looked_at_;
};

}  // namespace

std::optional<GuessedRelation> guess_relation(const Writing& writing, const Relation& empty,
                                              const SmallArrivals& arrivals, bool with_digits) {
  return Guess(writing, empty, arrivals, with_digits).made();
}

}  // namespace quadrille::prover
