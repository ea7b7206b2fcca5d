// A leaf as a question: its variables, their ranges, what is given, and that what must hold does not, or is undefined.
//
// What is given, and the ranges, are taken for defined: that they are is a leaf of its own (rules_formed.cpp).
#include "verifier/proof_reader/leaf.h"

#include <fmt/format.h>

#include <algorithm>

#include "verifier/proof_reader/power_axioms.h"

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

CoreExpression in_range(const CoreRange& range, const CoreExpression& value) {
  std::vector<CoreExpression> parts = {at_most(range.first, value)};
  if (range.last) parts.push_back(at_most(value, *range.last));
  return all_of(std::move(parts));
}

namespace {

// What is asserted: ranges, what is given, and that what must hold does not.
std::vector<CoreExpression> asserted(const Leaf& leaf) {
  std::vector<CoreExpression> all;
  for (const CoreRange& range : leaf.scope) all.push_back(in_range(range, variable(range.name)));
  all.push_back(leaf.given);
  all.push_back(negated(all_of({leaf.must, defined(leaf.must)})));
  return all;
}

}  // namespace

bool by_axioms(const Leaf& leaf) {
  Terms terms;
  for (const CoreExpression& each : asserted(leaf)) collect_terms(each, terms);
  return !terms.exponents.empty() || !terms.numbers.empty();
}

std::string question(const Leaf& leaf) {
  std::vector<CoreExpression> all = asserted(leaf);
  std::uint64_t size = 0;
  Terms terms;
  for (const CoreExpression& each : all) {
    size += each.size();
    collect_terms(each, terms);
  }
  if (size > most_written) throw Refused{{}, fmt::format("{}: the formula has more than a million pieces", leaf.name)};
  const bool powers = !terms.exponents.empty() || !terms.numbers.empty();
  for (CoreExpression& axiom : axioms_of(terms)) all.push_back(std::move(axiom));
  const bool nonlinear = std::any_of(all.begin(), all.end(), is_nonlinear);
  std::string text =
      fmt::format("; {}\n(set-logic QF_{}{})\n", on_one_line(leaf.name), powers ? "UF" : "", nonlinear ? "NIA" : "LIA");
  if (powers) text += "(declare-fun power.of.two (Int) Int)\n(declare-fun digits.of (Int) Int)\n";
  for (const CoreRange& range : leaf.scope) text += fmt::format("(declare-const {} Int)\n", smt(variable(range.name)));
  for (const CoreExpression& each : all) text += fmt::format("(assert {})\n", smt(each));
  return text + "(check-sat)\n";
}

std::string second(const std::string& name) { return name + "!2"; }

CoreRanges renamed(const CoreRanges& ranges, CoreSubstitution& by) {
  CoreRanges result;
  for (const CoreRange& each : ranges) {
    CoreRange other{second(each.name), substituted(each.first, by), std::nullopt};
    if (each.last) other.last = substituted(*each.last, by);
    by.insert_or_assign(each.name, variable(other.name));
    result.push_back(std::move(other));
  }
  return result;
}

}  // namespace quadrille::proof_reader
