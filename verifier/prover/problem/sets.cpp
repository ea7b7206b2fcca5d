// Evaluates sets, loops over them, and folds, without a list of the elements: a set is a number with a variable in a
// range, and a loop over it leaves that variable.
//
// Example: the sum of 2^i over 0..L-1 is 2^L - 1, in closed form (sums.cpp). The maximum of 2·i over 1..n is 2·n, as
// 2·i increases with i. "all" over a range of at most 129 values is a conjunction.
//
// Cost: one evaluation of the body for each piece of the set, and one instance for each value that is expanded.
#include <fmt/format.h>

#include "verifier/prover/algebra/algebra.h"
#include "verifier/prover/problem/expressions.h"

namespace quadrille::prover {
namespace {

constexpr int widest_expansion = 128;  // a fold over at most N values is expanded, if nothing else helps

// The variables of `at` that `around` does not have.
std::vector<Atom> added_scope(const ExpressionContext& around, const ExpressionContext& at) {
  return {at.scope.begin() + static_cast<std::ptrdiff_t>(around.scope.size()), at.scope.end()};
}

}  // namespace

// --- sets ------------------------------------------------------------------------------------------------------------

Set Expressions::range(const Number& first, const Number& last) {
  const Atom variable = algebra_.variable("x", first, last);
  return {{{{variable}, algebra_.truth(true), Number(variable)}}, false};
}

Value Expressions::value_of(const ir::Range& node, const ir::Expression&, const ExpressionContext& at) {
  const Number first = number(*node.first, at);
  const Number last = number(*node.last, at);
  return node.down ? range(last, first) : range(first, last);
}

Value Expressions::value_of(const ir::SetLiteral& node, const ir::Expression&, const ExpressionContext& at) {
  Set result;
  for (const ir::Expression& element : node.elements) {
    const Number x = number(element, at);
    Formula fresh = algebra_.truth(true);
    for (const Piece& piece : result.pieces) {
      fresh = algebra_.conjunction({fresh, algebra_.negation(algebra_.equal(x, piece.element))});
    }
    result.pieces.push_back({{}, fresh, x});
  }
  return result;
}

Value Expressions::value_of(const ir::Comprehension& node, const ir::Expression& e, const ExpressionContext& at) {
  Set result;
  bind(node.each->bindings, at, [&](const ExpressionContext& all) {
    const Formula condition = node.each->condition ? truth(*node.each->condition, all) : algebra_.truth(true);
    const ExpressionContext chosen = inside(all, {}, condition);
    const Number element = number(node.each->element, chosen);
    const std::vector<Atom> variables = added_scope(at, chosen);
    const bool plain = variables.size() == 1 && element == Number(variables[0]);
    result.pieces.push_back({variables, chosen.given, element});
    if (!plain && !variables.empty()) require_different(at, result.pieces.back(), e.span);
  });
  if (result.pieces.size() > 1) throw Unsupported{"a set over several sets", e.span};
  return result;
}

// Two choices of the variables differ first in some variable, which is larger in the second.
void Expressions::require_different(const ExpressionContext& at, const Piece& piece, Span span) {
  for (std::size_t i = 0; i < piece.variables.size(); ++i) {
    Substitution second;
    std::vector<Atom> primed;
    for (std::size_t j = i; j < piece.variables.size(); ++j) {
      const Atom old = piece.variables[j];
      const Number first = j == i ? Number(old) + Number(1) : algebra_.substituted(*old->first, second);
      primed.push_back(algebra_.variable(old->name + "'", first, algebra_.substituted(*old->last, second)));
      second[old] = Number(primed.back());
    }
    const Number other = algebra_.substituted(piece.element, second);
    const Formula given = algebra_.conjunction({piece.given, algebra_.substituted(piece.given, second)});
    const ExpressionContext here = inside(inside(at, piece.variables, given), primed, algebra_.truth(true));
    const Formula differ = algebra_.negation(algebra_.equal(piece.element, other));
    if (differ == algebra_.truth(true)) continue;
    require(here, differ, "a set has no element twice", span, "it has {} twice", piece.element);
    problem_.conditions.back().basic = true;
  }
}

void Expressions::bind(const std::vector<ir::Binding>& bindings, const ExpressionContext& at, const Visit& visit) {
  bind_from(0, bindings, at, visit);
}

void Expressions::bind_from(std::size_t i, const std::vector<ir::Binding>& bindings, const ExpressionContext& at,
                            const Visit& visit) {
  if (i == bindings.size()) return visit(at);
  const ir::Binding& binding = bindings[i];
  for (const Piece& piece : set(binding.set, at).pieces) {
    // Each loop has variables of its own, with the names of the loop's.
    Substitution renamed;
    std::vector<Atom> variables;
    for (const Atom old : piece.variables) {
      const Number first = algebra_.substituted(*old->first, renamed);
      const Number last = algebra_.substituted(*old->last, renamed);
      variables.push_back(algebra_.variable(binding.name, first, last));
      renamed[old] = Number(variables.back());
    }
    ExpressionContext inner = inside(at, variables, algebra_.substituted(piece.given, renamed));
    inner.frame[binding.variable.value] = algebra_.substituted(piece.element, renamed);
    bind_from(i + 1, bindings, inner, visit);
  }
}

// --- folds -----------------------------------------------------------------------------------------------------------

Value Expressions::value_of(const ir::Fold& node, const ir::Expression& e, const ExpressionContext& at) {
  switch (node.kind) {
    case ir::FoldKind::sum:
      return sum(*node.each, e.span, at);
    case ir::FoldKind::min:
    case ir::FoldKind::max:
      return extreme(*node.each, node.kind == ir::FoldKind::max, e.span, at);
    case ir::FoldKind::all:
    case ir::FoldKind::any:
      return every(*node.each, node.kind == ir::FoldKind::all, e.span, at);
    case ir::FoldKind::count:
      break;
  }
  throw Unsupported{"a count", e.span};
}

namespace {

// The single variable that a fold in `around` runs over.
Atom only_variable(const ExpressionContext& around, const ExpressionContext& at, Span span) {
  if (at.scope.size() != around.scope.size() + 1)
    throw Unsupported{"a fold over several variables, or over a list", span};
  return at.scope.back();
}

}  // namespace

Number Expressions::sum(const ir::Iteration& each, Span span, const ExpressionContext& at) {
  std::optional<Number> result;
  bind(each.bindings, at, [&](const ExpressionContext& inner) {
    const Atom variable = only_variable(at, inner, span);
    const Number element = number(each.element, inner);
    if (each.condition && truth(*each.condition, inner) != algebra_.truth(true))
      throw Unsupported{"a sum with a condition", span};
    if (inner.given != at.given) throw Unsupported{"a sum with a condition", span};
    const auto closed = closed_sum(algebra_, element, variable, *variable->first, *variable->last);
    if (!closed) throw Unsupported{fmt::format("a sum of {} has no closed form here", to_string(element)), span};
    const Number count = *variable->last - *variable->first + Number(1);
    result =
        algebra_.never_negative(count) ? *closed : algebra_.choice(algebra_.at_least_zero(count), *closed, Number(0));
  });
  if (!result) throw Unsupported{"a sum over a list", span};
  return *result;
}

// The least or greatest element: at an end of the range, if the element rises or falls all the way; otherwise all
// elements are compared.
Number Expressions::extreme(const ir::Iteration& each, bool greatest, Span span, const ExpressionContext& at) {
  std::optional<Number> result;
  Formula something = nullptr;
  bind(each.bindings, at, [&](const ExpressionContext& inner) {
    const Atom variable = only_variable(at, inner, span);
    const Formula condition = each.condition ? truth(*each.condition, inner) : algebra_.truth(true);
    const Number element = number(each.element, inner);
    const Number first = *variable->first;
    const Number last = *variable->last;
    const auto element_at = [&](const Number& x) { return algebra_.substituted(element, {{variable, x}}); };
    if (algebra_.conjunction({condition, inner.given}) == at.given) {
      something = algebra_.at_most(first, last);
      const Number growth = element_at(Number(variable) + Number(1)) - element;
      if (algebra_.never_negative(growth)) result = element_at(greatest ? last : first);
      if (algebra_.never_negative(-growth)) result = element_at(greatest ? first : last);
      if (result) return;
    }
    throw Unsupported{"the least or greatest of what neither rises nor falls", span};
  });
  if (!result) throw Unsupported{"the least or greatest of a list", span};
  // The condition is required outside of the loop; inside, the set always has an element.
  require(at, something, "the least or greatest of something", span);
  return *result;
}

Formula Expressions::every(const ir::Iteration& each, bool all, Span span, const ExpressionContext& at) {
  std::vector<Formula> parts;
  bind(each.bindings, at, [&](const ExpressionContext& inner) {
    const Formula own = each.condition ? truth(*each.condition, inner) : algebra_.truth(true);
    const ExpressionContext chosen = inside(inner, {}, own);
    const Formula element = truth(each.element, chosen);
    const Formula part = all ? algebra_.disjunction({algebra_.negation(chosen.given), element})
                             : algebra_.conjunction({chosen.given, element});
    if (part == algebra_.truth(all)) return;
    append_instances(part, only_variable(at, chosen, span), all, span, parts);
  });
  return all ? algebra_.conjunction(parts) : algebra_.disjunction(std::move(parts));
}

// Adds the statement for each value that the variable may have.
void Expressions::append_instances(Formula part, Atom variable, bool all, Span span, std::vector<Formula>& parts) {
  const auto from = algebra_.lower(*variable->first);
  const auto to = algebra_.upper(*variable->last);
  if (!from || !to || *to - *from > widest_expansion) throw Unsupported{"a statement about too many values", span};
  for (Integer x = rounded_down(*from); x <= *to; ++x) {
    const Number value{Rational(x)};
    const Formula inside =
        algebra_.conjunction({algebra_.at_most(*variable->first, value), algebra_.at_most(value, *variable->last)});
    const Formula here = algebra_.substituted(part, {{variable, value}});
    parts.push_back(all ? algebra_.disjunction({algebra_.negation(inside), here})
                        : algebra_.conjunction({inside, here}));
  }
}

}  // namespace quadrille::prover
