// A question without products of variables: each product becomes a variable of its own, of which the solver is told how
// it grows, and what is left is linear.
//
//   r*c + i = s*c + j, 0 <= i < c, 0 <= j < c, r > s:  with P = r*c and Q = s*c, as c >= 0 and r > s, P >= Q + c; so
//   i - j = Q - P <= -c, which cannot be.
//
// Numbers are written as sums of monomials. A quotient by what is no number is a variable d, with n*d <= x < n*d + n
// where n >= 1; a remainder is x - n*d; a choice is a variable that is one or the other, and a product with it is one
// product or the other.
//
// Why it is sound: every value of the variables that are there gives a value to each new one (its product, quotient,
// choice), and with these all that is asserted is true. So where nothing satisfies the new question, nothing satisfies
// the old one. That something satisfies the new one means nothing.
//
// Cost: some twenty assertions for each product, and three for each two that have all factors but one in common; of
// 60 products at most.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "verifier/proof_reader/cases.h"

namespace quadrille::proof_reader {
namespace {

constexpr std::size_t most_products = 60;
constexpr std::size_t most_factors = 6;
constexpr std::int64_t most_factor = std::int64_t{1} << 62;

struct TooManyProducts {};

using Factors = std::vector<std::string>;            // names of variables, sorted
using Polynomial = std::map<Factors, std::int64_t>;  // the coefficient of each product

std::int64_t checked(const CoreExpression& x) {
  const auto value = evaluate(x, {});
  if (!value || *value > most_factor || *value < -most_factor) throw TooManyProducts{};
  return *value;
}

void add(Polynomial& to, const Factors& factors, std::int64_t times) {
  const std::int64_t sum = checked({Op::add, {to[factors], times}});
  if (sum == 0) {
    to.erase(factors);
  } else {
    to[factors] = sum;
  }
}

Polynomial constant(std::int64_t number) { return number == 0 ? Polynomial{} : Polynomial{{{}, number}}; }

Polynomial sum(Polynomial a, const Polynomial& b, std::int64_t times = 1) {
  for (const auto& [factors, factor] : b) add(a, factors, checked({Op::multiply, {factor, times}}));
  return a;
}

Polynomial product(const Polynomial& a, const Polynomial& b) {
  Polynomial result;
  for (const auto& [left, x] : a) {
    for (const auto& [right, y] : b) {
      Factors both = left;
      both.insert(both.end(), right.begin(), right.end());
      if (both.size() > most_factors) throw TooManyProducts{};
      std::sort(both.begin(), both.end());
      add(result, both, checked({Op::multiply, {x, y}}));
    }
  }
  return result;
}

class Linearization {
 public:
  explicit Linearization(const QuestionCase& whole) : result_{whole.scope, {}} {
    for (const CoreExpression& each : whole.asserted) result_.asserted.push_back(truth_of(each));
  }

  QuestionCase written() {
    // Axioms may speak of products of fewer factors, which are new ones.
    for (std::size_t i = 0; i < order_.size(); ++i) add_axioms(i);
    return std::move(result_);
  }

 private:
  struct NamedChoice {
    CoreExpression condition;
    Polynomial then, otherwise;
  };

  void assert_that(CoreExpression x) { result_.asserted.push_back(std::move(x)); }
  static CoreExpression implied(const CoreExpression& condition, const CoreExpression& then) {
    return any_of({negated(condition), then});
  }

  std::string new_name() {
    std::string name = fmt::format("!product.{}", made_++);
    result_.scope.push_back({name, 0, std::nullopt});  // its range is not asserted
    return name;
  }

  CoreExpression truth_of(const CoreExpression& x) {
    if (x.op() == Op::equal || x.op() == Op::at_least)
      return {x.op(), {linear(number_of(x.operands()[0])), linear(number_of(x.operands()[1]))}};
    if (x.operands().empty()) return x;
    std::vector<CoreExpression> parts;
    for (const CoreExpression& each : x.operands()) parts.push_back(truth_of(each));
    return {x.op(), std::move(parts), x.number(), x.name()};
  }

  // --- numbers as sums of products ---------------------------------------------------------------------------------

  Polynomial number_of(const CoreExpression& x) {
    const auto& of = x.operands();
    switch (x.op()) {
      case Op::number:
        return constant(x.number());
      case Op::variable:
        return {{{x.name()}, 1}};
      case Op::add:
      case Op::multiply:
        return of_many(x);
      case Op::divide:
        return quotient(number_of(of[0]), number_of(of[1]));
      case Op::modulo: {
        const Polynomial a = number_of(of[0]);
        const Polynomial n = number_of(of[1]);
        return sum(a, product(n, quotient(a, n)), -1);
      }
      case Op::choice:
        return one_of(truth_of(of[0]), number_of(of[1]), number_of(of[2]));
      case Op::xor_of:
        return known({x.op(), {linear(number_of(of[0])), linear(number_of(of[1]))}});
      default:
        return known({x.op(), {linear(number_of(of[0]))}});
    }
  }

  Polynomial of_many(const CoreExpression& x) {
    Polynomial result = constant(x.op() == Op::add ? 0 : 1);
    for (const CoreExpression& each : x.operands())
      result = x.op() == Op::add ? sum(std::move(result), number_of(each)) : product(result, number_of(each));
    return result;
  }

  // A variable that has the value of the expression.
  Polynomial known(const CoreExpression& x) {
    const auto [found, added] = names_.emplace(smt(x), "");
    if (added) {
      found->second = new_name();
      assert_that(equal(variable(found->second), x));
    }
    return {{{found->second}, 1}};
  }

  Polynomial quotient(const Polynomial& a, const Polynomial& n) {
    const CoreExpression x = linear(a);
    const CoreExpression divisor = linear(n);
    if (divisor.op() == Op::number) return known({Op::divide, {x, divisor}});
    const auto [found, added] = names_.emplace(smt({Op::divide, {x, divisor}}), "");
    if (added) found->second = new_name();
    Polynomial result = {{{found->second}, 1}};
    if (!added) return result;
    const CoreExpression whole = linear(product(n, result));
    assert_that(implied(at_most(1, divisor), all_of({at_most(whole, x), less(x, whole + divisor)})));
    return result;
  }

  Polynomial one_of(const CoreExpression& condition, const Polynomial& then, const Polynomial& otherwise) {
    if (condition.op() == Op::truth) return condition.is(true) ? then : otherwise;
    const CoreExpression whole = choice(condition, linear(then), linear(otherwise));
    Polynomial result = known(whole);
    choices_.emplace(result.begin()->first[0], NamedChoice{condition, then, otherwise});
    return result;
  }

  // --- sums of products as linear expressions ----------------------------------------------------------------------

  CoreExpression linear(const Polynomial& x) {
    std::vector<CoreExpression> terms;
    for (const auto& [factors, times] : x) {
      if (factors.empty()) {
        terms.emplace_back(times);
      } else {
        const CoreExpression value = variable(name_of(factors));
        terms.push_back(times == 1 ? value : CoreExpression(times) * value);
      }
    }
    if (terms.empty()) return 0;
    return terms.size() == 1 ? terms[0] : CoreExpression(Op::add, std::move(terms));
  }

  std::string name_of(const Factors& factors) {
    if (factors.size() == 1) return factors[0];
    if (const auto found = products_.find(factors); found != products_.end()) return found->second;
    if (products_.size() >= most_products) throw TooManyProducts{};
    std::string name = new_name();
    products_.emplace(factors, name);
    if (!write_choice(factors, name)) order_.push_back(factors);
    return name;
  }

  static Factors without(Factors factors, std::size_t i) {
    factors.erase(factors.begin() + static_cast<std::ptrdiff_t>(i));
    return factors;
  }

  // A product with a choice is one of two products.
  bool write_choice(const Factors& factors, const std::string& name) {
    for (std::size_t i = 0; i < factors.size(); ++i) {
      const auto found = choices_.find(factors[i]);
      if (found == choices_.end()) continue;
      const NamedChoice of = found->second;
      const Polynomial rest = {{without(factors, i), 1}};
      const CoreExpression then = linear(product(of.then, rest));
      const CoreExpression otherwise = linear(product(of.otherwise, rest));
      assert_that(equal(variable(name), choice(of.condition, then, otherwise)));
      return true;
    }
    return false;
  }

  // --- axioms --------------------------------------------------------------------------------------------------------

  // Of a product a*rest: beside k*rest for small k, and beside those b*rest that came before it.
  void add_axioms(std::size_t number) {
    const Factors factors = order_[number];
    const CoreExpression whole = variable(products_.at(factors));
    for (std::size_t i = 0; i < factors.size(); ++i) {
      if (i > 0 && factors[i] == factors[i - 1]) continue;
      const Factors others = without(factors, i);
      const CoreExpression rest = variable(name_of(others));
      const CoreExpression a = variable(factors[i]);
      const CoreExpression positive = at_most(0, rest);
      for (std::int64_t k = -2; k <= 3; ++k) {
        const CoreExpression times = CoreExpression(k) * rest;
        assert_that(implied(all_of({positive, at_most(k, a)}), at_most(times, whole)));
        assert_that(implied(all_of({positive, at_most(a, k)}), at_most(whole, times)));
      }
      for (std::size_t j = 0; j < number; ++j) beside(a, whole, order_[j], others);
    }
  }

  void beside(const CoreExpression& a, const CoreExpression& whole, const Factors& other, const Factors& others) {
    if (other.size() != others.size() + 1) return;
    for (std::size_t i = 0; i < other.size(); ++i) {
      if ((i > 0 && other[i] == other[i - 1]) || without(other, i) != others) continue;
      const CoreExpression b = variable(other[i]);
      const CoreExpression second = variable(products_.at(other));
      const CoreExpression rest = variable(name_of(others));
      const CoreExpression positive = at_most(0, rest);
      assert_that(implied(all_of({positive, less(b, a)}), at_most(second + rest, whole)));
      assert_that(implied(all_of({positive, less(a, b)}), at_most(whole + rest, second)));
      assert_that(implied(equal(a, b), equal(whole, second)));
    }
  }

  QuestionCase result_;
  std::map<std::string, std::string> names_;  // of what has a variable: as it is written
  std::map<std::string, NamedChoice> choices_;
  std::map<Factors, std::string> products_;
  std::vector<Factors> order_;  // of products without choices
  std::size_t made_ = 0;
};

}  // namespace

std::optional<QuestionCase> without_products(const QuestionCase& whole) {
  if (std::ranges::none_of(whole.asserted, is_nonlinear)) return std::nullopt;
  try {
    return Linearization(whole).written();
  } catch (const TooManyProducts&) {
    return std::nullopt;
  }
}

}  // namespace quadrille::proof_reader
