// Writes the prover's numbers as text for the second reader. A number is the sum of its terms. If the terms have
// fractions, a multiple of the number is written, and divided again.
//
// Example: 1/2·N² - 1/2·N is (div (+ (* N N) (* -1 N)) 2), and 2·k + 1 is (+ 1 (* 2 k)).
//
// Cost: linear in the number.
#include "verifier/prover/problem/core_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <string_view>

namespace quadrille::prover {
namespace {

// No variable may have one of these names (verifier/PROOF_FORMAT.md).
constexpr std::array<std::string_view, 24> reserved = {
    "true",   "false", "none", "and", "or",    "not",  "if",    "else",   "mod",      "xor",    "floor", "bits",
    "lowest", "in",    "when", "for", "after", "each", "steps", "rounds", "messages", "volume", "hops",  "max_queue"};

// A name of letters, digits and underscores that begins with a letter.
std::string plain_name(const std::string& name) {
  std::string result;
  for (const char c : name) {
    const bool fits = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    result += fits ? c : '_';
  }
  const bool letter = !result.empty() && std::isdigit(static_cast<unsigned char>(result[0])) == 0;
  return letter ? result : "x" + result;
}

std::string whole(const Integer& x) {
  if (x < std::numeric_limits<std::int64_t>::min() || x > std::numeric_limits<std::int64_t>::max())
    throw Unsupported{"numbers of more than 64 bits, in a proof that is written", {}};
  return x.str();
}

// With a power of two p, x div p mod 2 is the digit: where it is 1, x xor p is x - p, and x + p where it is 0.
std::string with_power(AtomKind kind, const std::string& x, const std::string& p) {
  const std::string digit = fmt::format("(mod (div {} {}) 2)", x, p);
  if (kind == AtomKind::bit_and) return fmt::format("(* {} {})", p, digit);
  const std::string more = kind == AtomKind::bit_xor ? fmt::format("(+ {} (* -1 {}))", x, p) : x;
  return fmt::format("(ite (= {} 1) {} (+ {} {}))", digit, more, x, p);
}

// x + y is x xor y, and twice the digits that both have.
std::string with_number(AtomKind kind, const std::string& x, const std::string& y) {
  std::string difference = fmt::format("(xor {} {})", x, y);
  if (kind == AtomKind::bit_xor) return difference;
  const bool both = kind == AtomKind::bit_and;
  return fmt::format("(div (+ {} {} {}) 2)", x, y, both ? fmt::format("(* -1 {})", difference) : difference);
}

}  // namespace

std::string CoreText::name(Atom variable) {
  const auto known = names_.find(variable);
  if (known != names_.end()) return known->second;
  const std::string base = plain_name(variable->name);
  std::string name = base;
  const bool is_reserved = std::ranges::find(reserved, base) != reserved.end();
  for (int i = 2; (is_reserved && i == 2) || !used_.insert(name).second; ++i) name = fmt::format("{}.{}", base, i);
  return names_[variable] = name;
}

std::string CoreText::atom(Atom atom) {
  const auto operand = [&](std::size_t i) { return number(atom->operands[i]); };
  switch (atom->kind) {
    case AtomKind::variable:
      return name(atom);
    case AtomKind::quotient:
      return fmt::format("(div {} {})", operand(0), operand(1));
    case AtomKind::remainder:
      return fmt::format("(mod {} {})", operand(0), operand(1));
    case AtomKind::choice:
      return fmt::format("(ite {} {} {})", truth(atom->condition), operand(0), operand(1));
    case AtomKind::bits:
      return fmt::format("(bits {})", operand(0));
    case AtomKind::power:
      throw Unsupported{"powers of other numbers than two, of which no rule of proof speaks yet", {}};
    default:
      return bitwise(*atom);
  }
}

// The numbers p - d and d share only the lowest digit of d, for a power of two p and 0 <= d < p.
std::optional<std::string> CoreText::lowest(const AtomNode& atom) {
  if (!guessing_ || atom.kind != AtomKind::bit_and || atom.operands.size() != 2) return std::nullopt;
  const Number whole = atom.operands[0] + atom.operands[1];
  if (!whole.constant() && !exponent_of(whole)) return std::nullopt;
  const bool first = atom.operands[0].terms().size() < atom.operands[1].terms().size();
  return fmt::format("(lowest {})", number(atom.operands[first ? 0 : 1]));
}

// One operand after another, powers of two at the end.
std::string CoreText::bitwise(const AtomNode& atom) {
  std::vector<Number> operands = atom.operands;
  std::stable_partition(operands.begin(), operands.end(), [](const Number& x) { return !exponent_of(x); });
  std::string text = number(operands[0]);
  if (const auto digit = lowest(atom)) return *digit;
  for (std::size_t i = 1; i < operands.size(); ++i)
    text = exponent_of(operands[i]) ? with_power(atom.kind, text, number(operands[i]))
                                    : with_number(atom.kind, text, number(operands[i]));
  return text;
}

std::string CoreText::monomial(const Monomial& monomial, const Number& exponent, const Integer& factor) {
  std::vector<std::string> factors;
  const bool power = !monomial.exponent.empty();
  if (factor != 1 || (monomial.powers.empty() && !power)) factors.push_back(whole(factor));
  for (const auto& [base, times] : monomial.powers) {
    for (unsigned i = 0; i < times; ++i) factors.push_back(atom(base));
  }
  if (power) factors.push_back(fmt::format("(pow2 {})", number(exponent)));
  return factors.size() == 1 ? factors[0] : fmt::format("(* {})", fmt::join(factors, " "));
}

// 1/2 · 2^L is 2^(L-1).
std::string CoreText::number(const Number& x) {
  struct Term {
    const Monomial* monomial;
    Number exponent;
    Rational factor;
  };
  std::vector<Term> terms;
  Number without_halves;  // whose denominator is that of all terms
  for (const auto& [monomial, factor] : x.terms()) {
    Term term{&monomial, {}, factor};
    if (!monomial.exponent.empty()) {
      const long halves = std::max(0L, -powers_of_two(factor));
      term.exponent = exponent_of(monomial) - Number(Rational(halves));
      term.factor = factor * Rational(Integer(1) << static_cast<unsigned>(halves));
    }
    without_halves.add(monomial, term.factor);
    terms.push_back(std::move(term));
  }
  if (terms.empty()) return "0";
  const Integer denominator = without_halves.denominator();
  std::vector<std::string> texts;
  for (const Term& term : terms)
    texts.push_back(monomial(*term.monomial, term.exponent, numerator(Rational(term.factor * Rational(denominator)))));
  const std::string sum = texts.size() == 1 ? texts[0] : fmt::format("(+ {})", fmt::join(texts, " "));
  return denominator == 1 ? sum : fmt::format("(div {} {})", sum, whole(denominator));
}

std::string CoreText::truth(Formula f) {
  switch (f->kind) {
    case FormulaNodeKind::constant:
      return f->value ? "true" : "false";
    case FormulaNodeKind::positive:
      return fmt::format("(>= {} 0)", number(f->operand));
    case FormulaNodeKind::zero:
      return fmt::format("(= {} 0)", number(f->operand));
    case FormulaNodeKind::negation:
      return fmt::format("(not {})", truth(f->parts[0]));
    default:
      break;
  }
  std::vector<std::string> parts;
  for (const Formula part : f->parts) parts.push_back(truth(part));
  return parts.empty() ? "true" : fmt::format("(and {})", fmt::join(parts, " "));
}

std::string CoreText::ranges(const std::vector<Atom>& variables) {
  std::string text = "(for";
  for (const Atom variable : variables) {
    if (!variable->first || !variable->last) throw Unsupported{"a loop without an end", {}};
    const std::string first = number(*variable->first);
    const std::string last = number(*variable->last);
    text += fmt::format(" ({} {} {})", name(variable), first, last);
  }
  return text + ")";
}

}  // namespace quadrille::prover
