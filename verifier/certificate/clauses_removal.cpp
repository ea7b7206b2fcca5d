// Idea: a proof deletes a clause by its literals, so clauses are found by a hash of these that does not depend on their
// order. What is removed is marked as dead, and its place is taken back once half of all literals are dead.
//
//   `d 2 1 0` removes one clause {1, 2}, unless that is the reason why unit propagation has made 1 or 2 true
//
// Cost: a look-up in a hash table; now and then a walk through all clauses, which is paid for by what was removed.
#include <algorithm>
#include <utility>

#include "verifier/certificate/clauses.h"

namespace quadrille::certificate {
namespace {

constexpr std::uint64_t worth_collecting = std::uint64_t{1} << 20;  // dead literals

}  // namespace

void Clauses::remove(std::span<const std::int32_t> clause) {
  read(clause, true);
  const Number number = find_given();
  if (number == none) return;
  unlink(number);
  clauses_[number].dead = true;
  ++dead_;
  dead_literals_ += clauses_[number].size;
  if (dead_literals_ > worth_collecting && dead_literals_ > literals_.size() / 2) collect_garbage();
}

// The same for all orders of the literals.
std::uint64_t Clauses::hash(std::span<const Literal> clause) {
  std::uint64_t sum = clause.size();
  for (const Literal literal : clause) {
    std::uint64_t mixed = (literal + std::uint64_t{1}) * 0x9e3779b97f4a7c15;
    mixed ^= mixed >> 29;
    sum += mixed * 0xbf58476d1ce4e5b9;
  }
  return sum ^ (sum >> 32);
}

void Clauses::enter_bucket(Number number) {
  Clause& clause = clauses_[number];
  Number& head = buckets_[hash(literals(clause)) & (buckets_.size() - 1)];
  clause.next = std::exchange(head, number);
}

void Clauses::grow_buckets() {
  buckets_.assign(std::max<std::size_t>(1024, buckets_.size() * 2), none);
  for (Number number = 0; number < clauses_.size(); ++number) {
    if (!clauses_[number].dead) enter_bucket(number);
  }
}

// A clause of just the literals that were read (they are marked) and that may be removed.
Clauses::Number Clauses::find_given() {
  if (buckets_.empty()) return none;
  Number number = buckets_[hash(given_) & (buckets_.size() - 1)];
  for (; number != none; number = clauses_[number].next) {
    work_.spend(1);
    const auto all = literals(clauses_[number]);
    // Same size and every literal marked: as neither repeats a literal, both are the same set.
    const bool same = all.size() == given_.size() &&
                      std::all_of(all.begin(), all.end(), [&](Literal it) { return marks_[it] == mark_; });
    if (same && !is_reason(number)) break;
  }
  return number;
}

// Also the clauses of one literal, all of which are reasons, or as good as one.
bool Clauses::is_reason(Number number) const {
  const auto all = literals(clauses_[number]);
  return all.size() < 2 || std::any_of(all.begin(), all.end(), [&](Literal it) {
           return value(it) == Value::yes && reasons_[it / 2] == number;
         });
}

void Clauses::unlink(Number number) {
  Number* link = &buckets_[hash(literals(clauses_[number])) & (buckets_.size() - 1)];
  while (*link != number) link = &clauses_[*link].next;
  *link = clauses_[number].next;
}

// Takes the dead clauses out of all tables. Requires that nothing is assumed.
void Clauses::collect_garbage() {
  for (Watches& watches : watches_) {
    std::erase_if(watches, [&](const Watch& watch) { return clauses_[watch.clause].dead; });
  }
  // Live clauses move to the front in their order; `moved` has their new numbers.
  std::pmr::vector<Number> moved(clauses_.size(), none, &work_);
  std::size_t end = 0;
  Number count = 0;
  for (Number number = 0; number < clauses_.size(); ++number) {
    Clause clause = clauses_[number];
    if (clause.dead) continue;
    const auto begin = literals_.begin() + static_cast<std::ptrdiff_t>(clause.begin);
    std::copy(begin, begin + clause.size, literals_.begin() + static_cast<std::ptrdiff_t>(end));
    clause.begin = end;
    end += clause.size;
    moved[number] = count;
    clauses_[count++] = clause;
  }
  literals_.resize(end);
  clauses_.resize(count);
  dead_ = dead_literals_ = 0;
  for (Watches& watches : watches_) {
    for (Watch& watch : watches) watch.clause = moved[watch.clause];
  }
  // No reason is dead: remove() passes those clauses over.
  for (Number& reason : reasons_) {
    if (reason != none) reason = moved[reason];
  }
  std::fill(buckets_.begin(), buckets_.end(), none);
  for (Number number = 0; number < clauses_.size(); ++number) enter_bucket(number);
}

}  // namespace quadrille::certificate
