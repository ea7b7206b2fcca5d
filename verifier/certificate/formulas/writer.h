// Writer: numbers the variables of a formula, and hands over its clauses.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "model/limits/work.h"

namespace quadrille::certificate {

struct FormulaSize {
  std::uint64_t variables = 0;
  std::uint64_t clauses = 0;
};

// Takes a clause: literals as in DIMACS. False: no more is wanted.
using TakeClause = std::function<bool(std::span<const std::int32_t>)>;

// A literal is a variable's number or its negative, as in DIMACS; or true or false. What is no variable is false.
using Literals = std::vector<std::int32_t>;
inline constexpr std::int32_t true_literal = 0x7fffffff;
inline constexpr std::int32_t false_literal = -true_literal;

// The variables of one subject, a step each, for steps without gaps.
class Series {
 public:
  Series() = default;
  Series(std::uint32_t first_step, std::uint32_t size, std::int32_t first_variable)
      : first_step_(first_step), size_(size), first_variable_(first_variable) {}

  // False where there is no such variable.
  std::int32_t at(std::uint32_t step) const {
    return step >= first_step_ && step - first_step_ < size_
               ? first_variable_ + static_cast<std::int32_t>(step - first_step_)
               : false_literal;
  }
  bool has(std::uint32_t step) const { return at(step) != false_literal; }

 private:
  std::uint32_t first_step_ = 0;
  std::uint32_t size_ = 0;
  std::int32_t first_variable_ = 0;
};

class Writer {
 public:
  // Keeps references. What writes throws Ended.
  Writer(const TakeClause& take, Work& work) : take_(take), work_(work) {}

  Work& work() { return work_; }

  // New variables for steps first … last; none if last < first.
  Series series(std::int64_t first, std::int64_t last);

  // A clause without its false literals; nothing if one is true.
  void clause(Literals literals);
  // If the condition is true, a and b are the same.
  void same_if(std::int32_t condition, std::int32_t a, std::int32_t b);
  // At most k of the literals that are not false, none of which is true (FORMULA.md, At most k).
  void at_most(std::uint32_t k, Literals literals);

  // If j or more of the literals are true, so is sums[j - 1], and no more of them are than there are sums
  // (ROUNDS_FORMULA.md, Volume). Requires sums.
  void count(const Literals& sums, const Literals& literals);

  // Whether no more is wanted, or there are too many variables: then nothing more is written.
  bool stopped() const { return stopped_; }
  FormulaSize size() const { return {static_cast<std::uint64_t>(last_variable_), clauses_}; }

 private:
  std::int32_t new_variables(std::uint64_t count);
  void sequential_counter(std::uint32_t k, const Literals& literals);

  const TakeClause& take_;
  Work& work_;
  std::int32_t last_variable_ = 0;
  std::uint64_t clauses_ = 0;
  bool stopped_ = false;
};

}  // namespace quadrille::certificate
