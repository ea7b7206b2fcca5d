// What a schedule is for: its parameters, fabric and collective.
#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "verifier/prover/unfold.h"

namespace quadrille::prover {
namespace {

std::optional<std::int64_t> whole_number(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// The compiler refuses larger ones.
bool in_64_bits(const std::optional<Rational>& value) {
  return value && abs(*value) <= Rational(std::numeric_limits<std::int64_t>::max());
}

// Whether a tree's argument says how many leaves it has.
bool is_size(const ir::Argument& argument) {
  return argument.key == "levels" || argument.key == "arity" || argument.key.empty();
}

}  // namespace

void Unfolder::parameters(const std::map<std::string, std::string>& fixed) {
  std::vector<Value> values(problem_.schedule->parameters.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const ir::Parameter& from = problem_.schedule->parameters[i];
    Parameter to{from.name, std::nullopt, "", "", from.idle};
    const auto given = fixed.find(from.name);
    if (given != fixed.end()) to.values = to.argument = given->second;
    problem_.parameters.push_back(to);
    if (from.idle || from.pattern) continue;
    expressions_ = std::make_unique<Expressions>(algebra_, problem_, values);
    if (given != fixed.end()) {
      const auto value = whole_number(given->second);
      if (!value) throw Unsupported{fmt::format("'{}' is no number", given->second), from.span};
      values[i] = Number(Rational(*value));
      continue;
    }
    Frame frame(from.frame.size);
    const Set range = expressions_->set(*from.range, frame);
    const bool plain = range.pieces.size() == 1 && range.pieces[0].variables.size() == 1 &&
                       range.pieces[0].given == algebra_.truth(true);
    if (!plain) throw Unsupported{fmt::format("the values of '{}' are no range", from.name), from.span};
    const Atom bounds = range.pieces[0].variables[0];
    if (!in_64_bits(algebra_.lower(*bounds->first)) || !in_64_bits(algebra_.upper(*bounds->last)))
      throw Unsupported{fmt::format("values of '{}' that do not fit into 64 bits", from.name), from.span};
    const Atom variable = algebra_.variable(from.name, bounds->first, bounds->last);
    values[i] = Number(variable);
    problem_.parameters.back().variable = variable;
    problem_.parameters.back().values = from.range_text;
  }
  expressions_ = std::make_unique<Expressions>(algebra_, problem_, values);
}

void Unfolder::fabric() {
  const ir::FabricLine& line = problem_.schedule->fabric;
  if (line.kind == "fat_tree") return tree(line);
  if (line.kind == "ring") return ring(line);
  throw Unsupported{fmt::format("the routes of {} for every size", line.kind), line.span};
}

void Unfolder::tree(const ir::FabricLine& line) {
  tree_size(line);
  for (const ir::Argument& argument : line.arguments) {
    if (argument.key == "capacity") {
      tree_capacity(argument);
    } else if (argument.key == "ports" && argument.word) {
      problem_.machine.single_port = *argument.word == "single";
    } else if (argument.key == "queue" || is_size(argument)) {
      continue;  // no switch holds anything over
    } else {
      throw Unsupported{fmt::format("a fabric with '{}'", argument.key), argument.span};
    }
  }
  problem_.machine.words = fmt::format("binary fat tree of {} levels", to_string(problem_.machine.levels));
  if (problem_.machine.widening) problem_.machine.words += ", capacity 2^(i-1) at level i";
}

void Unfolder::tree_size(const ir::FabricLine& line) {
  Frame frame(line.frame.size);
  std::optional<Number> levels;
  for (const ir::Argument& argument : line.arguments) {
    if (!is_size(argument) || argument.values.size() != 1) continue;
    const Number value = expressions_->number(argument.values[0], frame);
    if (argument.key != "arity") {
      levels = value;
    } else if (!(value == Number(2))) {
      throw Unsupported{"a tree of another arity than 2", argument.span};
    }
  }
  if (!levels || !is_exponent(*levels))
    throw Unsupported{"a tree whose number of levels is not linear in the parameters", line.span};
  problem_.machine.levels = *levels;
  expressions_->require(algebra_.at_least_zero(*levels - Number(1)), "a tree of at least one level", line.span,
                        "it has {}", *levels);
  problem_.processors = power_of_two(*levels);
}

// Capacities that are not exponential are taken for 1: what is right on the thinnest tree is right on any.
void Unfolder::tree_capacity(const ir::Argument& argument) {
  std::string word = argument.word.value_or("");
  if (argument.pattern) word = problem_.parameters[*argument.pattern].argument;
  problem_.machine.widening = word == "exponential";
  problem_.machine.exact = problem_.machine.widening || word == "constant";
  if (!problem_.machine.exact)
    throw Unsupported{"a tree whose capacities are neither constant nor exponential", argument.span};
}

void Unfolder::ring(const ir::FabricLine& line) {
  Frame frame(line.frame.size);
  std::optional<Number> size;
  for (const ir::Argument& argument : line.arguments) {
    if (argument.key.empty() && argument.values.size() == 1) {
      size = expressions_->number(argument.values[0], frame);
    } else if (argument.key == "ports" && argument.word) {
      problem_.machine.single_port = *argument.word == "single";
    } else {
      throw Unsupported{fmt::format("a fabric with '{}'", argument.key), argument.span};
    }
  }
  if (!size) throw Unsupported{"a ring without a size", line.span};
  problem_.machine.kind = Machine::Kind::ring;
  expressions_->require(algebra_.at_least_zero(*size - Number(1)), "a ring of at least one processor", line.span,
                        "it has {}", *size);
  problem_.machine.words = fmt::format("ring of {} processors", to_string(*size));
  problem_.processors = *size;
}

void Unfolder::collective() {
  const ir::CollectiveLine& line = problem_.schedule->collective;
  problem_.collective = line.kind;
  switch (line.kind) {
    case CollectiveKind::broadcast:
    case CollectiveKind::scatter:
    case CollectiveKind::gather:
    case CollectiveKind::allgather:
    case CollectiveKind::total_exchange:
      break;
    default:
      throw Unsupported{fmt::format("the collective {}", to_string(line.kind)), line.span};
  }
  Frame frame(line.frame.size);
  for (const ir::Argument& argument : line.arguments) {
    if (argument.key != "root" || argument.values.size() != 1)
      throw Unsupported{fmt::format("a collective with '{}'", argument.key), argument.span};
    problem_.root = expressions_->number(argument.values[0], frame);
    expressions_->require(algebra_.conjunction({algebra_.at_least_zero(problem_.root),
                                                algebra_.less(problem_.root, problem_.processors)}),
                          "the root exists", argument.span, "there is no processor {}", problem_.root);
  }
}

}  // namespace quadrille::prover
