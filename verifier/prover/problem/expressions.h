// Evaluates a schedule's expressions for every size.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <variant>
#include <vector>

#include "compiler/ir.h"
#include "verifier/prover/algebra/algebra.h"
#include "verifier/prover/problem/problem.h"

namespace quadrille::prover {

// The elements of a set, one for each value of `variables` with which `given` holds. Different values give different
// elements.
struct Piece {
  std::vector<Atom> variables;
  Formula given = nullptr;
  Number element;
};
struct Set {
  std::vector<Piece> pieces;
  bool everyone = false;  // `all`
};
using Value = std::variant<std::monostate, Number, Formula, Set, ir::ProcedureId>;

// The context of an evaluation: the values of variables, and what is known there. It is passed by value, because the
// inside of a loop, a branch or a call has a context of its own.
struct ExpressionContext {
  std::vector<Value> frame;  // by variable
  std::vector<Atom> scope;   // the variables of the loops around, in their ranges; the outermost first
  Formula given = nullptr;   // the conditions around
  unsigned depth = 0;        // the number of calls around
};

// The values of `steps` and the like in claims.
struct ClaimMeasures {
  std::optional<Number> steps, messages, max_queue, volume, hops;  // in rounds `steps` are rounds
};

class Expressions {
 public:
  Expressions(Algebra& algebra, Problem& problem, std::vector<Value> parameters);

  // The value of an expression. Throws Unsupported where it has no value for every size here.
  Value value(const ir::Expression& e, const ExpressionContext& at);
  Number number(const ir::Expression& e, const ExpressionContext& at) { return std::get<Number>(value(e, at)); }
  Formula truth(const ir::Expression& e, const ExpressionContext& at) { return std::get<Formula>(value(e, at)); }
  Set set(const ir::Expression& e, const ExpressionContext& at) { return std::get<Set>(value(e, at)); }

  // The context in which nothing is known, and no variable has a value yet.
  ExpressionContext outermost(const ir::Frame& frame) const;
  // The same context, with these variables in their ranges, and with the formula true.
  ExpressionContext inside(ExpressionContext at, const std::vector<Atom>& variables, Formula given) const;
  // Binds the variables one after another and calls visit() for each combination of pieces of their sets.
  using Visit = std::function<void(const ExpressionContext&)>;
  void bind(const std::vector<ir::Binding>& bindings, const ExpressionContext& at, const Visit& visit);

  // Adds a condition that must hold for the schedule to mean anything. The text of a failure is `failure`, with the
  // number in place of {}.
  void require(const ExpressionContext& at, Formula must, std::string words, Span span, std::string failure = {},
               Number number = {});

  // Adds the condition that different values of the variables, in their ranges and with `given`, have different
  // elements. If it fails, nothing is known of the set.
  void require_different(const ExpressionContext& at, const Piece& piece, Span span);

  // Counts one more evaluated expression or statement. Throws Unsupported when there are too many: where each of k
  // procedures (or functions) calls the next one twice, there would be 2^k.
  void count_evaluation(Span span);

  void set_measures(ClaimMeasures measures) { measures_ = std::move(measures); }

 private:
  void bind_from(std::size_t i, const std::vector<ir::Binding>& bindings, const ExpressionContext& at,
                 const Visit& visit);
  // The value of a node; `e` is the expression around it.
  Value value_of(const ir::Literal& node, const ir::Expression& e, const ExpressionContext& at);
  Value value_of(const ir::VariableUse& node, const ir::Expression& e, const ExpressionContext& at);
  Value value_of(const ir::NodeNamed& node, const ir::Expression& e, const ExpressionContext& at);
  Value value_of(const ir::ParameterUse& node, const ir::Expression& e, const ExpressionContext& at);
  Value value_of(const ir::ConstantUse& node, const ir::Expression& e, const ExpressionContext& at);
  Value value_of(const ir::ProcedureUse& node, const ir::Expression& e, const ExpressionContext& at);
  Value value_of(const ir::Unary& node, const ir::Expression& e, const ExpressionContext& at);
  Value value_of(const ir::Binary& node, const ir::Expression& e, const ExpressionContext& at);
  Value value_of(const ir::Conditional& node, const ir::Expression& e, const ExpressionContext& at);
  Value value_of(const ir::FunctionCall& node, const ir::Expression& e, const ExpressionContext& at);
  Value value_of(const ir::PatternCall& node, const ir::Expression& e, const ExpressionContext& at);
  Value value_of(const ir::BuiltinCall& node, const ir::Expression& e, const ExpressionContext& at);
  Value value_of(const ir::ToNode& node, const ir::Expression& e, const ExpressionContext& at);
  Value value_of(const ir::ToInteger& node, const ir::Expression& e, const ExpressionContext& at);
  Value value_of(const ir::Range& node, const ir::Expression& e, const ExpressionContext& at);
  Value value_of(const ir::SetLiteral& node, const ir::Expression& e, const ExpressionContext& at);
  Value value_of(const ir::Comprehension& node, const ir::Expression& e, const ExpressionContext& at);
  Value value_of(const ir::Fold& node, const ir::Expression& e, const ExpressionContext& at);

  Number measure(ir::Builtin which, Span span) const;
  Formula connective(const ir::Binary& node, const ExpressionContext& at);
  Number arithmetic(const ir::Binary& node, const Number& a, const Number& b, Span span, const ExpressionContext& at);
  Number power(const ir::Binary& node, const Number& base, const Number& exponent, Span span,
               const ExpressionContext& at);
  Number power_of_negative(const ir::Binary& node, const Number& base, const Number& exponent, Span span,
                           const ExpressionContext& at);
  Number two_to(const Number& exponent, Span span, const ExpressionContext& at);
  Value comparison(ir::BinaryOperator op, const Value& a, const Value& b, Span span);
  Formula exists(const Number& processor);
  Set range(const Number& first, const Number& last);
  Number sum(const ir::Iteration& each, Span span, const ExpressionContext& at);
  Number extreme(const ir::Iteration& each, bool greatest, Span span, const ExpressionContext& at);
  Formula every(const ir::Iteration& each, bool all, Span span, const ExpressionContext& at);
  void append_instances(Formula part, Atom variable, bool all, Span span, std::vector<Formula>& parts);

  Algebra& algebra_;
  Problem& problem_;
  std::vector<Value> parameters_;  // for patterns: nothing
  ClaimMeasures measures_;
  std::uint32_t evaluations_ = 0;
};

}  // namespace quadrille::prover
