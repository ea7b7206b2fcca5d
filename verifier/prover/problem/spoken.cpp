// Idea: an invariant's loops leave variables in their ranges, as loops around sends do, and its set of origins
// becomes the formula that an origin x is in it.
//
//   x is in {a .. b} if a <= x <= b; it is in {a .. b} mod n if a <= x + q·n <= b for an integer q. If a >= -n and b
//   < 2n, q is one of -1, 0, 1. So the formula has no remainders
//
// Cost: one evaluation of each expression.
#include "verifier/prover/problem/spoken.h"

#include <algorithm>

#include "compiler/ir.h"
#include "verifier/prover/algebra/term_formulas.h"
#include "verifier/prover/algebra/witness.h"

namespace quadrille::prover {
namespace {

constexpr int most_times_around = 2;

class Reader {
 public:
  Reader(Algebra& algebra, const Problem& problem, Expressions& expressions, SpokenInvariant& into)
      : algebra_(algebra), problem_(problem), expressions_(expressions), into_(into) {}

  void read(const ir::Invariant& from) {
    const ExpressionContext outermost = expressions_.outermost(from.frame);
    steps(expressions_.set(from.step.set, outermost));
    into_.step = algebra_.variable(from.step.name, into_.first, into_.last);
    if (problem_.extents.empty()) into_.digits = {algebra_.variable("x", Number(0), problem_.processors - Number(1))};
    for (const Number& extent : problem_.extents) {
      into_.digits.push_back(algebra_.variable("x", Number(0), extent - Number(1)));
    }
    for (std::size_t i = 0; i < into_.digits.size(); ++i) {
      into_.origin = (i == 0 ? Number(0) : into_.origin * problem_.extents[i]) + Number(into_.digits[i]);
    }
    ExpressionContext at = expressions_.inside(outermost, {into_.step}, algebra_.truth(true));
    at.frame[from.step.variable.value] = Number(into_.step);
    items(from.items, at);
  }

 private:
  [[noreturn]] static void refuse(const char* what, Span span) { throw Unsupported{what, span}; }

  void steps(const Set& set) {
    const bool one = set.pieces.size() == 1 && set.pieces[0].given == algebra_.truth(true);
    if (!one) refuse("an invariant whose steps are no range", into_.span);
    const Piece& piece = set.pieces[0];
    if (piece.variables.empty()) {
      into_.first = into_.last = piece.element;
    } else if (piece.variables.size() == 1 && piece.element == Number(piece.variables[0])) {
      into_.first = *piece.variables[0]->first;
      into_.last = *piece.variables[0]->last;
    } else {
      refuse("an invariant whose steps are no range", into_.span);
    }
  }

  void items(const std::vector<ir::HeldItem>& all, const ExpressionContext& at) {
    for (const ir::HeldItem& item : all) {
      if (item.origins) {
        statement(item, where(item, at));
        continue;
      }
      expressions_.bind(item.bindings, at,
                        [&](const ExpressionContext& inner) { items(item.items, where(item, inner)); });
    }
  }

  ExpressionContext where(const ir::HeldItem& item, const ExpressionContext& at) {
    if (!item.condition) return at;
    return expressions_.inside(at, {}, expressions_.truth(*item.condition, at));
  }

  void statement(const ir::HeldItem& item, const ExpressionContext& at) {
    Spoken it;
    it.variables.assign(at.scope.begin() + 1, at.scope.end());
    it.given = at.given;
    it.processor = expressions_.number(*item.processor, at);
    it.part = item.part ? expressions_.number(*item.part, at) : Number(0);
    it.addressee = addressee(item, at);
    it.at_least = item.at_least;
    it.span = item.span;
    it.member = member(*item.origins, at);
    refuse_by_step(it);
    it.by_step = mentions(it.given, into_.step);
    require_within(at, {}, algebra_.truth(true), algebra_.below(it.part, problem_.collective.parts), item.span);
    if (it.addressee)
      require_within(at, {}, algebra_.truth(true), algebra_.below(*it.addressee, problem_.processors), item.span);
    into_.statements.push_back(std::move(it));
  }

  // The subject of a statement must be the same from one step to the next.
  void refuse_by_step(const Spoken& it) const {
    Variables found;
    for (const Atom variable : it.variables) {
      collect_variables(*variable->first, found);
      if (variable->last) collect_variables(*variable->last, found);
    }
    for (const Number* x : {&it.processor, &it.part}) collect_variables(*x, found);
    if (it.addressee) collect_variables(*it.addressee, found);
    if (found.count(into_.step) > 0) refuse("an invariant that speaks of others from step to step", it.span);
  }

  std::optional<Number> addressee(const ir::HeldItem& item, const ExpressionContext& at) {
    const BoundCollective& collective = problem_.collective;
    const bool targets = !collective.reduction && !collective.terms.for_everyone;
    if (!targets && item.target) refuse("an addressee, where the collective has none", item.span);
    if (!targets) return std::nullopt;
    if (item.everyone) refuse("chunks for everyone, where the collective has none", item.span);
    if (item.target) return expressions_.number(*item.target, at);
    // An omitted part is implied only if it depends on neither end.
    const Atom source = algebra_.variable("source", Number(0), problem_.processors - Number(1));
    const Atom target = algebra_.variable("target", Number(0), problem_.processors - Number(1));
    const Number implied = TermFormulas(algebra_, {collective.parameters, Number(source), Number(target)})
                               .number(collective.terms.addressee);
    const Variables found = variables_in(implied);
    if (found.count(source) + found.count(target) > 0) refuse("chunks whose addressee is not named", item.span);
    return implied;
  }

  // --- sets ---------------------------------------------------------------------------------------------------------

  Formula member(const ir::Expression& set, const ExpressionContext& at) {
    if (const auto* inner = std::get_if<ir::ToInteger>(&set.node)) return member(*inner->operand, at);
    if (const auto* choice = std::get_if<ir::Conditional>(&set.node)) {
      const Formula condition = expressions_.truth(*choice->condition, at);
      const Formula other = algebra_.negation(condition);
      const Formula then = member(*choice->then, expressions_.inside(at, {}, condition));
      const Formula otherwise = member(*choice->otherwise, expressions_.inside(at, {}, other));
      return algebra_.disjunction({algebra_.conjunction({condition, then}), algebra_.conjunction({other, otherwise})});
    }
    if (const auto around = ir::remainders_of(set)) return in_remainders(*around, at, set.span);
    std::vector<Formula> ways;
    for (const Piece& piece : expressions_.set(set, at).pieces) ways.push_back(in_piece(piece, at, set.span));
    return algebra_.disjunction(std::move(ways));
  }

  const Number& x() const { return into_.origin; }
  Formula between(const Number& low, const Number& y, const Number& high) {
    return algebra_.conjunction({algebra_.at_most(low, y), algebra_.at_most(y, high)});
  }

  void require_within(const ExpressionContext& at, const std::vector<Atom>& variables, Formula given, Formula must,
                      Span span) {
    const ExpressionContext here = expressions_.inside(at, variables, given);
    into_.within.push_back({here.scope, here.given, must, "", span, "", {}});
  }

  Formula in_remainders(const ir::Remainders& around, const ExpressionContext& at, Span span) {
    const Set range = expressions_.set(*around.range, at);
    const Number m = expressions_.number(*around.divisor, at);
    const bool plain = range.pieces.size() == 1 && range.pieces[0].variables.size() == 1 &&
                       range.pieces[0].given == algebra_.truth(true) &&
                       range.pieces[0].element == Number(range.pieces[0].variables[0]);
    if (!plain || !algebra_.never_negative(m - Number(1))) refuse("remainders of this set", span);
    const Number a = *range.pieces[0].variables[0]->first;
    const Number b = *range.pieces[0].variables[0]->last;
    require_within(at, {}, algebra_.at_most(a, b), algebra_.at_most(m, problem_.processors), span);
    // a >= -below·m, and b < above·m.
    const int below = times(m, [&](const Number& around_it) { return a + around_it; });
    const int above = times(m, [&](const Number& around_it) { return around_it - Number(1) - b; });
    require_within(at, {}, algebra_.at_most(a, b),
                   algebra_.conjunction({algebra_.at_most(m * Number(-below), a), algebra_.less(b, m * Number(above))}),
                   span);
    std::vector<Formula> ways;
    for (int q = -below; q < above; ++q) ways.push_back(between(a, x() + m * Number(q), b));
    return algebra_.conjunction({algebra_.less(x(), m), algebra_.disjunction(std::move(ways))});
  }

  // How often m must be added until the sum is never negative. If that is not found, the largest number that is
  // tried; an obligation asks in any case whether it is enough.
  template <class Sum>
  int times(const Number& m, const Sum& sum) const {
    int count = 0;
    const auto enough = [&](const Number& x) { return algebra_.never_negative(x); };
    while (count < most_times_around) {
      const auto all = branches(sum(m * Number(count)));
      if (std::ranges::all_of(all, enough)) break;
      ++count;
    }
    return count;
  }

  // For a piece with a variable, x must determine the value of the variable.
  Formula in_piece(const Piece& piece, const ExpressionContext& at, Span span) {
    require_within(at, piece.variables, piece.given, between(Number(0), piece.element, problem_.processors - Number(1)),
                   span);
    auto equations = algebra_.parts_of_equation(piece.element, x());
    if (!equations) equations = {{piece.element, x()}};
    std::vector<Formula> parts;
    Substitution values;
    for (const auto& [element, origin] : *equations) {
      const auto variable = only_variable_in(element, piece.variables);
      if (!variable) {
        if (mentions_any_of(element, piece.variables)) refuse("a set of this form in an invariant", span);
        parts.push_back(algebra_.equal(origin, element));
        continue;
      }
      const Number rest = element - Number(*variable);
      if (mentions_any_of(rest, piece.variables) || values.count(*variable) > 0)
        refuse("a set of this form in an invariant", span);
      values[*variable] = origin - rest;
      parts.push_back(between(algebra_.substituted(*(*variable)->first, values), values.at(*variable),
                              algebra_.substituted(*(*variable)->last, values)));
    }
    if (values.size() < piece.variables.size()) refuse("a set of this form in an invariant", span);
    parts.push_back(algebra_.substituted(piece.given, values));
    return algebra_.conjunction(parts);
  }

  static bool mentions_any_of(const Number& x, const std::vector<Atom>& variables) {
    const Variables found = variables_in(x);
    return std::ranges::any_of(variables, [&](Atom each) { return found.count(each) > 0; });
  }

  static std::optional<Atom> only_variable_in(const Number& x, const std::vector<Atom>& variables) {
    std::optional<Atom> only;
    for (const Atom each : variables) {
      if (!mentions_any_of(x, {each})) continue;
      if (only) return std::nullopt;
      only = each;
    }
    return only;
  }

  Algebra& algebra_;
  const Problem& problem_;
  Expressions& expressions_;
  SpokenInvariant& into_;
};

}  // namespace

void put_origin(const Algebra& algebra, const SpokenInvariant& invariant, const Number& origin, Substitution& by) {
  const auto put = [&](const auto& self, const Number& digits, const Number& number) -> void {
    if (const auto digit = digits.atom()) {
      by[*digit] = number;
      return;
    }
    const auto parts = algebra.parts_of_equation(number, digits);
    if (!parts) throw Unsupported{"an origin whose row and column are not known", invariant.span};
    for (const auto& [one, other] : *parts) self(self, other, one);
  };
  put(put, invariant.origin, origin);
}

SpokenInvariant spoken(Algebra& algebra, const Problem& problem, Expressions& expressions, const ir::Invariant& from) {
  SpokenInvariant result;
  result.text = from.text;
  result.span = from.span;
  Reader(algebra, problem, expressions, result).read(from);
  return result;
}

}  // namespace quadrille::prover
