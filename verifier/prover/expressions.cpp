#include "verifier/prover/expressions.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace quadrille::prover {
namespace {

using ir::Builtin;
using ir::Op;

constexpr unsigned deepest_call = 100;
constexpr const char* no_processor = "there is no processor {}";
constexpr const char* negative_exponent = "the exponent is {}";

}  // namespace

// --- path ------------------------------------------------------------------------------------------------------------

Path::Step::Step(Path& path, std::vector<Atom> variables, Formula given)
    : path_(path), scope_(path.scope_.size()), given_(path.given_) {
  path.scope_.insert(path.scope_.end(), variables.begin(), variables.end());
  path.given_ = path.algebra_.conjunction({path.given_, given});
}

Path::Step::~Step() {
  path_.scope_.resize(scope_);
  path_.given_ = given_;
}

Expressions::Expressions(Algebra& algebra, Problem& problem, std::vector<Value> parameters)
    : algebra_(algebra), problem_(problem), parameters_(std::move(parameters)), path_(algebra) {}

void Expressions::require(Formula must, std::string words, Span span, std::string told, Number number) {
  if (must == algebra_.truth(true)) return;
  problem_.conditions.push_back(
      {path_.scope(), path_.given(), must, std::move(words), span, std::move(told), std::move(number)});
}

// --- values ----------------------------------------------------------------------------------------------------------

Value Expressions::value(const ir::Expression& e, Frame& frame) {
  switch (e.op) {
    case Op::literal:
      if (e.type == ir::Type::boolean) return algebra_.truth(e.number != 0);
      return Number(Rational(e.number));
    case Op::local:
      return frame[static_cast<std::size_t>(e.number)];
    case Op::parameter:
      return parameters_[static_cast<std::size_t>(e.number)];
    case Op::constant:
      return constant(e);
    case Op::procedure_name:
      return static_cast<std::size_t>(e.number);
    case Op::negate:
      return -number(e.operands[0], frame);
    case Op::logical_not:
      return algebra_.negation(truth(e.operands[0], frame));
    case Op::logical_or:
    case Op::logical_and: {
      const Formula left = truth(e.operands[0], frame);
      const bool both = e.op == Op::logical_and;
      const Path::Step step(path_, {}, both ? left : algebra_.negation(left));
      const Formula right = truth(e.operands[1], frame);
      return both ? algebra_.conjunction({left, right}) : algebra_.disjunction({left, right});
    }
    case Op::conditional:
      return conditional(e, frame);
    case Op::call_function:
      return call(e, frame);
    case Op::call_pattern:
      return pattern(e, frame);
    case Op::call_builtin:
      return builtin(e, frame);
    case Op::to_node: {
      Value inner = value(e.operands[0], frame);
      const auto exists = [&](const Number& x) {
        return algebra_.conjunction({algebra_.at_least_zero(x), algebra_.less(x, problem_.processors)});
      };
      if (const auto* x = std::get_if<Number>(&inner))
        require(exists(*x), "the processor exists", e.span, no_processor, *x);
      if (const auto* set = std::get_if<Set>(&inner)) {
        for (const Piece& piece : set->pieces) {
          const Path::Step step(path_, piece.variables, piece.given);
          require(exists(piece.element), "the processors exist", e.span, no_processor, piece.element);
        }
      }
      return inner;
    }
    case Op::to_integer:
      return value(e.operands[0], frame);
    case Op::range_up: {
      const Number first = number(e.operands[0], frame);
      return range(first, number(e.operands[1], frame));
    }
    case Op::range_down: {
      const Number first = number(e.operands[0], frame);
      return range(number(e.operands[1], frame), first);
    }
    case Op::set_literal: {
      Set result;
      for (const ir::Expression& element : e.operands) {
        const Number x = number(element, frame);
        Formula fresh = algebra_.truth(true);
        for (const Piece& piece : result.pieces) {
          fresh = algebra_.conjunction({fresh, algebra_.negation(algebra_.equal(x, piece.element))});
        }
        result.pieces.push_back({{}, fresh, x});
      }
      return result;
    }
    case Op::set_comprehension:
      return comprehension(e, frame);
    case Op::fold:
      return fold(e, frame);
    default:
      return binary(e, frame);
  }
}

Value Expressions::conditional(const ir::Expression& e, Frame& frame) {
  const Formula condition = truth(e.operands[0], frame);
  if (condition->kind == FormulaKind::constant) return value(e.operands[condition->value ? 1 : 2], frame);
  Value then;
  Value otherwise;
  {
    const Path::Step step(path_, {}, condition);
    then = value(e.operands[1], frame);
  }
  {
    const Path::Step step(path_, {}, algebra_.negation(condition));
    otherwise = value(e.operands[2], frame);
  }
  if (const auto* a = std::get_if<Number>(&then)) return algebra_.choice(condition, *a, std::get<Number>(otherwise));
  if (const auto* a = std::get_if<Formula>(&then)) {
    return algebra_.disjunction({algebra_.conjunction({condition, *a}),
                                 algebra_.conjunction({algebra_.negation(condition), std::get<Formula>(otherwise)})});
  }
  if (auto* a = std::get_if<Set>(&then)) {
    Set result;
    for (Piece& piece : a->pieces) {
      piece.given = algebra_.conjunction({piece.given, condition});
      result.pieces.push_back(piece);
    }
    for (Piece& piece : std::get<Set>(otherwise).pieces) {
      piece.given = algebra_.conjunction({piece.given, algebra_.negation(condition)});
      result.pieces.push_back(piece);
    }
    return result;
  }
  throw Beyond{"a choice between procedures", e.span};
}

Value Expressions::call(const ir::Expression& e, Frame& frame) {
  const ir::Function& function = problem_.schedule->functions[static_cast<std::size_t>(e.number)];
  if (depth_ >= deepest_call) throw Beyond{fmt::format("'{}' calls itself", function.name), e.span};
  Frame callee(function.frame.size);
  for (std::size_t i = 0; i < e.operands.size(); ++i) callee[i] = value(e.operands[i], frame);
  const Deeper deeper(depth_);
  return value(function.value, callee);
}

Value Expressions::constant(const ir::Expression& e) {
  const ir::Constant& constant = problem_.schedule->constants[static_cast<std::size_t>(e.number)];
  if (depth_ >= deepest_call) throw Beyond{fmt::format("'{}' depends on itself", constant.name), e.span};
  Frame frame(constant.frame.size);
  const Deeper deeper(depth_);
  return value(constant.value, frame);
}

Number Expressions::pattern(const ir::Expression& e, Frame& frame) {
  const Number level = number(e.operands[0], frame);
  const Parameter& parameter = problem_.parameters[static_cast<std::size_t>(e.number)];
  problem_.capacities_used = true;
  require(algebra_.at_least_zero(level - Number(1)), fmt::format("'{}' has a value for the level", parameter.name),
          e.span, "the level is {}", level);
  if (parameter.argument == "constant") return Number(1);
  if (parameter.argument == "exponential") return two_to(level - Number(1), e.span);
  throw Beyond{fmt::format("the list of capacities '{}'", parameter.argument), e.span};
}

// --- builtins --------------------------------------------------------------------------------------------------------

Value Expressions::builtin(const ir::Expression& e, Frame& frame) {
  const auto argument = [&](std::size_t i) { return number(e.operands[i], frame); };
  const auto which = static_cast<Builtin>(e.number);
  switch (which) {
    case Builtin::processor_count:
      return problem_.processors;
    case Builtin::processors:
      return range(Number(0), problem_.processors - Number(1));
    case Builtin::all: {
      Set result = range(Number(0), problem_.processors - Number(1));
      result.everyone = true;
      return result;
    }
    case Builtin::levels:
      if (problem_.machine.kind == Machine::Kind::tree) return problem_.machine.levels;
      break;
    case Builtin::log2: {
      const Number x = argument(0);
      require(algebra_.at_least_zero(x - Number(1)), "log2 of at least 1", e.span, "it is log2 of {}", x);
      return algebra_.bits(x) - Number(1);
    }
    case Builtin::ceil_div: {
      const Number a = argument(0);
      const Number b = argument(1);
      require(algebra_.negation(algebra_.equal(b, Number(0))), "no division by zero", e.span);
      return b == Number(0) ? Number(0) : -algebra_.divide(-a, b);
    }
    case Builtin::abs: {
      const Number x = argument(0);
      return algebra_.choice(algebra_.at_least_zero(x), x, -x);
    }
    case Builtin::min:
    case Builtin::max: {
      Number best = argument(0);
      for (std::size_t i = 1; i < e.operands.size(); ++i) {
        const Number x = argument(i);
        best = which == Builtin::min ? algebra_.least(best, x) : algebra_.greatest(best, x);
      }
      return best;
    }
    case Builtin::distance: {
      if (problem_.machine.kind != Machine::Kind::tree) throw Beyond{"distances on this fabric", e.span};
      const Number a = argument(0);
      return hops(algebra_, problem_.machine, a, argument(1));
    }
    case Builtin::steps:
    case Builtin::messages:
    case Builtin::rows:
    case Builtin::max_queue:
      return measure(which, e.span);
    default:
      break;
  }
  throw Beyond{"a builtin that the prover does not know", e.span};
}

Number Expressions::measure(Builtin which, Span span) const {
  if (which == Builtin::steps && measures_.steps) return *measures_.steps;
  if (which == Builtin::messages && measures_.messages) return *measures_.messages;
  if (which == Builtin::max_queue && measures_.max_queue) return *measures_.max_queue;
  throw Beyond{"a measure that the prover has no formula for", span};
}

// --- operators -------------------------------------------------------------------------------------------------------

Value Expressions::binary(const ir::Expression& e, Frame& frame) {
  const Value left = value(e.operands[0], frame);
  const Value right = value(e.operands[1], frame);
  switch (e.op) {
    case Op::logical_xor: {
      const Formula a = std::get<Formula>(left);
      const Formula b = std::get<Formula>(right);
      return algebra_.disjunction(
          {algebra_.conjunction({a, algebra_.negation(b)}), algebra_.conjunction({algebra_.negation(a), b})});
    }
    case Op::equal:
    case Op::not_equal:
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
      return comparison(e, left, right);
    default:
      return arithmetic(e, std::get<Number>(left), std::get<Number>(right));
  }
}

Value Expressions::comparison(const ir::Expression& e, const Value& left, const Value& right) {
  if (const auto* p = std::get_if<Formula>(&left)) {  // truth values
    const Formula q = std::get<Formula>(right);
    const Formula same = algebra_.disjunction(
        {algebra_.conjunction({*p, q}), algebra_.conjunction({algebra_.negation(*p), algebra_.negation(q)})});
    if (e.op == Op::equal) return same;
    if (e.op == Op::not_equal) return algebra_.negation(same);
    throw Beyond{"a comparison of truth values", e.span};
  }
  if (!std::holds_alternative<Number>(left)) throw Beyond{"a comparison of sets", e.span};
  const Number& a = std::get<Number>(left);
  const Number& b = std::get<Number>(right);
  switch (e.op) {
    case Op::equal:
      return algebra_.equal(a, b);
    case Op::not_equal:
      return algebra_.negation(algebra_.equal(a, b));
    case Op::less:
      return algebra_.less(a, b);
    case Op::less_equal:
      return algebra_.at_most(a, b);
    case Op::greater:
      return algebra_.less(b, a);
    default:
      return algebra_.at_most(b, a);
  }
}

Number Expressions::arithmetic(const ir::Expression& e, const Number& a, const Number& b) {
  const auto not_by_zero = [&] {
    require(algebra_.negation(algebra_.equal(b, Number(0))), "no division by zero", e.span);
  };
  switch (e.op) {
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      not_by_zero();
      return b == Number(0) ? Number(0) : algebra_.divide(a, b);
    case Op::modulo:
      not_by_zero();
      return b == Number(0) ? Number(0) : algebra_.remainder(a, b);
    case Op::power:
      return power(e, a, b);
    case Op::shift_left:
      return a * two_to(b, e.span);
    case Op::shift_right:
      return algebra_.divide(a, two_to(b, e.span));
    case Op::bit_or:
      return algebra_.bitwise(AtomKind::bit_or, a, b);
    case Op::bit_xor:
      return algebra_.bitwise(AtomKind::bit_xor, a, b);
    case Op::bit_and:
      return algebra_.bitwise(AtomKind::bit_and, a, b);
    default:
      throw Beyond{"an operator that the prover does not know", e.span};
  }
}

Number Expressions::power(const ir::Expression& e, const Number& base, const Number& exponent) {
  if (const auto times = exponent.constant(); times && *times >= 0 && *times <= 8) {
    Number result(1);
    for (int i = 0; i < *times; ++i) result = result * base;
    return result;
  }
  if (const auto value = base.constant(); value && *value > 0) {
    const Integer whole = numerator(*value);
    if ((whole & (whole - 1)) == 0) {
      require(algebra_.at_least_zero(exponent), "an exponent of at least 0", e.operands[1].span, negative_exponent,
              exponent);
      return two_to(exponent * Number(static_cast<int>(msb(whole))), e.span);
    }
  }
  throw Beyond{"a power whose base is not a power of two", e.span};
}

Number Expressions::two_to(const Number& exponent, Span span) {
  require(algebra_.at_least_zero(exponent), "an exponent of at least 0", span, negative_exponent, exponent);
  if (!is_exponent(exponent)) throw Beyond{"an exponent that is not linear", span};
  const auto most = algebra_.upper(exponent);
  if (!most || *most > 1024) throw Beyond{"a power that may have more than 1024 binary digits", span};
  return power_of_two(exponent);
}

}  // namespace quadrille::prover
