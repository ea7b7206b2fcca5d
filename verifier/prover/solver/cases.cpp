// Idea: 2^t is no polynomial, but t has few values if sizes are bounded; and so has the number of binary digits of N.
// For each choice of these, the obligation is one of linear arithmetic, or of shifts by constants.
//
//   for N in 2..65536 and t in 0..log2(N - 1): N - 1 has 1 to 16 digits, and t is below that number: 136 cases. In
//   the case of 5 digits and t = 3, N is in 17..32 and 2^t is 8
//
// So may be what divisors depend on: with 2 to 16 columns, k mod C is one of k mod 2, …, k mod 16.
//
// Lengths are split first, because a length bounds its number, and ranges contain lengths. A choice in an exponent,
// as in 2^(t - (if N > P then 1 else 0)), is split by its value. Cases in which a fixed variable is outside of its
// range are left out.
//
// Cost: at most `most_cases` cases, each with a copy of the obligation.
#include "verifier/prover/solver/cases.h"

#include <algorithm>

namespace quadrille::prover {
namespace {

constexpr std::size_t most_cases = 1500;
constexpr int most_values = 256;  // of one variable

// Finds the atoms to be split.
class Found {
 public:
  // `divisors`: also of what is a divisor.
  Found(const Algebra& algebra, bool divisors) : algebra_(algebra), divisors_(divisors) {}

  void add(Formula f) {
    add(f->operand);
    for (const Formula part : f->parts) add(part);
  }

  // `raised`: it is the base, or the exponent, of a power.
  void add(const Number& x, bool raised = false) {
    for (const auto& [monomial, factor] : x.terms()) {
      for (const auto& [atom, power] : monomial.powers) add(atom, raised);
      for (const auto& [atom, times] : monomial.exponent) add(atom, true);
    }
  }

  void add_range(Atom variable) {
    for (const auto* end : {&variable->first, &variable->last}) {
      if (*end) add(**end);
    }
  }

  // Whether there is a divisor to be split.
  bool divided() const { return divided_; }

  // The atoms: lengths first, then choices, then variables; each by age.
  std::vector<Atom> all() const { return joined({}, lengths_, choices_, variables_); }

 private:
  void add(Atom atom, bool raised) {
    if (raised) fix(atom);
    if (atom->kind == AtomKind::bits) lengths_.insert(atom);
    if (!seen_.insert(atom).second) return;
    const bool by = divisors_ && (atom->kind == AtomKind::quotient || atom->kind == AtomKind::remainder);
    if (by) add_divisor(atom->operands[1]);
    for (const Number& operand : atom->operands) add(operand, atom->kind == AtomKind::power);
    if (atom->condition) add(atom->condition);
  }

  void add_divisor(const Number& x) {
    const auto least = algebra_.lower(x);
    if (x.constant() || !least || *least < 1) return;
    divided_ = true;
    add(x, true);
  }

  // Fixes everything that an exponent depends on.
  void fix(Atom atom) {
    if (atom->kind == AtomKind::bits) {
      lengths_.insert(atom);
    } else if (atom->kind == AtomKind::choice) {
      choices_.insert(atom);
    } else if (atom->kind == AtomKind::variable) {
      variables_.insert(atom);
    } else {
      const Variables inside = variables_in(Number(atom));
      variables_.insert(inside.begin(), inside.end());
    }
  }

  const Algebra& algebra_;
  bool divisors_;
  bool divided_ = false;
  Variables lengths_, choices_, variables_, seen_;
};

Integer rounded_up(const Rational& x) { return -rounded_down(-x); }

class Cases {
 public:
  Cases(const Algebra& algebra, std::vector<Atom> atoms, Formula given, Watch& watch)
      : algebra_(algebra), atoms_(std::move(atoms)), given_(given), watch_(watch) {}

  std::optional<std::vector<Case>> all() {
    if (!follow(0, {})) return std::nullopt;
    return std::move(found_);
  }

 private:
  // Follows the cases; false if there are too many.
  bool follow(std::size_t i, const Case& so_far) {
    watch_.require_open();
    if (i == atoms_.size()) {
      found_.push_back(so_far);
      return found_.size() <= most_cases;
    }
    const Atom atom = atoms_[i];
    const Case::Interval values = values_of_any(atom, so_far);
    if (!values.low || !values.high) return false;
    if (*values.high - *values.low > most_values) return false;
    for (Integer value = *values.low; value <= *values.high; ++value) {
      Case next = so_far;
      next.fixed[atom] = value;
      if (atom->kind == AtomKind::bits) note_length(atom, value, next);
      if (never(given_, next)) continue;
      if (!follow(i + 1, next)) return false;
    }
    return true;
  }

  // Whether the formula certainly fails in this case.
  bool never(Formula f, const Case& so_far) const {
    switch (f->kind) {
      case FormulaNodeKind::conjunction:
        return std::ranges::any_of(f->parts, [&](Formula part) { return never(part, so_far); });
      case FormulaNodeKind::positive: {
        const auto high = interval(f->operand, so_far).high;
        return high && *high < 0;
      }
      case FormulaNodeKind::zero: {
        const Case::Interval values = interval(f->operand, so_far);
        return (values.low && *values.low > 0) || (values.high && *values.high < 0);
      }
      default:
        return false;
    }
  }

  static void narrow(Case::Interval& interval, const std::optional<Integer>& low, const std::optional<Integer>& high) {
    if (low && (!interval.low || *interval.low < *low)) interval.low = low;
    if (high && (!interval.high || *high < *interval.high)) interval.high = high;
  }

  // The bounds for all cases together, which are asked for again in each case.
  const Case::Interval& bounded(const Number& x) const {
    const auto [place, fresh] = bounded_.try_emplace(x);
    if (!fresh) return place->second;
    if (const auto low = algebra_.lower(x)) place->second.low = rounded_up(*low);
    if (const auto high = algebra_.upper(x)) place->second.high = rounded_down(*high);
    return place->second;
  }

  Case::Interval values_of_any(Atom atom, const Case& so_far) const {
    if (atom->kind == AtomKind::bits) return lengths_of(atom, so_far);
    return atom->kind == AtomKind::choice ? values_of_choice(atom, so_far) : values_of(atom, so_far);
  }

  // The values of both numbers of a choice.
  Case::Interval values_of_choice(Atom choice, const Case& so_far) const {
    const Case::Interval a = interval(choice->operands[0], so_far);
    const Case::Interval b = interval(choice->operands[1], so_far);
    Case::Interval result;
    if (a.low && b.low) result.low = std::min(*a.low, *b.low);
    if (a.high && b.high) result.high = std::max(*a.high, *b.high);
    return result;
  }

  // A variable's own range, in this case.
  Case::Interval values_of(Atom variable, const Case& so_far) const {
    Case::Interval result = bounded(Number(variable));
    if (const auto known = so_far.within.find(variable); known != so_far.within.end())
      narrow(result, known->second.low, known->second.high);
    if (variable->first) narrow(result, interval(*variable->first, so_far).low, std::nullopt);
    if (variable->last) narrow(result, std::nullopt, interval(*variable->last, so_far).high);
    return result;
  }

  // The interval of x in this case. It understands sums of variables, powers of fixed variables, and lengths.
  Case::Interval interval(const Number& x, const Case& so_far) const {
    Rational low = 0;
    Rational high = 0;
    for (const auto& [monomial, factor] : x.terms()) {
      const auto scale = fixed_part(monomial, factor, so_far);
      if (!scale) return bounded(x);
      const Atom left = loose(monomial, so_far);
      if (left == nullptr) {
        low += *scale;
        high += *scale;
        continue;
      }
      const Case::Interval of = values_of_loose(left, so_far);
      const auto& least = *scale > 0 ? of.low : of.high;
      const auto& most = *scale > 0 ? of.high : of.low;
      if (!least || !most) return bounded(x);
      low += *scale * Rational(*least);
      high += *scale * Rational(*most);
    }
    return {rounded_up(low), rounded_down(high)};
  }

  // The values of an atom that is not fixed: a variable, half a length, or another.
  Case::Interval values_of_loose(Atom atom, const Case& so_far) const {
    if (atom->kind == AtomKind::variable) return values_of(atom, so_far);
    const auto by = atom->kind == AtomKind::quotient ? atom->operands[1].constant() : std::nullopt;
    if (!by || *by < 1) return bounded(Number(atom));
    Case::Interval result = interval(atom->operands[0], so_far);
    for (auto* end : {&result.low, &result.high}) {
      if (*end) *end = rounded_down(Rational(**end) / *by);
    }
    return result;
  }

  // The one factor that is not fixed, or null. Requires a monomial that fixed_part() understands.
  Atom loose(const Monomial& monomial, const Case& so_far) const {
    for (const auto& [atom, times] : monomial.powers) {
      if (!fixed_value(atom, so_far)) return atom;
    }
    return nullptr;
  }

  // The atom's value, if it is fixed, or a power of what is fixed.
  std::optional<Integer> fixed_value(Atom atom, const Case& so_far) const {
    if (const auto known = so_far.fixed.find(atom); known != so_far.fixed.end()) return known->second;
    if (atom->kind != AtomKind::power) return std::nullopt;
    const Case::Interval base = interval(atom->operands[0], so_far);
    const Case::Interval exponent = interval(atom->operands[1], so_far);
    const bool fixed = base.low && base.low == base.high && exponent.low && exponent.low == exponent.high;
    if (!fixed || *base.low < 1 || *exponent.low > 4096) return std::nullopt;
    return *exponent.low < 0 ? Integer(0) : Integer(pow(*base.low, static_cast<unsigned>(*exponent.low)));
  }

  // The value of the monomial, or the factor of its one factor that is not fixed; nothing for any other monomial.
  std::optional<Rational> fixed_part(const Monomial& monomial, const Rational& factor, const Case& so_far) const {
    Rational result = factor;
    bool one = false;
    for (const auto& [atom, times] : monomial.powers) {
      const auto known = fixed_value(atom, so_far);
      if (!known) {
        if (one || times != 1) return std::nullopt;
        one = true;
        continue;
      }
      for (unsigned i = 0; i < times; ++i) result *= Rational(*known);
    }
    Rational exponent = 0;
    for (const auto& [atom, times] : monomial.exponent) {
      const auto known = so_far.fixed.find(atom);
      if (known == so_far.fixed.end()) return std::nullopt;
      exponent += Rational(known->second * times);
    }
    if (denominator(exponent) != 1 || abs(exponent) > 4096) return std::nullopt;
    return Rational(result * two_raised(numerator(exponent)));
  }

  // The lengths of all numbers that x may be.
  Case::Interval lengths_of(Atom atom, const Case& so_far) const {
    Case::Interval x = interval(atom->operands[0], so_far);
    const Case::Interval& own = bounded(atom->operands[0]);
    narrow(x, own.low, own.high);
    Case::Interval result = bounded(Number(atom));
    const auto length = [](const Integer& value) { return value <= 0 ? Integer(0) : Integer(msb(value) + 1); };
    if (x.low) narrow(result, length(*x.low), std::nullopt);
    if (x.high) narrow(result, std::nullopt, length(*x.high));
    return result;
  }

  // If x is a variable plus a constant, notes what the length says of the variable.
  static void note_length(Atom atom, const Integer& length, Case& into) {
    const Number& x = atom->operands[0];
    Atom variable = nullptr;
    for (const auto& [monomial, factor] : x.terms()) {
      if (monomial.constant()) continue;
      if (!monomial.atom() || factor != 1 || variable != nullptr) return;
      variable = *monomial.atom();
    }
    if (variable == nullptr || variable->kind != AtomKind::variable) return;
    const auto constant = (x - Number(variable)).constant();
    if (!constant || denominator(*constant) != 1) return;
    const Integer more = numerator(*constant);
    const auto digits = static_cast<unsigned>(length);
    Case::Interval& interval = into.within[variable];
    if (length > 0) {
      narrow(interval, Integer((Integer(1) << (digits - 1)) - more), Integer((Integer(1) << digits) - 1 - more));
    } else {
      narrow(interval, std::nullopt, Integer(-more));
    }
  }

  const Algebra& algebra_;
  std::vector<Atom> atoms_;
  Formula given_;
  Watch& watch_;
  mutable std::map<Number, Case::Interval> bounded_;
  std::vector<Case> found_;
};

}  // namespace

std::optional<std::vector<Case>> cases_of(const Algebra& algebra, const Obligation& obligation,
                                          const std::vector<Atom>& scope, bool divisors, Watch& watch) {
  Found found(algebra, divisors);
  found.add(obligation.given);
  found.add(obligation.must);
  for (const Atom variable : scope) found.add_range(variable);
  std::vector<Atom> atoms = found.all();
  if (atoms.empty() || (divisors && !found.divided())) return std::nullopt;
  return Cases(algebra, std::move(atoms), obligation.given, watch).all();
}

}  // namespace quadrille::prover
