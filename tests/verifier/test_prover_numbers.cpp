// The prover's numbers against plain integers: every law of theirs, and Z3's answer, at all values of small ranges.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "tests/environment.h"
#include "tests/reference/random_tables.h"
#include "verifier/prover/algebra/algebra.h"
#include "verifier/prover/problem/problem.h"
#include "verifier/prover/solver/decide.h"

namespace quadrille::prover {
namespace {

using Plain = std::function<std::int64_t(const Assignment&)>;

// A number and what it must come to.
struct Twin {
  Number number;
  Plain plain;
};
struct TwinFormula {
  Formula formula;
  std::function<bool(const Assignment&)> plain;
};

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  const std::int64_t quotient = a / b;
  return quotient - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

// The setting of the paper's schedules: L levels, a level h of them, M = 2^(h-1), k below M, i below n/M.
class Setting {
 public:
  Setting(Algebra& algebra, std::uint64_t seed) : algebra_(algebra), random_(seed) {
    const Number one(1);
    levels_ = algebra.variable("L", one, Number(4));
    h_ = algebra.variable("h", one, Number(levels_));
    k_ = algebra.variable("k", Number(0), power_of_two(Number(h_) - one) - one);
    i_ = algebra.variable("i", Number(0), power_of_two(Number(levels_) - Number(h_) + one) - one);
    x_ = algebra.variable("x", Number(-3), Number(5));
  }

  std::vector<Atom> variables() const { return {levels_, h_, k_, i_, x_}; }

  Twin number(int depth) {
    if (depth == 0) return leaf();
    Twin a = number(depth - 1);
    Twin b = number(static_cast<int>(random_() % static_cast<unsigned>(depth)));
    switch (random_() % 11) {
      case 0:
        return {a.number + b.number, [=](const Assignment& v) { return a.plain(v) + b.plain(v); }};
      case 1:
        return {a.number - b.number, [=](const Assignment& v) { return a.plain(v) - b.plain(v); }};
      case 2:
        return product(a, leaf());
      case 3:
      case 4:
        return division(a, true);
      case 5:
        return division(a, false);
      case 6:
        return bitwise(AtomKind::bit_xor, a, b);
      case 7:
        return bitwise(random_() % 2 == 0 ? AtomKind::bit_or : AtomKind::bit_and, a, b);
      case 8: {
        const TwinFormula c = comparison(a, b);
        const Twin other = leaf();
        return {algebra_.choice(c.formula, a.number, other.number),
                [=](const Assignment& v) { return c.plain(v) ? a.plain(v) : other.plain(v); }};
      }
      case 9: {
        const Twin size = bitwise(AtomKind::bit_and, a, {Number(255), [](const Assignment&) { return 255; }});
        return {algebra_.bits(size.number), [=](const Assignment& v) {
                  return static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(size.plain(v))));
                }};
      }
      default:
        return product(power(), b);
    }
  }

  TwinFormula formula(int depth) {
    if (depth == 0) return comparison(number(2), number(2));
    const TwinFormula a = formula(depth - 1);
    const TwinFormula b = formula(0);
    switch (random_() % 3) {
      case 0:
        return {algebra_.negation(a.formula), [=](const Assignment& v) { return !a.plain(v); }};
      case 1:
        return {algebra_.conjunction({a.formula, b.formula}),
                [=](const Assignment& v) { return a.plain(v) && b.plain(v); }};
      default:
        return {algebra_.disjunction({a.formula, b.formula}),
                [=](const Assignment& v) { return a.plain(v) || b.plain(v); }};
    }
  }

 private:
  Twin of(Atom atom) const {
    return {Number(atom), [atom](const Assignment& v) { return static_cast<std::int64_t>(v.at(atom)); }};
  }
  Twin product(const Twin& a, const Twin& b) const {
    return {a.number * b.number, [=](const Assignment& v) { return a.plain(v) * b.plain(v); }};
  }
  Twin bitwise(AtomKind kind, const Twin& a, const Twin& b) {
    return {algebra_.bitwise(kind, a.number, b.number), [=](const Assignment& v) {
              const std::int64_t x = a.plain(v);
              const std::int64_t y = b.plain(v);
              return kind == AtomKind::bit_or ? (x | y) : kind == AtomKind::bit_xor ? (x ^ y) : (x & y);
            }};
  }

  Twin leaf() {
    switch (random_() % 10) {
      case 9:
        return power_to(random_() % 2 == 0 ? of(h_) : Twin{Number(3), [](const Assignment&) { return 3; }}, of(x_));
      case 0:
        return of(levels_);
      case 1:
        return of(h_);
      case 2:
        return of(k_);
      case 3:
        return of(i_);
      case 4:
        return of(x_);
      case 5:
        return product(of(i_), power_of(Number(h_) - Number(1), [h = h_](const Assignment& v) { return v.at(h) - 1; }));
      case 6:
        return power();
      default: {
        const auto value = static_cast<std::int64_t>(random_() % 9) - 3;
        return {Number(Rational(value)), [value](const Assignment&) { return value; }};
      }
    }
  }

  static Twin power_of(const Number& exponent, const std::function<Integer(const Assignment&)>& plain) {
    return {power_of_two(exponent),
            [plain](const Assignment& v) { return std::int64_t{1} << static_cast<int>(plain(v)); }};
  }

  // Of other bases; 0, if the exponent is negative.
  Twin power_to(const Twin& base, const Twin& exponent) {
    return {algebra_.power(base.number, exponent.number), [=](const Assignment& v) {
              const std::int64_t times = exponent.plain(v);
              std::int64_t result = times < 0 ? 0 : 1;
              for (std::int64_t i = 0; i < times; ++i) result *= base.plain(v);
              return result;
            }};
  }

  // A power that is never negative: of two, most of them.
  Twin power() {
    const Atom levels = levels_;
    const Atom h = h_;
    const Twin three{Number(3), [](const Assignment&) { return 3; }};
    switch (random_() % 6) {
      case 4:
        return power_to(three, {Number(h) - Number(1),
                                [h](const Assignment& v) { return static_cast<std::int64_t>(v.at(h)) - 1; }});
      case 5:
        return power_to(of(h), {Number(levels) - Number(h), [=](const Assignment& v) {
                                  return static_cast<std::int64_t>(v.at(levels) - v.at(h));
                                }});
      case 0:
        return power_of(Number(h) - Number(1), [h](const Assignment& v) { return v.at(h) - 1; });
      case 1:
        return power_of(Number(levels) - Number(h), [=](const Assignment& v) { return v.at(levels) - v.at(h); });
      case 2:
        return power_of(Number(levels), [=](const Assignment& v) { return v.at(levels); });
      default:
        return power_of(Number(2) * Number(h) - Number(2),
                        [h](const Assignment& v) { return Integer(2 * v.at(h) - 2); });
    }
  }

  Twin division(const Twin& a, bool quotient) {
    const Twin by = random_() % 3 == 0 ? Twin{Number(3), [](const Assignment&) { return 3; }} : power();
    if (quotient) {
      return {algebra_.divide(a.number, by.number),
              [=](const Assignment& v) { return floor_divide(a.plain(v), by.plain(v)); }};
    }
    return {algebra_.remainder(a.number, by.number),
            [=](const Assignment& v) { return a.plain(v) - by.plain(v) * floor_divide(a.plain(v), by.plain(v)); }};
  }

  TwinFormula comparison(const Twin& a, const Twin& b) {
    switch (random_() % 4) {
      case 0:
        return {algebra_.equal(a.number, b.number), [=](const Assignment& v) { return a.plain(v) == b.plain(v); }};
      case 1:
        return {algebra_.less(a.number, b.number), [=](const Assignment& v) { return a.plain(v) < b.plain(v); }};
      case 2:
        return {algebra_.negation(algebra_.at_most(a.number, b.number)),
                [=](const Assignment& v) { return a.plain(v) > b.plain(v); }};
      default:
        return {algebra_.at_most(a.number, b.number), [=](const Assignment& v) { return a.plain(v) <= b.plain(v); }};
    }
  }

  Algebra& algebra_;
  std::mt19937_64 random_;
  Atom levels_ = nullptr;
  Atom h_ = nullptr;
  Atom k_ = nullptr;
  Atom i_ = nullptr;
  Atom x_ = nullptr;
};

// The first values at which `right` is false; "" if there are none.
std::string first_fault(const Setting& setting, const std::function<bool(const Assignment&)>& right) {
  std::string fault;
  Assignment values;
  for_each_value(setting.variables(), values, [&] {
    if (right(values)) return true;
    for (const auto& [atom, value] : values) fault += fmt::format("{}={} ", atom->name, value.str());
    return false;
  });
  return fault;
}

// Runs `trial` with many settings, ten times as many with $QUADRILLE_LONG=1; comparisons folded by bounds and not.
void many(int trials, const std::function<void(Algebra&, Setting&)>& trial) {
  const std::uint64_t first = reference::first_seed();
  MESSAGE("QUADRILLE_SEED=" << first);
  if (tests::long_run()) trials *= 10;
  for (int i = 0; i < trials; ++i) {
    Algebra algebra;
    algebra.compare_by_bounds(i % 2 == 0);
    Setting setting(algebra, first + static_cast<std::uint64_t>(i));
    CAPTURE(i);
    trial(algebra, setting);
  }
}

TEST_CASE("numbers are what plain integers are, and lie between their bounds") {
  many(150, [](Algebra& algebra, Setting& setting) {
    const Twin twin = setting.number(3);
    CAPTURE(to_string(twin.number));
    CHECK(first_fault(setting, [&](const Assignment& v) { return evaluate(twin.number, v) == twin.plain(v); }) == "");
    const auto low = algebra.lower(twin.number);
    const auto high = algebra.upper(twin.number);
    CHECK(first_fault(setting, [&](const Assignment& v) {
            const Rational value = twin.plain(v);
            return (!low || *low <= value) && (!high || value <= *high);
          }) == "");
    const auto steps = algebra.descent(twin.number);
    CHECK(first_fault(setting, [&](const Assignment& v) {
            for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
              if (evaluate(steps[i + 1], v) > evaluate(steps[i], v)) return false;
            }
            return true;
          }) == "");
  });
}

TEST_CASE("formulas are true where they should be, and their negations where not") {
  many(150, [](Algebra& algebra, Setting& setting) {
    const TwinFormula twin = setting.formula(2);
    CAPTURE(to_string(twin.formula));
    const Formula opposite = algebra.negation(twin.formula);
    CHECK(first_fault(setting, [&](const Assignment& v) {
            return evaluate(twin.formula, v) == twin.plain(v) && evaluate(opposite, v) != twin.plain(v);
          }) == "");
  });
}

TEST_CASE("putting a number in a variable's place changes nothing else") {
  many(60, [](Algebra& algebra, Setting& setting) {
    const Twin twin = setting.number(2);
    const Atom k = setting.variables()[2];
    const Substitution by = {{k, *k->last - Number(k)}};
    const Number there = algebra.substituted(twin.number, by);
    CHECK(first_fault(setting, [&](const Assignment& v) {
            Assignment other = v;
            other[k] = evaluate(by.at(k), v);
            return evaluate(there, v) == twin.plain(other);
          }) == "");
  });
}

// Each number is inside the next one three times: 60 of them are 3^60 parts, if they are not shared.
TEST_CASE("what is inside a number many times is put in once, and a text of it ends") {
  Algebra algebra;
  algebra.compare_by_bounds(false);
  const Atom k = algebra.variable("k", Number(0), std::nullopt);
  const Atom j = algebra.variable("j", Number(0), std::nullopt);
  Number x(k);
  for (int i = 1; i <= 60; ++i)
    x = algebra.choice(algebra.at_most(x, Number(j) * Number(i)), x + Number(1), x + Number(j));
  const Number there = algebra.substituted(x, {{k, Number(j)}});
  Variables found;
  collect_variables(there, found);
  CHECK(found == Variables{j});
  CHECK(to_string(x).find("…") != std::string::npos);
  CHECK(to_string(x).size() < 10'000);
  CHECK(to_string(algebra.at_most(x, Number(j))).size() < 10'000);
}

TEST_CASE("closed sums are sums") {
  many(60, [](Algebra& algebra, Setting& setting) {
    const Twin twin = setting.number(1);
    const Atom k = setting.variables()[2];
    const auto sum = closed_sum(algebra, twin.number, k, *k->first, *k->last);
    if (!sum) return;
    CAPTURE(to_string(twin.number));
    CHECK(first_fault(setting, [&](const Assignment& v) {
            Integer plain = 0;
            Assignment each = v;
            for (Integer x = evaluate(*k->first, v); x <= evaluate(*k->last, v); ++x) {
              each[k] = x;
              plain += twin.plain(each);
            }
            return evaluate(*sum, v) == plain;
          }) == "");
  });
}

TEST_CASE("what is the same in both is left out of an equality of bits") {
  Algebra algebra;
  algebra.compare_by_bounds(false);
  const auto bitwise = [&](const Number& x, const Number& y) { return algebra.bitwise(AtomKind::bit_xor, x, y); };
  const Atom L = algebra.variable("L", Number(2), Number(4));
  const Number n = power_of_two(Number(L));
  const Number quarter = n * Number(Rational(1, 4));
  const Atom k = algebra.variable("k", Number(0), n - Number(1));
  const Atom l = algebra.variable("l", Number(0), quarter - Number(1));
  const Atom m = algebra.variable("m", Number(0), quarter + quarter - Number(1));
  const std::vector<Number> others = {quarter + Number(l),
                                      quarter * Number(3) + Number(l),
                                      quarter + Number(m),
                                      Number(m),
                                      Number(l),
                                      quarter,
                                      Number(3) * Number(l) + quarter};
  for (const Number& x : others) {
    for (const Number& y : others) {
      const Number a = bitwise(Number(k), x);
      const Number b = bitwise(Number(k), algebra.substituted(y, {{l, Number(m)}, {m, Number(l)}}));
      CAPTURE(to_string(a));
      CAPTURE(to_string(b));
      const Formula same = algebra.equal(a, b);
      Assignment values;
      CHECK(for_each_value({L, k, l, m}, values,
                           [&] { return evaluate(same, values) == (evaluate(a, values) == evaluate(b, values)); }));
    }
  }
}

TEST_CASE("Z3 says proved if nothing speaks against it, and its counterexamples are some") {
  int proved = 0;
  int refuted = 0;
  const Limits limits;
  Watch watch(limits);
  many(60, [&](Algebra& algebra, Setting& setting) {
    const TwinFormula given = setting.formula(0);
    const TwinFormula must = setting.formula(1);
    Obligation obligation;
    obligation.scope = setting.variables();
    obligation.given = given.formula;
    obligation.must = must.formula;
    CAPTURE(to_string(given.formula));
    CAPTURE(to_string(must.formula));
    const Decision decision = decide(algebra, obligation, {}, {watch, default_effort});
    const auto right = [&](const Assignment& v) { return !given.plain(v) || must.plain(v); };
    if (decision.verdict == ProofVerdict::proved) {
      ++proved;
      CHECK(first_fault(setting, right) == "");
    } else if (decision.verdict == ProofVerdict::refuted) {
      ++refuted;
      CHECK_FALSE(right(decision.counterexample));
    } else {
      CHECK(decision.reason != Reason::none);
      CHECK_FALSE(decision.why.empty());
    }
  });
  CHECK(proved > 5);
  CHECK(refuted > 5);
}

}  // namespace
}  // namespace quadrille::prover
