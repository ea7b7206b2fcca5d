// Sets, loops over them, and folds.
#include <fmt/format.h>

#include "verifier/prover/expressions.h"
#include "verifier/prover/sums.h"

namespace quadrille::prover {
namespace {

constexpr int widest_expansion = 128;  // a fold over at most so many values is written out, if nothing else helps

}  // namespace

// --- sets ------------------------------------------------------------------------------------------------------------

Set Expressions::range(const Number& first, const Number& last) {
  const Atom variable = algebra_.variable("x", first, last);
  return {{{{variable}, algebra_.truth(true), Number(variable)}}, false};
}

Set Expressions::comprehension(const ir::Expression& e, Frame& frame) {
  Set result;
  const std::size_t outside = path_.scope().size();
  bind(e.bindings, frame, [&] {
    const Formula condition = e.operands.size() > 1 ? truth(e.operands[1], frame) : algebra_.truth(true);
    const Path::Step step(path_, {}, condition);
    const Number element = number(e.operands[0], frame);
    const std::vector<Atom> variables(path_.scope().begin() + static_cast<std::ptrdiff_t>(outside),
                                      path_.scope().end());
    const bool plain = variables.size() == 1 && element == Number(variables[0]);
    if (!plain && !variables.empty()) throw Unsupported{"a set of values that might repeat", e.span};
    result.pieces.push_back({variables, path_.given(), element});
  });
  if (result.pieces.size() > 1) throw Unsupported{"a set over several sets", e.span};
  return result;
}

void Expressions::bind(const std::vector<ir::Binding>& bindings, Frame& frame, const std::function<void()>& visit) {
  bind_from(0, bindings, frame, visit);
}

void Expressions::bind_from(std::size_t i, const std::vector<ir::Binding>& bindings, Frame& frame,
                            const std::function<void()>& visit) {
  if (i == bindings.size()) return visit();
  const ir::Binding& binding = bindings[i];
  for (const Piece& piece : set(binding.set[0], frame).pieces) {
    // Variables of its own for each loop, named as the loop's.
    Substitution renamed;
    std::vector<Atom> variables;
    for (const Atom old : piece.variables) {
      const Number first = algebra_.substituted(*old->first, renamed);
      const Number last = algebra_.substituted(*old->last, renamed);
      variables.push_back(algebra_.variable(binding.name, first, last));
      renamed[old] = Number(variables.back());
    }
    frame[binding.slot] = algebra_.substituted(piece.element, renamed);
    const Path::Step step(path_, variables, algebra_.substituted(piece.given, renamed));
    bind_from(i + 1, bindings, frame, visit);
  }
}

// --- folds -----------------------------------------------------------------------------------------------------------

Value Expressions::fold(const ir::Expression& e, Frame& frame) {
  switch (static_cast<ir::Fold>(e.number)) {
    case ir::Fold::sum:
      return sum(e, frame);
    case ir::Fold::min:
    case ir::Fold::max:
      return extreme(e, frame);
    case ir::Fold::all:
      return every(e, frame, true);
    case ir::Fold::any:
      return every(e, frame, false);
    default:
      throw Unsupported{"a count", e.span};
  }
}

namespace {

// The one variable that a fold runs over.
Atom only_variable(const Path& path, std::size_t outside, const ir::Expression& e) {
  if (path.scope().size() != outside + 1) throw Unsupported{"a fold over several variables, or over a list", e.span};
  return path.scope().back();
}

}  // namespace

Number Expressions::sum(const ir::Expression& e, Frame& frame) {
  const std::size_t outside = path_.scope().size();
  const Formula around = path_.given();
  std::optional<Number> result;
  bind(e.bindings, frame, [&] {
    const Atom variable = only_variable(path_, outside, e);
    const Number element = number(e.operands[0], frame);
    if (e.operands.size() > 1 && truth(e.operands[1], frame) != algebra_.truth(true))
      throw Unsupported{"a sum with a condition", e.span};
    if (path_.given() != around) throw Unsupported{"a sum with a condition", e.span};
    const auto closed = closed_sum(algebra_, element, variable, *variable->first, *variable->last);
    if (!closed) throw Unsupported{fmt::format("a sum of {} has no closed form here", to_string(element)), e.span};
    const Number count = *variable->last - *variable->first + Number(1);
    result =
        algebra_.never_negative(count) ? *closed : algebra_.choice(algebra_.at_least_zero(count), *closed, Number(0));
  });
  if (!result) throw Unsupported{"a sum over a list", e.span};
  return *result;
}

// The least or greatest element: at an end of the range, if it rises or falls all the way; else all of them compared.
Number Expressions::extreme(const ir::Expression& e, Frame& frame) {
  const std::size_t outside = path_.scope().size();
  const Formula around = path_.given();
  const bool greatest = static_cast<ir::Fold>(e.number) == ir::Fold::max;
  std::optional<Number> result;
  Formula something = nullptr;
  bind(e.bindings, frame, [&] {
    const Atom variable = only_variable(path_, outside, e);
    const Formula condition = e.operands.size() > 1 ? truth(e.operands[1], frame) : algebra_.truth(true);
    const Number element = number(e.operands[0], frame);
    const Number first = *variable->first;
    const Number last = *variable->last;
    const Formula given = algebra_.conjunction({condition, path_.given()});
    const auto at = [&](const Number& x) { return algebra_.substituted(element, {{variable, x}}); };
    if (given == around) {
      something = algebra_.at_most(first, last);
      const Number growth = at(Number(variable) + Number(1)) - element;
      if (algebra_.never_negative(growth)) result = at(greatest ? last : first);
      if (algebra_.never_negative(-growth)) result = at(greatest ? first : last);
      if (result) return;
    }
    throw Unsupported{"the least or greatest of what neither rises nor falls", e.span};
  });
  if (!result) throw Unsupported{"the least or greatest of a list", e.span};
  // Outside of the loop: inside, there is always something.
  require(something, "the least or greatest of something", e.span);
  return *result;
}

Formula Expressions::every(const ir::Expression& e, Frame& frame, bool all) {
  const std::size_t outside = path_.scope().size();
  std::vector<Formula> parts;
  bind(e.bindings, frame, [&] {
    const Formula own = e.operands.size() > 1 ? truth(e.operands[1], frame) : algebra_.truth(true);
    const Path::Step step(path_, {}, own);
    const Formula condition = path_.given();
    const Formula element = truth(e.operands[0], frame);
    const Formula part = all ? algebra_.disjunction({algebra_.negation(condition), element})
                             : algebra_.conjunction({condition, element});
    if (part == algebra_.truth(all)) return;
    const Atom variable = only_variable(path_, outside, e);
    const auto from = algebra_.lower(*variable->first);
    const auto to = algebra_.upper(*variable->last);
    if (!from || !to || *to - *from > widest_expansion) throw Unsupported{"a statement about too many values", e.span};
    for (Integer x = rounded_down(*from); x <= *to; ++x) {
      const Number value{Rational(x)};
      const Formula inside =
          algebra_.conjunction({algebra_.at_most(*variable->first, value), algebra_.at_most(value, *variable->last)});
      const Formula here = algebra_.substituted(part, {{variable, value}});
      parts.push_back(all ? algebra_.disjunction({algebra_.negation(inside), here})
                          : algebra_.conjunction({inside, here}));
    }
  });
  return all ? algebra_.conjunction(parts) : algebra_.disjunction(std::move(parts));
}

}  // namespace quadrille::prover
