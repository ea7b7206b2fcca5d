// Brings operations on binary digits into normal form. A number below 2^e and a multiple of 2^e have no digit in
// common, so they become operands of their own. Equal operands cancel (xor) or become one (or, and).
//
// Example: (2^(i-1)·k + j) xor j, j below 2^(i-1), is 2^(i-1)·k.
//
// Cost for k operands: k log k comparisons, and a split for each power of two in them.
#include <algorithm>

#include "verifier/prover/algebra/algebra.h"

namespace quadrille::prover {

// Splits x into numbers without a common binary digit: a sum q · 2^e + r with 0 <= r < 2^e becomes q · 2^e and r.
std::vector<Number> Algebra::apart(const Number& x) const {
  if (x.terms().size() < 2) return {x};
  for (const auto& [monomial, factor] : x.terms()) {
    const Number term(monomial, factor);
    const Number power = power_in(term);
    if (power == Number(1) || !is_power_of_two(power)) continue;
    const Split parts = split(x, power);
    if (parts.rest == Number(0) || parts.rest == x) continue;
    if (!never_negative(parts.rest) || !never_negative(power - Number(1) - parts.rest)) continue;
    std::vector<Number> result = apart(parts.rest);
    result.push_back(x - parts.rest);
    return result;
  }
  return {x};
}

// The bitwise operation on the operands in normal form: sorted, without operands that cancel.
Number Algebra::bitwise(AtomKind kind, const Number& a, const Number& b) {
  std::vector<Number> operands;
  const auto gather = [&](const Number& x) {
    const auto atom = x.atom();
    if (atom && (*atom)->kind == kind) {
      operands.insert(operands.end(), (*atom)->operands.begin(), (*atom)->operands.end());
    } else if (kind == AtomKind::bit_xor) {
      for (const Number& part : apart(x)) operands.push_back(part);
    } else {
      operands.push_back(x);
    }
  };
  gather(a);
  gather(b);
  std::sort(operands.begin(), operands.end());
  std::vector<Number> kept;
  for (const Number& x : operands) {
    const bool again = !kept.empty() && kept.back() == x;
    if (again && kind == AtomKind::bit_xor) {
      kept.pop_back();
    } else if (!again) {
      kept.push_back(x);
    }
  }
  const auto zero = std::find(kept.begin(), kept.end(), Number(0));
  if (zero != kept.end()) {
    if (kind == AtomKind::bit_and) return Number(0);
    kept.erase(zero);
  }
  if (kept.empty()) return Number(0);
  if (kept.size() == 1) return kept[0];
  if (const auto shifted = shifted_together(kind, kept)) return *shifted;
  return operation(kind, std::move(kept));
}

// Two operands with the same power of two are shifted together.
std::optional<Number> Algebra::shifted_together(AtomKind kind, const std::vector<Number>& operands) {
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Number power = power_in(operands[i]);
    if (!is_power_of_two(power) || is_one(power)) continue;  // by 1, this would never end
    const Split x = split(operands[i], power);
    if (!(x.rest == Number(0))) continue;
    for (std::size_t j = 0; j < operands.size(); ++j) {
      if (i == j) continue;
      const Split y = split(operands[j], power);
      if (!(y.rest == Number(0))) continue;
      Number result = power * bitwise(kind, x.quotient, y.quotient);
      for (std::size_t other = 0; other < operands.size(); ++other) {
        if (other != i && other != j) result = bitwise(kind, result, operands[other]);
      }
      return result;
    }
  }
  return std::nullopt;
}

Number Algebra::bits(const Number& x) {
  Number result = operation(AtomKind::bits, {x});
  const auto exponent = x.constant() ? std::nullopt : exponent_of(x);
  return exponent ? *exponent + Number(1) : result;  // 2^e has e + 1 digits
}

}  // namespace quadrille::prover
