// Idea: the schedule's expressions are evaluated as a compiler does at one size, but with numbers that are
// polynomials in the parameters and loop variables. A requirement for a value to exist becomes a condition to be
// proved.
//
//   "for k in processors", (k + 1) mod n as a processor: this is the number (k + 1) mod n, with the condition that 0
//   <= (k + 1) mod n < n for all k from 0 to n - 1
//
// Cost: one operation of the algebra for each expression; at most 200,000 expressions are evaluated.
#include "verifier/prover/problem/expressions.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace quadrille::prover {
namespace {

constexpr unsigned deepest_call = 160;               // of functions and procedures together
constexpr std::uint32_t most_evaluations = 200'000;  // the schedules that ship take some thousands
constexpr const char* no_processor = "there is no processor {}";

}  // namespace

Expressions::Expressions(Algebra& algebra, Problem& problem, std::vector<Value> parameters)
    : algebra_(algebra), problem_(problem), parameters_(std::move(parameters)) {}

ExpressionContext Expressions::outermost(const ir::Frame& frame) const {
  return {std::vector<Value>(frame.size), {}, algebra_.truth(true)};
}

ExpressionContext Expressions::inside(ExpressionContext at, const std::vector<Atom>& variables, Formula given) const {
  at.scope.insert(at.scope.end(), variables.begin(), variables.end());
  at.given = algebra_.conjunction({at.given, given});
  return at;
}

void Expressions::require(const ExpressionContext& at, Formula must, std::string words, Span span, std::string failure,
                          Number number) {
  if (must == algebra_.truth(true)) return;
  problem_.conditions.push_back(
      {at.scope, at.given, must, std::move(words), span, std::move(failure), std::move(number)});
}

// --- values ----------------------------------------------------------------------------------------------------------

void Expressions::count_evaluation(Span span) {
  algebra_.pulse();  // calls may double at each of many levels
  if (++evaluations_ <= most_evaluations) return;
  throw Unsupported{fmt::format("a schedule of more than {} statements and expressions when its calls are followed",
                                most_evaluations),
                    span};
}

Value Expressions::value(const ir::Expression& e, const ExpressionContext& at) {
  count_evaluation(e.span);
  return std::visit([&](const auto& node) { return value_of(node, e, at); }, e.node);
}

Value Expressions::value_of(const ir::Literal& node, const ir::Expression& e, const ExpressionContext&) {
  if (e.type == ir::Type::boolean) return algebra_.truth(node.value != 0);
  return Number(Rational(node.value));
}

Value Expressions::value_of(const ir::VariableUse& node, const ir::Expression&, const ExpressionContext& at) {
  return at.frame[node.variable.value];
}

Value Expressions::value_of(const ir::NodeNamed& node, const ir::Expression& e, const ExpressionContext&) {
  throw Unsupported{fmt::format("the node '{}' by its name", node.name), e.span};
}

Value Expressions::value_of(const ir::ParameterUse& node, const ir::Expression& e, const ExpressionContext&) {
  const Value& value = parameters_[node.parameter.value];
  if (std::holds_alternative<std::monostate>(value))
    throw Unsupported{"a parameter's range that depends on itself, or on a later one", e.span};
  return value;
}

Value Expressions::value_of(const ir::ConstantUse& node, const ir::Expression& e, const ExpressionContext& at) {
  const ir::Constant& constant = problem_.schedule->constants[node.constant.value];
  if (at.depth >= deepest_call) throw Unsupported{fmt::format("'{}' depends on itself", constant.name), e.span};
  const ExpressionContext own{std::vector<Value>(constant.frame.size), at.scope, at.given, at.depth + 1};
  return value(constant.value, own);
}

Value Expressions::value_of(const ir::ProcedureUse& node, const ir::Expression&, const ExpressionContext&) {
  return node.procedure;
}

// --- processors and their numbers ------------------------------------------------------------------------------------

Formula Expressions::exists(const Number& processor) { return algebra_.below(processor, problem_.processors); }

Value Expressions::value_of(const ir::ToNode& node, const ir::Expression& e, const ExpressionContext& at) {
  Value inner = value(*node.operand, at);
  if (const auto* x = std::get_if<Number>(&inner))
    require(at, exists(*x), "the processor exists", e.span, no_processor, *x);
  if (const auto* set = std::get_if<Set>(&inner)) {
    for (const Piece& piece : set->pieces) {
      require(inside(at, piece.variables, piece.given), exists(piece.element), "the processors exist", e.span,
              no_processor, piece.element);
    }
  }
  return inner;
}

Value Expressions::value_of(const ir::ToInteger& node, const ir::Expression&, const ExpressionContext& at) {
  return value(*node.operand, at);
}

// --- choices and calls -----------------------------------------------------------------------------------------------

Value Expressions::value_of(const ir::Conditional& node, const ir::Expression& e, const ExpressionContext& at) {
  const Formula condition = truth(*node.condition, at);
  if (condition->kind == FormulaNodeKind::constant) return value(condition->value ? *node.then : *node.otherwise, at);
  const Value then = value(*node.then, inside(at, {}, condition));
  const Value otherwise = value(*node.otherwise, inside(at, {}, algebra_.negation(condition)));
  if (const auto* a = std::get_if<Number>(&then)) return algebra_.choice(condition, *a, std::get<Number>(otherwise));
  if (const auto* a = std::get_if<Formula>(&then)) {
    return algebra_.disjunction({algebra_.conjunction({condition, *a}),
                                 algebra_.conjunction({algebra_.negation(condition), std::get<Formula>(otherwise)})});
  }
  if (const auto* a = std::get_if<Set>(&then)) {
    Set result;
    const auto add = [&](Piece piece, Formula where) {
      piece.given = algebra_.conjunction({piece.given, where});
      result.pieces.push_back(std::move(piece));
    };
    for (const Piece& piece : a->pieces) add(piece, condition);
    for (const Piece& piece : std::get<Set>(otherwise).pieces) add(piece, algebra_.negation(condition));
    return result;
  }
  throw Unsupported{"a choice between procedures", e.span};
}

Value Expressions::value_of(const ir::FunctionCall& node, const ir::Expression& e, const ExpressionContext& at) {
  const ir::Function& function = problem_.schedule->functions[node.function.value];
  if (at.depth >= deepest_call)
    throw Unsupported{fmt::format("'{}' calls itself; write a formula or a fold instead", function.name), e.span};
  ExpressionContext own{std::vector<Value>(function.frame.size), at.scope, at.given, at.depth + 1};
  for (std::size_t i = 0; i < node.arguments.size(); ++i) own.frame[i] = value(node.arguments[i], at);
  return value(function.value, own);
}

Value Expressions::value_of(const ir::PatternCall& node, const ir::Expression& e, const ExpressionContext& at) {
  const Number level = number(*node.level, at);
  const ProblemParameter& parameter = problem_.parameters[node.pattern.value];
  problem_.capacities_used = true;
  require(at, algebra_.at_least_zero(level - Number(1)), fmt::format("'{}' has a value for the level", parameter.name),
          e.span, "the level is {}", level);
  if (parameter.argument == "constant") return Number(1);
  if (parameter.argument == "exponential") return two_to(level - Number(1), e.span, at);
  throw Unsupported{fmt::format("the list of capacities '{}'", parameter.argument), e.span};
}

}  // namespace quadrille::prover
