// A leaf as a question: its variables, their ranges, what is given, and that what must hold does not, or is undefined.
//
// What is given, and the ranges, are taken for defined: that they are is a leaf of its own (rules_formed.cpp).
#include "verifier/proof_reader/leaf.h"

#include <fmt/format.h>

#include <algorithm>

namespace quadrille::proof_reader {
namespace {

// Names have texts of the core form in them: none may end the comment.
std::string on_one_line(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return name;
}

}  // namespace

bool is_plain(const Leaf& leaf) { return leaf.must.is(true); }

Expression in_range(const Range& range, const Expression& value) {
  std::vector<Expression> parts = {at_most(range.first, value)};
  if (range.last) parts.push_back(at_most(value, *range.last));
  return all_of(std::move(parts));
}

std::string question(const Leaf& leaf) {
  const Expression wrong = negated(all_of({leaf.must, defined(leaf.must)}));
  std::vector<Expression> all;
  for (const Range& range : leaf.scope) all.push_back(in_range(range, variable(range.name)));
  all.push_back(leaf.given);
  all.push_back(wrong);
  bool nonlinear = false;
  std::uint64_t size = 0;
  for (const Expression& each : all) {
    nonlinear = nonlinear || is_nonlinear(each);
    size += each.size();
  }
  if (size > most_written) throw Refused{{}, fmt::format("{}: the formula has more than a million pieces", leaf.name)};
  std::string text = fmt::format("; {}\n(set-logic {})\n", on_one_line(leaf.name), nonlinear ? "QF_NIA" : "QF_LIA");
  for (const Range& range : leaf.scope) text += fmt::format("(declare-const {} Int)\n", smt(variable(range.name)));
  for (const Expression& each : all) text += fmt::format("(assert {})\n", smt(each));
  return text + "(check-sat)\n";
}

std::string second(const std::string& name) { return name + "!2"; }

Ranges renamed(const Ranges& ranges, Substitution& by) {
  Ranges result;
  for (const Range& each : ranges) {
    Range other{second(each.name), substituted(each.first, by), std::nullopt};
    if (each.last) other.last = substituted(*each.last, by);
    by.insert_or_assign(each.name, variable(other.name));
    result.push_back(std::move(other));
  }
  return result;
}

}  // namespace quadrille::proof_reader
