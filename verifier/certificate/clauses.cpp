// Idea: forward checking of DRAT by two watched literals. Each lemma is assumed false, and unit propagation must come
// to a contradiction (RUP); if it does not, each clause with the opposite of the first literal is tried (RAT). What
// holds without assumptions stays on the trail.
//
//   {1 2} {1 -2} {-1 2} {-1 -2}, lemma 1: -1 makes 2 true by the first and false by the second clause: it follows. Now
//   1 is true, the third makes 2 true, the fourth is false: a contradiction, and the proof is done
//
// Cost: what propagation takes; see clauses.h. (N. Wetzler, M. Heule, W. Hunt, DRAT-trim, SAT 2014; watched literals:
// M. Moskewicz et al., Chaff, DAC 2001.)
#include "verifier/certificate/clauses.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace quadrille::certificate {
namespace {

constexpr std::uint32_t most_variables = std::uint32_t{1} << 31;  // two literals each

}  // namespace

// --- reading a clause -------------------------------------------------------------------------------------------

// The variables of the formula keep their numbers; those that only the proof has, however large, follow without gaps.
std::uint32_t Clauses::variable_of(std::uint32_t number, bool lemma) {
  if (!lemma) formula_variables_ = std::max(formula_variables_, number);
  std::uint32_t variable = number - 1;
  if (lemma && number > formula_variables_) {
    const auto next = formula_variables_ + static_cast<std::uint32_t>(new_variables_.size());
    variable = new_variables_.emplace(number, next).first->second;
  }
  if (variable >= most_variables) throw Ended{Reason::limit};
  if (variable >= reasons_.size()) {
    reasons_.resize(variable + 1, none);
    values_.resize(reasons_.size() * 2, Value::open);
    watches_.resize(reasons_.size() * 2);
    marks_.resize(reasons_.size() * 2);
  }
  return variable;
}

Clauses::Literal Clauses::literal_of(std::int32_t literal, bool lemma) {
  const auto number = static_cast<std::uint32_t>(std::abs(literal));
  return 2 * variable_of(number, lemma) + (literal < 0 ? 1U : 0U);
}

void Clauses::read(std::span<const std::int32_t> clause, bool lemma) {
  work_.spend(clause.size() + 1);
  ++mark_;
  given_.clear();
  for (const std::int32_t each : clause) {
    const Literal literal = literal_of(each, lemma);
    if (std::exchange(marks_[literal], mark_) != mark_) given_.push_back(literal);
  }
}

// --- adding -----------------------------------------------------------------------------------------------------

void Clauses::add(std::span<const std::int32_t> clause) {
  read(clause, false);
  store();
}

bool Clauses::add_lemma(std::span<const std::int32_t> lemma) {
  read(lemma, true);
  if (!contradiction_ && !follows()) return false;
  store();
  return true;
}

// Stores the clause that was read, and draws the consequences.
void Clauses::store() {
  if (clauses_.size() == none) throw Ended{Reason::limit};
  const auto number = static_cast<Number>(clauses_.size());
  clauses_.push_back({literals_.size(), static_cast<std::uint32_t>(given_.size()), none, false});
  literals_.insert(literals_.end(), given_.begin(), given_.end());
  if (clauses_.size() > buckets_.size()) {
    grow_buckets();
  } else {
    enter_bucket(number);
  }
  if (!contradiction_) attach(number);
}

// Watches the clause, unless it is true, or false, or has one literal left that can be true.
void Clauses::attach(Number number) {
  const std::span<Literal> all = literals(clauses_[number]);
  const auto is_true = std::find_if(all.begin(), all.end(), [&](Literal it) { return value(it) == Value::yes; });
  if (is_true != all.end()) {
    if (all.size() == 1) reasons_[all[0] / 2] = number;  // the best of reasons: others may be removed now
    return;
  }
  // Two open literals are watched: as long as both are not false, the clause has no consequence.
  const auto open_end = std::partition(all.begin(), all.end(), [&](Literal it) { return value(it) == Value::open; });
  if (open_end == all.begin()) {
    contradiction_ = true;
  } else if (open_end == all.begin() + 1) {
    assign(all[0], number);
    contradiction_ = !propagate();
  } else {
    watches_[all[0]].push_back({number, all[1]});
    watches_[all[1]].push_back({number, all[0]});
  }
}

// --- whether a lemma follows ------------------------------------------------------------------------------------

// Whether the clause that was read follows by RUP or RAT.
bool Clauses::follows() {
  const std::size_t before = trail_.size();
  // RUP first: it is cheaper, and all that most lemmas need.
  bool result = contradicts_by_assuming_false(given_, none);
  if (!result && !given_.empty()) result = is_rat(given_.front());
  backtrack(before);
  return result;
}

// Assumes all literals but `except` false; whether that leads to a contradiction.
bool Clauses::contradicts_by_assuming_false(std::span<const Literal> clause, Literal except) {
  for (const Literal literal : clause) {
    if (literal == except || value(literal) == Value::no) continue;
    if (value(literal) == Value::yes) return true;
    assign(opposite(literal), none);
  }
  return !propagate();
}

// Whether each clause with the opposite of the pivot leads to a contradiction, too. Requires that the lemma's literals
// are assumed false, without one.
bool Clauses::is_rat(Literal pivot) {
  const Literal other = opposite(pivot);
  const std::size_t before = trail_.size();
  for (const Clause& clause : clauses_) {
    work_.spend(clause.size);
    if (clause.dead) continue;
    const std::span<const Literal> all = std::as_const(*this).literals(clause);
    if (std::find(all.begin(), all.end(), other) == all.end()) continue;
    const bool contradiction = contradicts_by_assuming_false(all, other);
    backtrack(before);
    if (!contradiction) return false;
  }
  return true;
}

void Clauses::assign(Literal literal, Number reason) {
  values_[literal] = Value::yes;
  values_[opposite(literal)] = Value::no;
  reasons_[literal / 2] = reason;
  trail_.push_back(literal);
}

// Draws all consequences by unit propagation; false at a contradiction.
bool Clauses::propagate() {
  while (propagated_ < trail_.size()) {
    if (!visit_watches(opposite(trail_[propagated_++]))) return false;
  }
  return true;
}

// The clauses that watch a literal which has become false: each looks for another one to watch. False at a
// contradiction.
bool Clauses::visit_watches(Literal falsified) {
  Watches& watches = watches_[falsified];
  work_.spend(watches.size() + 1);
  bool good = true;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < watches.size(); ++i) {
    const Watch watch = watches[i];
    // A clause that is true has no consequence; after a contradiction the rest of the list is only kept.
    if (!good || value(watch.other) == Value::yes) {
      watches[kept++] = watch;
      continue;
    }
    const Clause& clause = clauses_[watch.clause];
    if (clause.dead) continue;
    const std::span<Literal> all = literals(clause);
    // The two watched literals stand first: all[1] is the falsified one, all[0] the other.
    if (all[0] == falsified) std::swap(all[0], all[1]);
    const auto next = std::find_if(all.begin() + 2, all.end(), [&](Literal it) { return value(it) != Value::no; });
    if (value(all[0]) != Value::yes && next != all.end()) {
      std::swap(all[1], *next);
      watches_[all[1]].push_back({watch.clause, all[0]});
      continue;
    }
    watches[kept++] = {watch.clause, all[0]};
    if (value(all[0]) == Value::no) good = false;
    if (value(all[0]) == Value::open) assign(all[0], watch.clause);
  }
  watches.resize(kept);
  return good;
}

void Clauses::backtrack(std::size_t size) {
  while (trail_.size() > size) {
    const Literal literal = trail_.back();
    values_[literal] = values_[opposite(literal)] = Value::open;
    reasons_[literal / 2] = none;
    trail_.pop_back();
  }
  propagated_ = size;
}

}  // namespace quadrille::certificate
