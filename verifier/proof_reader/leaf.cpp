// A leaf as a question: its variables, their ranges, what is given, and that what must hold does not, or is undefined.
//
// What is given, and the ranges, are taken for defined: that they are is a leaf of its own (rules_formed.cpp).
#include "verifier/proof_reader/leaf.h"

#include <fmt/format.h>

#include <algorithm>

#include "verifier/proof_reader/cases.h"
#include "verifier/proof_reader/power_axioms.h"

namespace quadrille::proof_reader {
namespace {

constexpr std::size_t most_text = std::size_t{1} << 24;  // bytes of all cases

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
  return !terms.empty();
}

namespace {

std::string declared(const CoreRanges& scope) {
  std::string text;
  for (const CoreRange& range : scope) text += fmt::format("(declare-const {} Int)\n", smt(variable(range.name)));
  return text;
}

std::string asserted(const std::vector<CoreExpression>& all) {
  std::string text;
  for (const CoreExpression& each : all) text += fmt::format("(assert {})\n", smt(each));
  return text;
}

constexpr std::string_view xor_function = "(declare-fun xor.of (Int Int) Int)\n";

std::string_view logic(bool nonlinear) { return nonlinear ? "NIA" : "LIA"; }

std::string by_axioms(const Leaf& leaf, QuestionCase whole) {
  std::uint64_t size = 0;
  Terms terms;
  for (const CoreExpression& each : whole.asserted) {
    size += each.size();
    collect_terms(each, terms);
  }
  if (size > most_written) throw Refused{{}, fmt::format("{}: the formula has more than a million pieces", leaf.name)};
  const bool powers = !terms.empty();
  for (CoreExpression& axiom : axioms_of(terms)) whole.asserted.push_back(std::move(axiom));
  const bool nonlinear = std::ranges::any_of(whole.asserted, is_nonlinear);
  std::string text =
      fmt::format("; {}\n(set-logic QF_{}{})\n", on_one_line(leaf.name), powers ? "UF" : "", logic(nonlinear));
  if (powers) text += "(declare-fun power.of.two (Int) Int)\n(declare-fun digits.of (Int) Int)\n";
  if (!terms.lowest.empty()) text += "(declare-fun lowest.of (Int) Int)\n";
  if (!terms.differences.empty()) text += xor_function;
  return text + declared(whole.scope) + asserted(whole.asserted) + "(check-sat)\n";
}

// Nothing if there are no powers in it, or the cases are not few.
std::optional<std::string> by_cases(const Leaf& leaf, const QuestionCase& whole) {
  if (!by_axioms(leaf)) return std::nullopt;
  const auto cases = cases_of(whole);
  if (!cases) return std::nullopt;
  bool nonlinear = false;
  bool digits = false;  // of two numbers, one by one
  std::string text;
  for (const QuestionCase& each : *cases) {
    const QuestionCase it = without_quotients(each);
    nonlinear = nonlinear || std::ranges::any_of(it.asserted, is_nonlinear);
    Terms terms;
    for (const CoreExpression& x : it.asserted) collect_terms(x, terms);
    digits = digits || !terms.differences.empty();
    text += "(push 1)\n" + declared(it.scope) + asserted(it.asserted) + asserted(axioms_of(terms)) +
            "(check-sat)\n(pop 1)\n";
    if (text.size() > most_text) return std::nullopt;
  }
  if (cases->empty()) text = "(assert false)\n(check-sat)\n";
  return fmt::format("; {}\n(set-option :incremental true)\n(set-logic QF_{}{})\n{}{}", on_one_line(leaf.name),
                     digits ? "UF" : "", logic(nonlinear), digits ? xor_function : "", text);
}

}  // namespace

std::optional<LeafQuestion> question(const Leaf& leaf, std::size_t number) {
  const QuestionCase whole{leaf.scope, asserted(leaf)};
  const QuestionCase plainer = without_quotients(whole);
  const bool quotients = plainer.scope.size() > whole.scope.size();
  std::vector<LeafQuestion> all;
  if (quotients) all.push_back({by_axioms(leaf, plainer)});
  if (number < all.size()) return all[number];
  if (const auto linear = without_products(whole)) all.push_back({by_axioms(leaf, *linear)});
  if (number < all.size()) return all[number];
  if (auto cases = by_cases(leaf, whole)) all.push_back({*std::move(cases)});
  if (number < all.size()) return all[number];
  all.push_back({by_axioms(leaf, whole), !by_axioms(leaf)});
  return number < all.size() ? std::optional(all[number]) : std::nullopt;
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
