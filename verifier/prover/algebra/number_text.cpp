// Writes numbers and formulas as the schedule's language does, so that a person may read them aloud, and paste them.
//
// Example: "2^L + 2*L - 2"; "k >= x" for k - x >= 0; "N/2"; "min(N, 2^i)".
//
// Cost: the length of the text. What would have more than `most_parts` numbers and signs is left out ("…"): parts that
// are shared in a formula are written each time, so that a text may be longer than any memory.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "verifier/prover/algebra/algebra.h"

namespace quadrille::prover {
namespace {

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  return fmt::format("{}", fmt::join(parts, between));
}

// In parentheses, unless it is a name or a number.
std::string one_word(const std::string& text) {
  return text.find_first_of(" +-*/^") == std::string::npos ? text : fmt::format("({})", text);
}

// Whether b is a times a positive number.
bool same_sign(const Number& a, const Number& b) {
  if (a.terms().empty() || b.terms().empty()) return false;
  const Rational times = b.terms().begin()->second / a.terms().begin()->second;
  return times > 0 && b == a * Number(times);
}

// "if k >= x then k - x else 0"; the lesser or greater of two numbers is said so.
std::string choice_text(Atom atom) {
  const Number& then = atom->operands[0];
  const Number& otherwise = atom->operands[1];
  const std::string both = fmt::format("({}, {})", to_string(then), to_string(otherwise));
  if (atom->condition->kind == FormulaNodeKind::positive) {
    if (same_sign(atom->condition->operand, otherwise - then)) return "min" + both;
    if (same_sign(atom->condition->operand, then - otherwise)) return "max" + both;
  }
  return fmt::format("(if {} then {} else {})", to_string(atom->condition), to_string(then), to_string(otherwise));
}

constexpr int most_parts = 300;

bool has_more_parts(const Number& x, int& left);
bool has_more_parts(Formula f, int& left);

// Whether it has more parts than are left; else these are fewer.
bool has_more_parts(Atom atom, int& left) {
  if (--left < 0) return true;
  return (atom->condition && has_more_parts(atom->condition, left)) ||
         std::ranges::any_of(atom->operands, [&](const Number& operand) { return has_more_parts(operand, left); });
}

bool has_more_parts(const Number& x, int& left) {
  const auto more = [&](const auto& each) { return has_more_parts(each.first, left); };
  return std::ranges::any_of(x.terms(), [&](const auto& term) {
    return std::ranges::any_of(term.first.powers, more) || std::ranges::any_of(term.first.exponent, more);
  });
}

bool has_more_parts(Formula f, int& left) {
  return --left < 0 || has_more_parts(f->operand, left) ||
         std::ranges::any_of(f->parts, [&](Formula part) { return has_more_parts(part, left); });
}

std::string text_of(Atom atom) {
  if (int left = most_parts; has_more_parts(atom, left)) return "…";
  std::vector<std::string> operands;
  for (const Number& operand : atom->operands) operands.push_back(to_string(operand));
  switch (atom->kind) {
    case AtomKind::variable:
      return atom->name;
    case AtomKind::quotient:
      return fmt::format("{}/{}", one_word(operands[0]), one_word(operands[1]));
    case AtomKind::remainder:
      return fmt::format("({} mod {})", one_word(operands[0]), one_word(operands[1]));
    case AtomKind::power:
      return fmt::format("{}^{}", one_word(operands[0]), one_word(operands[1]));
    case AtomKind::bit_or:
      return fmt::format("({})", joined(operands, " or "));
    case AtomKind::bit_xor:
      return fmt::format("({})", joined(operands, " xor "));
    case AtomKind::bit_and:
      return fmt::format("({})", joined(operands, " and "));
    case AtomKind::bits:
      return fmt::format("bits({})", operands[0]);
    case AtomKind::choice:
      return choice_text(atom);
  }
  return "";
}

// As one of several factors, or in an exponent: 2*(N/2) is not 2*N/2.
std::string factor_text(Atom atom) {
  return atom->kind == AtomKind::quotient ? fmt::format("({})", text_of(atom)) : text_of(atom);
}

// A quotient that stands alone needs no parentheses.
std::string alone_or_factor(Atom atom, const Monomial& monomial, const Rational& size) {
  const bool alone = size == 1 && monomial.powers.size() == 1 && monomial.exponent.empty();
  return alone ? text_of(atom) : factor_text(atom);
}

std::string text_of(const Monomial& monomial, const Rational& size) {
  std::vector<std::string> factors;
  if (size != 1 || monomial.constant()) factors.push_back(size.str());
  for (const auto& [atom, power] : monomial.powers) {
    factors.push_back(power == 1 ? alone_or_factor(atom, monomial, size)
                                 : fmt::format("{}^{}", factor_text(atom), power));
  }
  std::string exponent;
  for (const auto& [atom, times] : monomial.exponent) {
    if (!exponent.empty() || times < 0) exponent += times < 0 ? "-" : "+";
    const Integer count = abs(times);
    exponent += count == 1 ? factor_text(atom) : fmt::format("{}*{}", count.str(), factor_text(atom));
  }
  const bool simple = monomial.exponent.size() == 1 && monomial.exponent.begin()->second == 1;
  if (!exponent.empty()) factors.push_back(simple ? "2^" + exponent : fmt::format("2^({})", exponent));
  return joined(factors, "*");
}

using NumberTerm = std::pair<Monomial, Rational>;

// Powers of two first and constants last, but what is subtracted never at the beginning, if anything is added.
std::vector<NumberTerm> terms_in_order(const Number& x) {
  std::vector<NumberTerm> terms(x.terms().rbegin(), x.terms().rend());
  std::stable_partition(terms.begin(), terms.end(),
                        [](const NumberTerm& term) { return !term.first.exponent.empty(); });
  const auto added = std::ranges::find_if(terms, [](const NumberTerm& term) { return term.second > 0; });
  if (added != terms.end()) std::rotate(terms.begin(), added, added + 1);
  return terms;
}

// "-(N/2)": -N/2 would be another number.
std::string first_term(const Monomial& monomial, const Rational& factor) {
  if (factor > 0) return text_of(monomial, factor);
  const std::string text = text_of(monomial, Rational(-factor));
  return text.find('/') == std::string::npos ? "-" + text : fmt::format("-({})", text);
}

// x as added - subtracted + constant.
struct ComparedSides {
  Number added, subtracted;
  Rational constant = 0;
};

ComparedSides sides_of(const Number& x) {
  ComparedSides sides;
  for (const auto& [monomial, factor] : x.terms()) {
    if (monomial.constant()) {
      sides.constant = factor;
    } else if (factor > 0) {
      sides.added.add(monomial, factor);
    } else {
      sides.subtracted.add(monomial, -factor);
    }
  }
  return sides;
}

struct ComparisonSigns {
  std::string_view plain, turned;  // of x and 0, of 0 and x
  std::string_view less;           // of x + 1 and 0
};
constexpr ComparisonSigns at_least_zero = {">=", "<=", ">"};
constexpr ComparisonSigns below_zero = {"<", ">", "<="};
constexpr ComparisonSigns equal_to_zero = {"==", "==", ""};
constexpr ComparisonSigns other_than_zero = {"!=", "!=", ""};

// "k >= x" for k - x and 0; "k > x" for k - x - 1 and 0.
std::string compared(const Number& x, const ComparisonSigns& by) {
  const auto [added, subtracted, constant] = sides_of(x);
  if (added.terms().empty()) return fmt::format("{} {} {}", to_string(subtracted), by.turned, constant.str());
  if (constant == -1 && !by.less.empty() && !subtracted.terms().empty())
    return fmt::format("{} {} {}", to_string(added), by.less, to_string(subtracted));
  const Rational& more = constant;
  return fmt::format("{} {} {}", to_string(more > 0 ? added + Number(more) : added), by.plain,
                     to_string(more < 0 ? subtracted - Number(more) : subtracted));
}

std::string negation_text(Formula f) {
  if (f->kind == FormulaNodeKind::positive) return compared(f->operand, below_zero);
  if (f->kind == FormulaNodeKind::zero) return compared(f->operand, other_than_zero);
  if (f->kind != FormulaNodeKind::conjunction) return fmt::format("not ({})", to_string(f));
  std::vector<std::string> parts;
  for (const Formula part : f->parts)
    parts.push_back(part->kind == FormulaNodeKind::negation ? to_string(part->parts[0]) : negation_text(part));
  return fmt::format("({})", joined(parts, " or "));
}

}  // namespace

std::string to_string(const Number& x) {
  std::string text;
  for (const auto& [monomial, factor] : terms_in_order(x)) {
    if (text.empty()) {
      text = first_term(monomial, factor);
    } else {
      text += (factor < 0 ? " - " : " + ") + text_of(monomial, Rational(abs(factor)));
    }
  }
  return text.empty() ? "0" : text;
}

std::string to_string(Formula f) {
  if (int left = most_parts; has_more_parts(f, left)) return "…";
  std::vector<std::string> parts;
  switch (f->kind) {
    case FormulaNodeKind::constant:
      return f->value ? "true" : "false";
    case FormulaNodeKind::positive:
      return compared(f->operand, at_least_zero);
    case FormulaNodeKind::zero:
      return compared(f->operand, equal_to_zero);
    case FormulaNodeKind::negation:
      return negation_text(f->parts[0]);
    case FormulaNodeKind::conjunction:
      for (const Formula part : f->parts) parts.push_back(to_string(part));
      return fmt::format("({})", joined(parts, " and "));
  }
  return "";
}

}  // namespace quadrille::prover
