// Clauses that unit propagation runs over: those of a formula and the lemmas of a proof that have been shown to follow.
//
// The checker's core. A lemma follows if assuming all its literals false leads unit propagation to a contradiction
// (RUP), or if it has the RAT property on its first literal p: for each clause D with -p, assuming also the other
// literals of D false leads to one. Lemmas that follow keep the formula satisfiable if it is; so a contradiction by
// unit propagation alone shows that it is not.
//
// Every clause with two literals or more that may still be true is watched at two of them. What unit propagation makes
// true without assumptions stays true: the clauses that are its reasons are never removed.
//
// Cost: 4 bytes a literal, some 32 a clause and 90 a variable; a RAT check looks at every clause, a RUP check at those
// it needs. All of it is counted by the Work; what throws Ended leaves an object of no further use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <unordered_map>
#include <vector>

#include "model/limits/work.h"

namespace quadrille::certificate {

class Clauses {
 public:
  // Keeps a reference.
  explicit Clauses(Work& work) : work_(work) {}

  // Literals are those of DIMACS: not 0. All clauses of the formula come before the first lemma.
  void add(std::span<const std::int32_t> clause);

  // Adds the lemma if it follows; false if it does not.
  bool add_lemma(std::span<const std::int32_t> lemma);

  // Removes one clause of these literals, if there is one that is not the reason of anything.
  void remove(std::span<const std::int32_t> clause);

  // Whether unit propagation over all clauses leads to a contradiction; the empty clause is one.
  bool contradiction() const { return contradiction_; }

  std::uint64_t live() const { return clauses_.size() - dead_; }

 private:
  // Variables count from 0 inside; literal 2v is v, 2v + 1 is -v.
  using Literal = std::uint32_t;
  using Number = std::uint32_t;  // of a clause
  static constexpr Number none = 0xffffffff;
  enum class Value : std::int8_t { no = -1, open = 0, yes = 1 };

  struct Clause {
    std::uint64_t begin = 0;  // in literals_
    std::uint32_t size = 0;
    Number next = none;  // in the same bucket
    bool dead = false;
  };
  struct Watch {
    Number clause;
    Literal other;  // some literal of the clause; while it is true there is nothing to do
  };

  static Literal opposite(Literal literal) { return literal ^ 1U; }
  Value value(Literal literal) const { return values_[literal]; }
  std::span<Literal> literals(const Clause& clause) { return {literals_.data() + clause.begin, clause.size}; }
  std::span<const Literal> literals(const Clause& clause) const {
    return {literals_.data() + clause.begin, clause.size};
  }

  void read(std::span<const std::int32_t> clause, bool lemma);
  Literal literal_of(std::int32_t literal, bool lemma);
  std::uint32_t variable_of(std::uint32_t number, bool lemma);
  void store();
  void attach(Number number);

  bool follows();
  bool contradicts_by_assuming_false(std::span<const Literal> clause, Literal except);
  bool is_rat(Literal pivot);
  void assign(Literal literal, Number reason);
  bool propagate();
  bool visit_watches(Literal falsified);
  void backtrack(std::size_t size);

  static std::uint64_t hash(std::span<const Literal> clause);
  void grow_buckets();
  void enter_bucket(Number number);
  Number find_given();
  bool is_reason(Number number) const;
  void unlink(Number number);
  void collect_garbage();

  Work& work_;
  std::pmr::vector<Literal> given_{
      &work_};  // the clause that is being added or removed, each literal once, in its order

  std::pmr::vector<Literal> literals_{&work_};
  std::pmr::vector<Clause> clauses_{&work_};
  std::pmr::vector<Number> buckets_{&work_};  // of a hash table of the clauses; a power of two
  std::uint64_t dead_ = 0;
  std::uint64_t dead_literals_ = 0;

  using Watches = std::pmr::vector<Watch>;
  std::pmr::vector<Value> values_{&work_};         // by literal
  std::pmr::vector<Number> reasons_{&work_};       // by variable, for those true or false without assumptions
  std::pmr::vector<Watches> watches_{&work_};      // by literal
  std::pmr::vector<std::uint64_t> marks_{&work_};  // by literal: when it was last met
  std::uint64_t mark_ = 0;
  std::pmr::vector<Literal> trail_{&work_};
  std::size_t propagated_ = 0;
  bool contradiction_ = false;

  std::uint32_t formula_variables_ = 0;
  std::pmr::unordered_map<std::uint32_t, std::uint32_t> new_variables_{&work_};  // those that only the proof has
};

}  // namespace quadrille::certificate
