// Reads a schedule's parameters and its collective (setting_fabric.cpp reads its fabric). A collective is known by
// its family's terms (model/terms/collective_terms.h).
//
// Example: `param N in {2*i for i in 1..9}` is a variable i from 1 to 9, and N is 2*i.
#include <fmt/format.h>

#include <limits>

#include "model/text/number_in.h"
#include "verifier/prover/algebra/term_formulas.h"
#include "verifier/prover/unfold/unfold.h"

namespace quadrille::prover {
namespace {

// Whether the value fits into 64 bits; the compiler refuses larger ones.
bool in_64_bits(const std::optional<Rational>& value) {
  return value && abs(*value) <= Rational(std::numeric_limits<std::int64_t>::max());
}

Unsupported no_range(const ir::Parameter& parameter) {
  return {fmt::format("values of '{}' that are no range", parameter.name), parameter.span};
}

}  // namespace

void Unfolder::parameters(const Arguments& fixed) {
  std::vector<Value> values(problem_.schedule->parameters.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const ir::Parameter& from = problem_.schedule->parameters[i];
    ProblemParameter to{from.name, std::nullopt, {}, "", "", from.idle};
    const auto given = fixed.find(from.name);
    if (given != fixed.end()) to.values = to.argument = given->second;
    problem_.parameters.push_back(to);
    if ((from.set || from.list) && !from.idle)
      throw Unsupported{fmt::format("'{}', a {} of numbers", from.name, from.set ? "set" : "list"), from.span};
    if (from.idle || from.pattern) continue;
    expressions_ = std::make_unique<Expressions>(algebra_, problem_, values);
    if (given != fixed.end()) {
      const auto value = number_in<std::int64_t>(given->second);
      if (!value) throw Unsupported{fmt::format("'{}' is no number", given->second), from.span};
      values[i] = Number(Rational(*value));
      continue;
    }
    problem_.parameters.back().values = from.range_text;
    if (divide(from)) {
      for (std::size_t j = 0; j <= i; ++j) {
        if (problem_.parameters[j].variable) values[j] = problem_.parameters[j].value;
      }
      continue;
    }
    const Piece piece = values_of(from);
    values[i] = problem_.parameters.back().value = piece.element;
    problem_.parameters.back().variable = piece.variables[0];
    if (piece.variables.size() > 1) product_ = i;
  }
  if (product_) throw no_range(problem_.schedule->parameters[*product_]);
  expressions_ = std::make_unique<Expressions>(algebra_, problem_, values);
}

// Handles a parameter that is a divisor of an earlier one, or of that one divided by others: {c for c in 2..N/2 if N
// mod c == 0}. The parameter becomes a variable c, and the earlier one becomes c times another variable q. With q at
// least 2, c is at most N/2. There are more values of q and c than the schedule's ranges allow, so a failure refutes
// nothing.
bool Unfolder::divide(const ir::Parameter& from) {
  const auto* set = std::get_if<ir::Comprehension>(&from.range->node);
  if (set == nullptr || set->each->bindings.size() != 1 || !set->each->condition) return false;
  const ir::Binding& binding = set->each->bindings[0];
  const auto* range = std::get_if<ir::Range>(&binding.set.node);
  const auto* same = std::get_if<ir::Binary>(&set->each->condition->node);
  if (range == nullptr || range->down || same == nullptr || same->op != ir::BinaryOperator::equal) return false;
  const auto* rest = std::get_if<ir::Binary>(&same->left->node);
  const auto* zero = std::get_if<ir::Literal>(&same->right->node);
  if (rest == nullptr || rest->op != ir::BinaryOperator::modulo || zero == nullptr || zero->value != 0) return false;
  const auto is_it = [&](const ir::Expression& e) {
    const auto* use = std::get_if<ir::VariableUse>(&e.node);
    return use != nullptr && use->variable.value == binding.variable.value;
  };
  if (!is_it(*rest->right) || !is_it(set->each->element)) return false;
  const ExpressionContext outermost = expressions_->outermost(from.frame);
  const Number whole = expressions_->number(*rest->left, outermost);
  const Number first = expressions_->number(*range->first, outermost);
  const Number last = expressions_->number(*range->last, outermost);
  const bool product = product_ && whole == problem_.parameters[*product_].value;
  const auto most = algebra_.upper(whole);
  if (!first.constant() || *first.constant() < 1 || !most) return false;
  if (!product && !(whole.atom() && (*whole.atom())->kind == AtomKind::variable)) return false;
  int least = 1;
  for (const int part : {2, 3, 4}) {
    if (last == algebra_.divide(whole, Number(part))) least = part;
  }
  const Atom divisor = algebra_.variable(from.name, first, Number(*most));
  const Atom quotient = algebra_.variable("quotient", Number(least), Number(*most));
  const Number both = Number(quotient) * Number(divisor);
  problem_.widened = true;
  if (!product) problem_.sizes = algebra_.substituted(problem_.sizes, {{*whole.atom(), both}});
  for (ProblemParameter& parameter : problem_.parameters) {
    if (!parameter.variable) continue;
    if (product && &parameter == &problem_.parameters[*product_]) {
      parameter.variable = quotient;
      parameter.value = both;
    } else if (!product) {
      if (*parameter.variable == *whole.atom()) parameter.variable = quotient;
      parameter.value = algebra_.substituted(parameter.value, {{*whole.atom(), both}});
    }
  }
  if (product) {
    product_.reset();
    problem_.extents = {Number(quotient), Number(divisor)};
  }
  problem_.parameters.back().variable = divisor;
  problem_.parameters.back().value = Number(divisor);
  return true;
}

// One variable stands for all values: for a range, the value itself; for {2^i for i in 1..16}, the i. A condition on
// it, as in {d for d in 0..16 if 3^d <= N}, becomes one of all sizes.
Piece Unfolder::values_of(const ir::Parameter& from) {
  const ExpressionContext outermost = expressions_->outermost(from.frame);
  const auto* whole = std::get_if<ir::Range>(&from.range->node);
  if (from.unbounded && whole != nullptr) {
    const Number first = expressions_->number(*whole->first, outermost);
    const Atom variable = algebra_.variable(from.name, first, std::nullopt);
    return {{variable}, algebra_.truth(true), Number(variable)};
  }
  const std::size_t conditions = problem_.conditions.size();
  const Set range = expressions_->set(*from.range, outermost);
  const bool one = range.pieces.size() == 1 && !range.pieces[0].variables.empty();
  if (!one || (range.pieces[0].variables.size() > 1 && range.pieces[0].given != algebra_.truth(true)))
    throw no_range(from);
  // A value may be in the set twice; this does no harm here.
  for (std::size_t i = problem_.conditions.size(); i-- > conditions;) {
    if (problem_.conditions[i].basic)
      problem_.conditions.erase(problem_.conditions.begin() + static_cast<std::ptrdiff_t>(i));
  }
  const Piece& piece = range.pieces[0];
  if (piece.variables.size() > 1) return piece;
  const Atom old = piece.variables[0];
  const bool plain = piece.element == Number(old);
  const Atom variable = algebra_.variable(plain ? from.name : old->name, old->first, old->last);
  const Substitution by = {{old, Number(variable)}};
  const Number value = algebra_.substituted(piece.element, by);
  problem_.sizes = algebra_.conjunction({problem_.sizes, algebra_.substituted(piece.given, by)});
  // If a parameter's range has no end, neither has the range of another that depends on it.
  const auto most = algebra_.upper(value);
  if (!in_64_bits(algebra_.lower(value)) || (most && !in_64_bits(most)))
    throw Unsupported{fmt::format("values of '{}' that do not fit into 64 bits", from.name), from.span};
  return {{variable}, algebra_.truth(true), value};
}

void Unfolder::collective() {
  const ir::CollectiveLine& line = problem_.schedule->collective;
  auto terms = line.kind.family().terms();
  const auto reduction = line.kind.family().reduction_terms();
  if (reduction) terms = CollectiveTerms{};
  if (!terms) throw Unsupported{fmt::format("the collective {}", to_string(line.kind)), line.span};
  problem_.collective = {line.kind, std::move(*terms), {problem_.processors, Number(0)}};
  const ExpressionContext outermost = expressions_->outermost(line.frame);
  for (const ir::Argument& argument : line.arguments) {
    const bool root = argument.key == "root";
    if (argument.word && (argument.key.empty() || argument.key == "operation")) {
      if (const auto operation = operation_named(*argument.word); operation && reduction) {
        problem_.collective.operation = *operation;
        continue;
      }
    }
    if ((!root && argument.key != "parts") || argument.values.size() != 1 || argument.index_slot)
      throw Unsupported{fmt::format("a collective with '{}'", argument.key), argument.span};
    const Number value = expressions_->number(argument.values[0], outermost);
    if (root) {
      expressions_->require(
          outermost, algebra_.conjunction({algebra_.at_least_zero(value), algebra_.less(value, problem_.processors)}),
          "the root exists", argument.span, "there is no processor {}", value);
      problem_.collective.parameters[1] = value;
    } else {
      expressions_->require(outermost, algebra_.at_least_zero(value - Number(1)), "a message of at least one part",
                            argument.span, "it has {}", value);
      problem_.collective.parts = value;
    }
  }
  if (!reduction) return;
  BoundCollective& collective = problem_.collective;
  collective.parameters.push_back(collective.parts);
  collective.parts = TermFormulas(algebra_, {collective.parameters}).number(reduction->values);
  collective.reduction = reduction;
  const CollectiveFacts& facts = collective.kind.facts();
  if (facts.always_idempotent) collective.operation = Operation::idempotent;
  if (facts.always_ordered && collective.operation == Operation::commutative) collective.operation = Operation::ordered;
}

}  // namespace quadrille::prover
