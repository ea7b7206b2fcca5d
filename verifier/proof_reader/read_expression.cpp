// Reading expressions: `(+ a 1)` and the like, each operation with as many operands, numbers or truths, as it takes.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>

#include "verifier/proof_reader/core_form.h"

namespace quadrille::proof_reader {
namespace {

constexpr std::size_t any_number = 10000;

struct Shape {
  std::string_view name;
  Op op;
  std::size_t least, most;  // operands
  bool of_truths;           // of a choice the first
};
constexpr Shape shapes[] = {
    {"+", Op::add, 1, any_number, false},
    {"*", Op::multiply, 1, any_number, false},
    {"div", Op::divide, 2, 2, false},
    {"mod", Op::modulo, 2, 2, false},
    {"ite", Op::choice, 3, 3, false},
    {"=", Op::equal, 2, 2, false},
    {"pow2", Op::power, 1, 1, false},
    {"bits", Op::digits, 1, 1, false},
    {"lowest", Op::lowest, 1, 1, false},
    {"xor", Op::xor_of, 2, 2, false},
    {">=", Op::at_least, 2, 2, false},
    {"not", Op::negation, 1, 1, true},
    {"and", Op::conjunction, 1, any_number, true},
    {"or", Op::disjunction, 1, any_number, true},
};

// Words that mean something else where expressions are written out (words.h): no variable is called so.
constexpr std::string_view reserved[] = {
    "true",   "false", "none", "and", "or",    "not",  "if",    "else",   "mod",      "xor",    "floor", "bits",
    "lowest", "in",    "when", "for", "after", "each", "steps", "rounds", "messages", "volume", "hops",  "max_queue"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

CoreExpression read(const ProofItem& from, const Names& known);

CoreExpression read_word(const ProofItem& from, const Names& known) {
  const std::string& name = word(from);
  if (name == "true" || name == "false") return truth(name == "true");
  if (is_whole_number(name)) return whole_number(from);
  if (!known.contains(name)) throw Refused{from.span, fmt::format("`{}` is no variable that is known here", name)};
  return variable(name);
}

CoreExpression read_list(const ProofItem& from, const Names& known) {
  const std::string& name = head(from);
  const auto* shape =
      std::find_if(std::begin(shapes), std::end(shapes), [&](const Shape& each) { return each.name == name; });
  if (shape == std::end(shapes)) throw Refused{from.span, fmt::format("`{}` is no operation of core forms", name)};
  expect_size(from, shape->least + 1, shape->most + 1);
  std::vector<CoreExpression> operands;
  for (std::size_t i = 1; i < from.size(); ++i) {
    const bool truths = shape->of_truths || (shape->op == Op::choice && i == 1);
    operands.push_back(truths ? read_truth(from.items[i], known) : read_number(from.items[i], known));
  }
  CoreExpression result(shape->op, std::move(operands));
  if (result.size() > most_written) throw Refused{from.span, "an expression of more than a million pieces"};
  return result;
}

CoreExpression read(const ProofItem& from, const Names& known) {
  return from.list ? read_list(from, known) : read_word(from, known);
}

}  // namespace

bool is_name(const std::string& word) {
  return !word.empty() && word.size() <= 100 && is_letter(word[0]) &&
         std::find(std::begin(reserved), std::end(reserved), word) == std::end(reserved) &&
         !word.starts_with("measure.") && !word.starts_with("any.") &&
         std::all_of(word.begin(), word.end(), [](char c) { return is_letter(c) || is_digit(c) || c == '.'; });
}

CoreExpression read_number(const ProofItem& item, const Names& known) {
  CoreExpression result = read(item, known);
  if (result.is_truth()) throw Refused{item.span, "a truth where a number is expected"};
  return result;
}

CoreExpression read_truth(const ProofItem& item, const Names& known) {
  CoreExpression result = read(item, known);
  if (!result.is_truth()) throw Refused{item.span, "a number where a truth is expected"};
  return result;
}

Names names_of(const CoreRanges& ranges, Names outside) {
  for (const CoreRange& each : ranges) outside.insert(each.name);
  return outside;
}

}  // namespace quadrille::proof_reader
