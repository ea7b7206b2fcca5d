// An expression is written with as few parentheses as its operations' ranks allow. Sums are taken apart into terms with
// a sign; in a comparison with 0, terms change sides, so that none has a minus that needs none.
//
// Example: (= (+ 1 (* -1 N) measure.rounds) 0) is "rounds == N - 1".
//
// Cost: linear in the expression, times the depth.
#include "verifier/proof_reader/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace quadrille::proof_reader {
namespace {

// The higher, the closer an operation binds its operands.
enum class Rank : std::uint8_t { any, all, comparison, sum, product, power, atom };

std::string written(const CoreExpression& x, Rank around);

std::string enclosed(const std::string& text, Rank own, Rank around) {
  return own < around ? fmt::format("({})", text) : text;
}

struct SignedTerm {
  bool minus;
  bool of_measure;
  bool constant;
  std::string text;
};

bool speaks_of_measures(const CoreExpression& x) {
  std::set<std::string> names;
  collect_names(x, names);
  return std::any_of(names.begin(), names.end(), [](const std::string& name) { return name.starts_with("measure."); });
}

std::string digits_of(std::int64_t number) {
  const std::string text = fmt::to_string(number);
  return number < 0 ? text.substr(1) : text;
}

std::string product(const std::vector<CoreExpression>& factors, std::size_t from) {
  std::vector<std::string> texts;
  for (std::size_t i = from; i < factors.size(); ++i) texts.push_back(written(factors[i], Rank::power));
  return fmt::format("{}", fmt::join(texts, " * "));
}

// (* -2 N), which is "-2 * N".
bool is_negative_product(const CoreExpression& x) {
  return x.op() == Op::multiply && x.operands().size() > 1 && x.operands()[0].op() == Op::number &&
         x.operands()[0].number() < 0;
}

SignedTerm signed_term(const CoreExpression& x) {
  if (x.op() == Op::number) return {x.number() < 0, false, true, digits_of(x.number())};
  if (!is_negative_product(x)) return {false, speaks_of_measures(x), false, written(x, Rank::product)};
  const std::string rest = product(x.operands(), 1);
  const std::int64_t factor = x.operands()[0].number();
  return {true, speaks_of_measures(x), false, factor == -1 ? rest : fmt::format("{} * {}", digits_of(factor), rest)};
}

void collect_terms(const CoreExpression& x, std::vector<SignedTerm>& terms) {
  if (x.op() == Op::number && x.number() == 0) return;
  if (x.op() != Op::add) return terms.push_back(signed_term(x));
  for (const CoreExpression& each : x.operands()) collect_terms(each, terms);
}

// Variables first, and of them those without a minus.
std::string sum(std::vector<SignedTerm> terms) {
  std::stable_sort(terms.begin(), terms.end(), [](const SignedTerm& a, const SignedTerm& b) {
    return std::pair(a.minus, a.constant) < std::pair(b.minus, b.constant);
  });
  std::string text;
  for (const SignedTerm& each : terms) {
    const char* sign = text.empty() ? (each.minus ? "-" : "") : each.minus ? " - " : " + ";
    text += sign + each.text;
  }
  return text.empty() ? "0" : text;
}

// Both sides together, the left one less the right one, are taken apart anew: measures stand on the left, or else
// variables, of these those that have no minus. The word is turned where that would leave only what has one.
std::string comparison(const CoreExpression& x, std::string_view word, std::string_view turned) {
  std::vector<SignedTerm> terms, subtracted;
  collect_terms(x.operands()[0], terms);
  collect_terms(x.operands()[1], subtracted);
  for (SignedTerm& each : subtracted) terms.push_back({!each.minus, each.of_measure, each.constant, each.text});
  const auto of_measure = [](const SignedTerm& each) { return each.of_measure; };
  const bool measures = std::any_of(terms.begin(), terms.end(), of_measure);
  const auto to_keep = [&](const SignedTerm& each) { return measures ? each.of_measure : !each.constant; };
  const bool turn =
      std::none_of(terms.begin(), terms.end(), [&](const SignedTerm& each) { return to_keep(each) && !each.minus; });
  std::vector<SignedTerm> left, right;
  for (SignedTerm& each : terms) {
    each.minus = each.minus != turn;
    const bool here = to_keep(each) && !each.minus;
    if (!here) each.minus = !each.minus;
    (here ? left : right).push_back(std::move(each));
  }
  return fmt::format("{} {} {}", sum(std::move(left)), turn ? turned : word, sum(std::move(right)));
}

std::string connected(const CoreExpression& x, std::string_view word, Rank inside) {
  std::vector<std::string> texts;
  for (const CoreExpression& each : x.operands()) texts.push_back(written(each, inside));
  return fmt::format("{}", fmt::join(texts, fmt::format(" {} ", word)));
}

bool is_negation(const CoreExpression& x) { return x.op() == Op::negation; }

// (not (and (not A) (not B))) is "A or B".
std::pair<std::string, Rank> negation(const CoreExpression& x) {
  const CoreExpression& of = x.operands()[0];
  if (of.op() == Op::equal) return {comparison(of, "!=", "!="), Rank::comparison};
  if (of.op() == Op::at_least) return {comparison(of, "<", ">"), Rank::comparison};
  if (of.op() != Op::conjunction || !std::all_of(of.operands().begin(), of.operands().end(), is_negation))
    return {fmt::format("not {}", written(of, Rank::atom)), Rank::comparison};
  std::vector<CoreExpression> parts;
  for (const CoreExpression& each : of.operands()) parts.push_back(each.operands()[0]);
  return {connected(CoreExpression(Op::disjunction, std::move(parts)), "or", Rank::all), Rank::any};
}

// The text, and how closely it binds.
std::pair<std::string, Rank> of_operation(const CoreExpression& x) {
  const auto operand = [&](std::size_t i, Rank around) { return written(x.operands()[i], around); };
  switch (x.op()) {
    case Op::multiply:
      return {product(x.operands(), 0), Rank::product};
    case Op::divide:
      return {fmt::format("floor({} / {})", operand(0, Rank::power), operand(1, Rank::power)), Rank::atom};
    case Op::modulo:
      return {fmt::format("{} mod {}", operand(0, Rank::power), operand(1, Rank::power)), Rank::sum};
    case Op::lowest:
      return {fmt::format("lowest({})", operand(0, Rank::any)), Rank::atom};
    case Op::xor_of:
      return {fmt::format("{} xor {}", operand(0, Rank::power), operand(1, Rank::power)), Rank::sum};
    case Op::power:
      return {fmt::format("2^{}", operand(0, Rank::atom)), Rank::power};
    case Op::digits:
      return {fmt::format("bits({})", operand(0, Rank::any)), Rank::atom};
    case Op::choice:
      return {fmt::format("({} if {} else {})", operand(1, Rank::sum), operand(0, Rank::any), operand(2, Rank::sum)),
              Rank::atom};
    case Op::equal:
      return {comparison(x, "==", "=="), Rank::comparison};
    case Op::at_least:
      return {comparison(x, ">=", "<="), Rank::comparison};
    case Op::negation:
      return negation(x);
    case Op::conjunction:
      return {connected(x, "and", Rank::comparison), Rank::all};
    default:
      return {connected(x, "or", Rank::all), Rank::any};
  }
}

std::string written(const CoreExpression& x, Rank around) {
  switch (x.op()) {
    case Op::number:
      return enclosed(fmt::to_string(x.number()), x.number() < 0 ? Rank::sum : Rank::atom, around);
    case Op::variable:
      return x.name().starts_with("measure.") ? x.name().substr(8) : x.name();
    case Op::truth:
      return x.number() != 0 ? "true" : "false";
    case Op::add: {
      std::vector<SignedTerm> terms;
      collect_terms(x, terms);
      return enclosed(sum(terms), Rank::sum, around);
    }
    default: {
      if (is_negative_product(x)) return enclosed(sum({signed_term(x)}), Rank::sum, around);
      const auto [text, rank] = of_operation(x);
      return enclosed(text, rank, around);
    }
  }
}

}  // namespace

std::string in_words(const CoreExpression& x) { return written(x, Rank::any); }

std::string in_words(const CoreRange& range) {
  return fmt::format("{} in {}..{}", range.name, in_words(range.first), range.last ? in_words(*range.last) : "");
}

}  // namespace quadrille::proof_reader
