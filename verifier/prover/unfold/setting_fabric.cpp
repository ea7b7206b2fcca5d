// Reads a schedule's fabric and its rules. The fabric is a binary tree, or one whose family of topologies knows its
// crossings (model/crossings.h).
//
// Example: torus(A, B) has the form {torus, "": two numbers}, and its crossings' parameters 0 and 1 are A and B.
#include <fmt/format.h>

#include <algorithm>

#include "verifier/prover/algebra/term_formulas.h"
#include "verifier/prover/unfold/unfold.h"

namespace quadrille::prover {
namespace {

// Whether the rule is a default; or that of queues, since no switch buffers anything.
bool is_default(const ir::Argument& argument) {
  return argument.key == "queue" || (argument.key == "switches" && argument.word == "copy");
}

// Whether the fabric counts rounds.
bool is_of_rounds(const ir::FabricLine& line) {
  return std::any_of(line.arguments.begin(), line.arguments.end(), [](const ir::Argument& argument) {
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
  return std::all_of(line.arguments.begin(), line.arguments.end(), [&](const ir::Argument& argument) {
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
  const auto parameter = std::find_if(parameters.begin(), parameters.end(), [&](const FabricParameter& each) {
    return each.name == argument.key || argument.key.empty();
  });
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
  const auto found = std::find_if(form.arguments.begin(), form.arguments.end(), same);
  if (found == form.arguments.end()) form.arguments.push_back({argument.key, 0});
  std::find_if(form.arguments.begin(), form.arguments.end(), same)->numbers = list.size();
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
  problem_.machine.exact = std::all_of(bound.crossings.classes.begin(), bound.crossings.classes.end(),
                                       [](const ChannelClass& each) { return each.capacity == Term(1); });
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
