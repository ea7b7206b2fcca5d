#include "verifier/prover/expressions.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace quadrille::prover {
namespace {

using ir::Op;

constexpr unsigned deepest_call = 100;
constexpr const char* no_processor = "there is no processor {}";

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

void Expressions::require(Formula must, std::string words, Span span, std::string failure, Number number) {
  if (must == algebra_.truth(true)) return;
  problem_.conditions.push_back(
      {path_.scope(), path_.given(), must, std::move(words), span, std::move(failure), std::move(number)});
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
  throw Unsupported{"a choice between procedures", e.span};
}

Value Expressions::call(const ir::Expression& e, Frame& frame) {
  const ir::Function& function = problem_.schedule->functions[static_cast<std::size_t>(e.number)];
  if (depth_ >= deepest_call) throw Unsupported{fmt::format("'{}' calls itself", function.name), e.span};
  Frame callee(function.frame.size);
  for (std::size_t i = 0; i < e.operands.size(); ++i) callee[i] = value(e.operands[i], frame);
  const Deeper deeper(depth_);
  return value(function.value, callee);
}

Value Expressions::constant(const ir::Expression& e) {
  const ir::Constant& constant = problem_.schedule->constants[static_cast<std::size_t>(e.number)];
  if (depth_ >= deepest_call) throw Unsupported{fmt::format("'{}' depends on itself", constant.name), e.span};
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
  throw Unsupported{fmt::format("the list of capacities '{}'", parameter.argument), e.span};
}

}  // namespace quadrille::prover
