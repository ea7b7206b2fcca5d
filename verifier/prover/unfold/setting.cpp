// Reads a schedule's parameters, its collective and its fabric. A collective is known by
// its family's terms (model/terms/collective_terms.h).
//
// Example: `param N in {2*i for i in 1..9}` is a variable i from 1 to 9, and N is 2*i.
#include <fmt/format.h>

#include <algorithm>
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
      expressions_->require(outermost, algebra_.below(value, problem_.processors), "the root exists", argument.span,
                            "there is no processor {}", value);
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

// Reads a schedule's fabric and its rules. The fabric is a binary tree, or one whose family of topologies knows its
// crossings (model/crossings.h).
//
// Example: torus(A, B) has the form {torus, "": two numbers}, and its crossings' parameters 0 and 1 are A and B.

namespace {

// Whether the rule is a default; or that of queues, since no switch buffers anything.
bool is_default(const ir::Argument& argument) {
  return argument.key == "queue" || (argument.key == "switches" && argument.word == "copy");
}

// Whether the fabric counts rounds.
bool is_of_rounds(const ir::FabricLine& line) {
  return std::ranges::any_of(line.arguments, [](const ir::Argument& argument) {
    return argument.key == "timing" && argument.word == "rounds";
  });
}

// Whether the argument of a tree gives its number of leaves.
bool is_size(const ir::Argument& argument) {
  return argument.key == "levels" || argument.key == "arity" || argument.key.empty();
}

}  // namespace

void Unfolder::fabric() {
  const ir::FabricLine& line = problem_.schedule->fabric;
  if (line.kind.empty())
    throw Unsupported{"a schedule that names no fabric; name one: `fabric complete(N)`", line.span};
  if (line.kind == "fat_tree" && is_binary(line) && !is_of_rounds(line)) {
    tree(line);
  } else {
    by_crossings(line);
  }
}

// Whether it is a tree whose proofs go level by level: binary, with constant or exponential capacity.
bool Unfolder::is_binary(const ir::FabricLine& line) {
  const ExpressionContext outermost = expressions_->outermost(line.frame);
  return std::ranges::all_of(line.arguments, [&](const ir::Argument& argument) {
    if (argument.key == "capacity") return argument.values.empty();
    return argument.key != "arity" || argument.values.size() != 1 ||
           expressions_->number(argument.values[0], outermost) == Number(2);
  });
}

void Unfolder::tree(const ir::FabricLine& line) {
  tree_size(line);
  for (const ir::Argument& argument : line.arguments) {
    if (argument.key == "capacity") {
      tree_capacity(argument);
    } else if (!add_rule(argument) && !is_size(argument)) {
      throw Unsupported{fmt::format("a fabric with '{}'", argument.key), argument.span};
    }
  }
  problem_.machine.words = fmt::format("binary fat tree of {} levels", to_string(*problem_.machine.levels));
  if (problem_.machine.widening) problem_.machine.words += ", capacity 2^(i-1) at level i";
  add_words_of_ports();
}

void Unfolder::add_words_of_ports() {
  Machine& machine = problem_.machine;
  if (machine.single_port) machine.words += ", with single ports";
  if (machine.half_duplex) machine.words += machine.single_port ? " and half-duplex links" : ", with half-duplex links";
  if (machine.forwards) machine.words += ", whose switches forward";
}

// Whether the argument is a rule that the prover knows; if so, sets it in the machine.
bool Unfolder::add_rule(const ir::Argument& argument) {
  Machine& machine = problem_.machine;
  if (is_default(argument)) return true;
  if (!argument.word) return false;
  if (argument.key == "duplex") {
    machine.half_duplex = *argument.word == "half";
  } else if (argument.key == "ports") {
    machine.single_port = *argument.word == "single";
  } else if (argument.key == "timing") {
    machine.rounds = *argument.word == "rounds";
  } else if (argument.key == "paths") {
    machine.shared = *argument.word == "shared";
  } else if (argument.key == "switches" && *argument.word == "forward") {
    machine.forwards = true;
  } else {
    return false;
  }
  return true;
}

void Unfolder::tree_size(const ir::FabricLine& line) {
  const ExpressionContext outermost = expressions_->outermost(line.frame);
  std::optional<Number> levels;
  for (const ir::Argument& argument : line.arguments) {
    if (!is_size(argument) || argument.values.size() != 1) continue;
    if (argument.key != "arity") levels = expressions_->number(argument.values[0], outermost);
  }
  if (!levels || !is_exponent(*levels))
    throw Unsupported{"a tree whose number of levels is not linear in the parameters", line.span};
  problem_.machine.kind = "fat_tree";
  problem_.machine.levels = *levels;
  expressions_->require(outermost, algebra_.at_least_zero(*levels - Number(1)), "a tree of at least one level",
                        line.span, "it has {}", *levels);
  problem_.processors = power_of_two(*levels);
}

// Capacities that are not exponential are taken to be 1: a schedule that is right on the thinnest tree is right on
// any.
void Unfolder::tree_capacity(const ir::Argument& argument) {
  std::string word = argument.word.value_or("");
  if (argument.pattern) word = problem_.parameters[argument.pattern->value].argument;
  problem_.machine.widening = word == "exponential";
  problem_.machine.exact = problem_.machine.widening || word == "constant";
  if (!problem_.machine.exact)
    throw Unsupported{"a tree whose capacities are neither constant nor exponential", argument.span};
}

// Adds the schedule's argument in the family's form. Its numbers are appended to those of the same key: torus(3, 4)
// has two numbers for one key.
void Unfolder::add_argument(const ir::Argument& argument, const TopologyFamily& family,
                            std::map<std::string, std::vector<Number>>& numbers, FabricForm& form) {
  const auto& parameters = family.parameters;
  const auto parameter = std::ranges::find_if(
      parameters, [&](const FabricParameter& each) { return each.name == argument.key || argument.key.empty(); });
  if (parameter == parameters.end()) throw Unsupported{fmt::format("a fabric with '{}'", argument.key), argument.span};
  if (argument.index_slot)
    throw Unsupported{fmt::format("a fabric whose '{}' differs from level to level", argument.key), argument.span};
  if (argument.pattern) {
    const std::string& word = problem_.parameters[argument.pattern->value].argument;
    return form.arguments.push_back({argument.key, 0, word});
  }
  if (argument.word) return form.arguments.push_back({argument.key, 0, *argument.word});
  const ExpressionContext outermost = expressions_->outermost(problem_.schedule->fabric.frame);
  std::vector<Number>& list = numbers[argument.key];
  for (const ir::Expression& expression : argument.values) {
    const Number value = expressions_->number(expression, outermost);
    const auto least = static_cast<int>(parameter->low);
    expressions_->require(outermost, algebra_.at_least_zero(value - Number(least)),
                          fmt::format("{} is at least {}", parameter->name, least), expression.span, "it is {}", value);
    list.push_back(value);
  }
  const auto same = [&](const FabricForm::Argument& other) { return other.key == argument.key; };
  const auto found = std::ranges::find_if(form.arguments, same);
  if (found == form.arguments.end()) form.arguments.push_back({argument.key, 0});
  std::ranges::find_if(form.arguments, same)->numbers = list.size();
}

BoundCrossings Unfolder::bound_crossings(const ir::FabricLine& line) {
  const TopologyFamily* family = problem_.schedule->families->topology(line.kind);
  if (family == nullptr) throw Unsupported{fmt::format("the fabric {}, which is not known", line.kind), line.span};
  FabricForm form{line.kind, {}};
  std::map<std::string, std::vector<Number>> numbers;
  for (const ir::Argument& argument : line.arguments) {
    if (!add_rule(argument)) add_argument(argument, *family, numbers, form);
  }
  auto crossings = family->crossings ? family->crossings(form) : std::nullopt;
  if (!crossings) throw Unsupported{fmt::format("the routes of {} for every size", line.kind), line.span};
  BoundCrossings result{std::move(*crossings), {}};
  for (const CrossingParameter& parameter : result.crossings.parameters) {
    // Arguments may be named or, as in torus(3, 4), be given by their place only.
    const auto named = numbers.find(parameter.key);
    const auto& list = named == numbers.end() ? numbers[""] : named->second;
    result.parameters.push_back(list.at(parameter.position));
  }
  return result;
}

void Unfolder::by_crossings(const ir::FabricLine& line) {
  BoundCrossings bound = bound_crossings(line);
  const std::string name = bound.crossings.name.empty() ? line.kind : bound.crossings.name;
  TermFormulas terms(algebra_, {bound.parameters});
  const Number processors = terms.number(bound.crossings.processors);
  expressions_->require(expressions_->outermost(line.frame), terms.truth(bound.crossings.valid),
                        fmt::format("a {} of at least one processor", name), line.span, "it has {}", processors);
  problem_.machine.kind = name;
  // With larger capacities two packets on one channel may be right; then a failure proves nothing.
  problem_.machine.exact =
      std::ranges::all_of(bound.crossings.classes, [](const ChannelClass& each) { return each.capacity == Term(1); });
  if (problem_.machine.half_duplex && !problem_.machine.exact)
    throw Unsupported{"half duplex on links of several lanes", line.span};
  problem_.machine.words = fmt::format("{} of {} processors", name, to_string(processors));
  if (problem_.machine.rounds)
    problem_.machine.words += problem_.machine.shared ? ", in rounds on shared paths" : ", in rounds";
  add_words_of_ports();
  if (problem_.widened && bound.parameters.size() > 1) problem_.extents = bound.parameters;
  Number all(1);
  for (const Number& extent : problem_.extents) all = all * extent;
  if (!(all == processors)) problem_.extents.clear();
  problem_.machine.crossings = std::move(bound);
  problem_.processors = processors;
}

}  // namespace quadrille::prover
