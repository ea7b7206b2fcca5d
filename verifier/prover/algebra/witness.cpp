// Idea: an equation with one unknown variable is solved for it, step by step from the outside in. Several solutions
// give several suggestions.
//
//   (k + 1) mod n = j: k is j - 1 or j - 1 + n or j - 1 - n; the solver decides which of them is in k's range
//
// Cost: the product of the numbers of suggestions for each variable; at most `most_followed` are followed to a way
// that is possible, and `most_ends` in all.
#include "verifier/prover/algebra/witness.h"

#include <algorithm>

#include "verifier/prover/algebra/algebra.h"

namespace quadrille::prover {
namespace {

constexpr std::size_t most_followed = 128;
constexpr std::size_t most_ends = 512;
constexpr int deepest_witness = 6;

}  // namespace

std::vector<Number> branches(const Number& x, int depth) {
  for (const auto& [monomial, factor] : x.terms()) {
    const auto atom = monomial.atom();
    if (!atom || (*atom)->kind != AtomKind::choice || depth == deepest_witness) continue;
    const Number rest = x - Number(*atom) * Number(factor);
    std::vector<Number> result;
    for (const Number& one : (*atom)->operands) {
      for (Number& each : branches(rest + one * Number(factor), depth + 1)) result.push_back(std::move(each));
    }
    return result;
  }
  return {x};
}

void append_range(Algebra& algebra, Atom variable, const Substitution& by, std::vector<Formula>& into) {
  const Number& value = by.at(variable);
  if (variable->first) into.push_back(algebra.at_most(algebra.substituted(*variable->first, by), value));
  if (variable->last) into.push_back(algebra.at_most(value, algebra.substituted(*variable->last, by)));
}

namespace {

// Finds values of a variable for which a number may have a requested value.
class Solver {
 public:
  Solver(Algebra& algebra, Atom variable) : algebra_(algebra), variable_(variable) {}

  std::vector<Number> solutions(const Number& left, const Number& right) {
    for (const Number& each : branches(right)) solve(left, each, 0);
    return std::move(found_);
  }

 private:
  void solve(const Number& left, const Number& right, int depth) {
    if (depth == deepest_witness) return;
    std::optional<std::pair<Monomial, Rational>> with;
    for (const auto& term : left.terms()) {
      const Number alone(term.first, term.second);
      if (!mentions(alone, variable_)) continue;
      if (with) return;  // in two terms
      with = term;
    }
    if (!with) return;
    const Number term(with->first, with->second);
    const Number other = right - (left - term);
    if (const auto atom = with->first.atom()) return of_atom(*atom, with->second, other, depth);
    // c · v, c a power, say: rounded down, if it is no multiple of c; that it is one is for the solver to say
    if (const auto times = coefficient(with->first)) return add(quotient(other, *times, with->second));
    // c · 2^v
    const bool power = with->first.powers.empty() && with->first.exponent.size() == 1 &&
                       with->first.exponent.begin()->first == variable_ && with->first.exponent.begin()->second == 1;
    if (!power) return;
    if (const auto exponent = exponent_of(other * Number(1 / with->second))) add(*exponent);
  }

  // Divides by `factor` times a positive number.
  Number quotient(const Number& x, const Number& by, const Rational& factor) {
    return factor > 0 ? algebra_.divide(x, by * Number(factor)) : algebra_.divide(-x, by * Number(-factor));
  }

  // The factor of the variable; nothing unless the variable is there once and by itself.
  std::optional<Number> coefficient(const Monomial& monomial) const {
    Monomial rest = monomial;
    const auto held = rest.powers.find(variable_);
    if (held == rest.powers.end() || held->second != 1) return std::nullopt;
    rest.powers.erase(held);
    Number result(rest, 1);
    return mentions(result, variable_) ? std::nullopt : std::optional(std::move(result));
  }

  // factor · atom = other
  void of_atom(Atom atom, const Rational& factor, const Number& other, int depth) {
    if (atom == variable_ && abs(factor) != 1 && denominator(factor) == 1)
      return add(quotient(other, Number(1), factor));
    if (atom->kind == AtomKind::choice && abs(factor) != 1) {
      for (const Number& each : atom->operands) solve(each * Number(factor), other, depth + 1);
    } else if (abs(factor) != 1) {  // 2 · (j xor d), say: as above
      if (denominator(factor) == 1) solve(Number(atom), quotient(other, Number(1), factor), depth + 1);
    }
    if (abs(factor) != 1) return;
    const Number value = other * Number(factor);
    if (atom == variable_) return add(value);
    if (atom->kind == AtomKind::choice) {
      for (const Number& each : atom->operands) solve(each, value, depth + 1);
    } else if (atom->kind == AtomKind::remainder) {
      for (const int q : {0, 1, -1}) solve(atom->operands[0], value + atom->operands[1] * Number(q), depth + 1);
    } else if (atom->kind == AtomKind::bit_xor) {
      solve_xor(*atom, value, depth);
    } else if (atom->kind == AtomKind::quotient) {
      solve_quotient(*atom, value, depth);
    }
  }

  // The parent (x - 1) div 2 in a heap, say: x is one of few numbers.
  void solve_quotient(const AtomNode& atom, const Number& value, int depth) {
    constexpr int most_rests = 4;
    const auto by = atom.operands[1].constant();
    if (!by || *by < 1 || *by > most_rests || denominator(*by) != 1) return;
    for (int rest = 0; rest < *by; ++rest) solve(atom.operands[0], value * Number(*by) + Number(rest), depth + 1);
  }

  void solve_xor(const AtomNode& atom, const Number& value, int depth) {
    std::optional<Number> inside;
    Number others = value;
    for (const Number& operand : atom.operands) {
      if (!mentions(operand, variable_)) {
        others = algebra_.bitwise(AtomKind::bit_xor, others, operand);
      } else if (inside) {
        return;
      } else {
        inside = operand;
      }
    }
    if (inside) solve(*inside, others, depth + 1);
  }

  void add(const Number& value) {
    if (std::ranges::find(found_, value) == found_.end()) found_.push_back(value);
  }

  Algebra& algebra_;
  Atom variable_;
  std::vector<Number> found_;
};

class Search {
 public:
  Search(Algebra& algebra, const Sought& sought) : algebra_(algebra), sought_(sought) {
    // Each part of an equation may be solved on its own.
    for (const auto& [one, other] : sought.equations) {
      const auto parts = algebra.parts_of_equation(one, other);
      if (parts) equations_.insert(equations_.end(), parts->begin(), parts->end());
      equations_.emplace_back(one, other);
    }
    for (const Formula part : sought.given) add_equations(part);
  }

  // Collects equations from a given formula, which may be an equation, or alternatives of which one is; not what must
  // differ.
  void add_equations(Formula f, bool holds = true) {
    if (f->kind == FormulaNodeKind::zero && holds) given_.push_back(f->operand);
    for (const Formula part : f->parts) add_equations(part, f->kind == FormulaNodeKind::negation ? !holds : holds);
  }

  // If a choice solves all equations for all values of the other variables, choices that do so for some values only
  // are left out, because each is one more formula for the solver to refute.
  Formula result() {
    follow(sought_.known, sought_.variables);
    return algebra_.disjunction(solved_.empty() ? std::move(ways_) : std::move(solved_));
  }

  std::vector<Substitution> suggested() {
    follow(sought_.known, sought_.variables);
    return std::move(choices_);
  }

 private:
  bool known(const Number& x, const std::vector<Atom>& left) const {
    return std::ranges::none_of(left, [&](Atom variable) { return mentions(x, variable); });
  }
  bool known(const Substitution& by, const std::vector<Atom>& variables) const {
    return std::ranges::all_of(variables, [&](Atom variable) { return known(by.at(variable), variables); });
  }

  // Follows the suggestions. The values of the variables `left` are not known yet.
  void follow(const Substitution& by, const std::vector<Atom>& left) {
    algebra_.pulse();
    if (ways_.size() >= most_followed || tried_ >= most_ends) return;
    if (left.empty()) return end(by);
    for (const auto& [one, other] : equations_) {
      for (const Atom variable : left) {
        const auto suggested = suggested_by(by, left, variable, one, other);
        if (!suggested.empty()) return each(by, left, variable, suggested);
      }
    }
    for (const Atom variable : left) {
      const auto suggested = suggested_by_given(by, left, variable);
      if (!suggested.empty()) return each(by, left, variable, suggested);
    }
    for (const auto& [one, other] : equations_) {
      if (follow_named(by, left, one, other)) return;
    }
    // If no equation contains the first variable, it gets one end of its range.
    const Atom variable = left.front();
    if (variable->first && variable->last)
      each(by, left, variable, {algebra_.substituted(*variable->first, by), algebra_.substituted(*variable->last, by)});
  }

  // If an equation says what a variable is by others that are not known yet, that is put in: of k' = k + x·3^i, say.
  bool follow_named(const Substitution& by, const std::vector<Atom>& left, const Number& one, const Number& other) {
    const auto variable = one.atom();
    if (!variable || std::ranges::count(left, *variable) == 0) return false;
    std::optional<Number> value;
    try {
      value = algebra_.substituted(other, by);
    } catch (const Unsupported&) {  // a number that the algebra has not
    }
    if (!value || mentions(*value, *variable)) return false;
    each(by, left, *variable, {*value});
    return true;
  }

  // The values in which what was not known yet is put in.
  Substitution all_known(const Substitution& by) const {
    Substitution result = by;
    for (std::size_t i = 0; i < sought_.variables.size(); ++i) {
      for (const Atom variable : sought_.variables)
        result[variable] = algebra_.substituted(result.at(variable), result);
    }
    return result;
  }

  std::vector<Number> suggested_by(const Substitution& by, const std::vector<Atom>& left, Atom variable,
                                   const Number& one, const Number& other) {
    auto suggested = suggestions(by, left, variable, one, other);
    return suggested.empty() ? suggestions(by, left, variable, other, one) : suggested;
  }

  // Collects the suggestions of several given equations: they may be alternatives.
  std::vector<Number> suggested_by_given(const Substitution& by, const std::vector<Atom>& left, Atom variable) {
    constexpr std::size_t most_suggested = 12;
    std::vector<Number> all;
    for (const Number& zero : given_) {
      for (Number& value : suggested_by(by, left, variable, zero, Number(0))) {
        if (all.size() < most_suggested && std::ranges::find(all, value) == all.end()) all.push_back(std::move(value));
      }
    }
    return all;
  }

  std::vector<Number> suggestions(const Substitution& by, const std::vector<Atom>& left, Atom variable,
                                  const Number& one, const Number& other) {
    try {
      const Number a = algebra_.substituted(one, by);
      const Number b = algebra_.substituted(other, by);
      std::vector<Number> found;
      if (const auto parts = algebra_.parts_of_equation(a, b)) {
        for (const auto& [left_part, right_part] : *parts) {
          for (Number& each : Solver(algebra_, variable).solutions(left_part, right_part)) found.push_back(each);
        }
      }
      if (found.empty()) found = Solver(algebra_, variable).solutions(a, b);
      std::erase_if(found, [&](const Number& value) { return !known(value, left); });
      return found;
    } catch (const Unsupported&) {
      return {};
    }
  }

  void each(const Substitution& by, const std::vector<Atom>& left, Atom variable, const std::vector<Number>& values) {
    std::vector<Atom> rest;
    std::ranges::copy_if(left, std::back_inserter(rest), [&](Atom other) { return other != variable; });
    for (const Number& value : values) {
      Substitution more = by;
      more[variable] = value;
      follow(more, rest);
    }
  }

  void end(const Substitution& found) {
    ++tried_;
    try {
      const Substitution by = known(found, sought_.variables) ? found : all_known(found);
      if (!known(by, sought_.variables)) return;
      std::vector<Formula> holds;
      for (const Atom variable : sought_.variables) append_range(algebra_, variable, by, holds);
      for (const Formula part : sought_.given) holds.push_back(algebra_.substituted(part, by));
      bool solved = true;
      for (const auto& [one, other] : sought_.equations) {
        holds.push_back(algebra_.equal(algebra_.substituted(one, by), algebra_.substituted(other, by)));
        solved = solved && holds.back() == algebra_.truth(true);
      }
      const Formula way = algebra_.conjunction(holds);
      if (way == algebra_.truth(false)) return;
      ways_.push_back(way);
      if (solved) solved_.push_back(way);
      choices_.push_back(by);
    } catch (const Unsupported&) {  // a number that the algebra has not: another way may do
    }
  }

  Algebra& algebra_;
  const Sought& sought_;
  std::vector<std::pair<Number, Number>> equations_;
  std::vector<Number> given_;  // in what is given: these are zero, or others are
  std::size_t tried_ = 0;
  std::vector<Formula> ways_;
  std::vector<Formula> solved_;        // those of them that solve all equations
  std::vector<Substitution> choices_;  // one for each way
};

}  // namespace

Formula some_witness(Algebra& algebra, const Sought& sought) { return Search(algebra, sought).result(); }

std::vector<Substitution> suggested_witnesses(Algebra& algebra, const Sought& sought) {
  return Search(algebra, sought).suggested();
}

}  // namespace quadrille::prover
