// Idea: what a schedule's steps depend on is a distance of two processors: around a ring, in a row, in binary digits.
// The language has the distances of any two of the relation's numbers of one range (and the root), as they are, halved,
// and as numbers of digits, of those to another base, too, if the schedule raises it; and comparisons of these with one
// another. Of the values of a send that brings something, digits at the place that the send is about may be put in.
//
//   k, x of a ring of N:  k - x (+ N if that is negative), x - k (+ N …), |k - x|, k xor x, their lengths and halves
//
// Cost: some 200 numbers and 2000 truths, each with a value for each entry.
#include "verifier/prover/relation/columns.h"

#include <algorithm>
#include <bit>
#include <set>

#include "verifier/prover/problem/problem.h"

namespace quadrille::prover {
namespace {

constexpr std::size_t most_tests = 2500;
constexpr std::int64_t largest_power = std::int64_t{1} << 31;  // above all entries

std::int64_t length_of(std::int64_t x) {
  return x <= 0 ? 0 : static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(x)));
}

// Whether there is a product of variables, as in a row's and a column's number together.
bool has_product(Formula f);
bool has_product(const Number& x) {
  const auto product = [](const auto& term) { return term.first.powers.size() > 1; };
  return std::ranges::any_of(x.terms(), product) || std::ranges::any_of(factors_of(x), [](Atom atom) {
           return (atom->condition != nullptr && has_product(atom->condition)) ||
                  std::ranges::any_of(atom->operands, [](const Number& each) { return has_product(each); });
         });
}
bool has_product(Formula f) {
  return has_product(f->operand) || std::ranges::any_of(f->parts, [](Formula part) { return has_product(part); });
}

// Divisors of remainders, and choices, in a schedule's own numbers.
class OwnNumbers {
 public:
  void add(const Family& family) {
    for (const Number* each : {&family.start, &family.source, &family.target, &family.origin, &family.part}) add(*each);
  }

  std::set<Number> divisors, choices;

 private:
  void add(const Number& x) {
    for (const Atom atom : factors_of(x)) add(atom);
  }

  void add(Atom atom) {
    if (!seen_.insert(atom).second) return;
    if (atom->kind == AtomKind::remainder) divisors.insert(atom->operands[1]);
    if (atom->kind == AtomKind::choice) choices.insert(Number(atom));
    for (const Number& operand : atom->operands) add(operand);
  }

  Variables seen_;
};

class Language {
 public:
  Language(const Writing& writing, const Relation& relation, const std::vector<Assignment>& sizes,
           const std::vector<const ArrivedItem*>& entries, bool with_digits)
      : algebra_(writing.algebra),
        problem_(writing.problem),
        relation_(relation),
        sizes_(sizes),
        entries_(entries),
        with_digits_(with_digits) {
    for (const Family& family : problem_.families) {
      for (const DigitPlace& each : digit_places(family)) add_base(each.base);
      own_.add(family);
    }
  }

  GuessLanguage all() {
    add_sizes();
    add_numbers();
    add_folded();
    add_distances();
    add_tests();
    auto& tests = result_.tests;
    const auto products = std::stable_partition(tests.begin(), tests.end(),
                                                [](const GuessTest& test) { return !has_product(test.formula); });
    result_.plain_tests = static_cast<std::size_t>(products - tests.begin());
    return std::move(result_);
  }

 private:
  void add_base(const Number& base) {
    const auto digits = exponent_of(base);
    if (digits && digits->constant()) {
      together_.insert(static_cast<int>(numerator(*digits->constant())));
    } else {
      bases_.insert(base);
    }
  }

  template <class Value>
  GuessColumn column(Number number, const Value& value) const {
    GuessColumn result{std::move(number), {}};
    result.values.reserve(entries_.size());
    for (std::size_t i = 0; i < entries_.size(); ++i) result.values.push_back(value(i));
    return result;
  }

  // A column that depends on the parameters alone.
  GuessColumn of_size(const Number& number) const {
    std::vector<std::int64_t> each;
    for (const Assignment& size : sizes_) each.push_back(static_cast<std::int64_t>(evaluate(number, size)));
    return column(number, [&](std::size_t i) { return each[entries_[i]->size]; });
  }

  void add_size(const Number& number) {
    if (number.constant() || sizes_.size() < 2) return;
    GuessColumn added = of_size(number);
    const bool known = std::ranges::any_of(result_.sizes, [&](const auto& it) { return it.values == added.values; });
    if (!known) result_.sizes.push_back(std::move(added));
  }

  // Whether it depends on the parameters alone, and on some of them.
  bool of_parameters(const Number& x) const {
    const std::vector<Atom> parameters = open_parameters(problem_);
    const Variables inside = variables_in(x);
    return !inside.empty() &&
           std::ranges::all_of(inside, [&](Atom each) { return std::ranges::count(parameters, each) > 0; });
  }

  void add_sizes() {
    for (const Atom parameter : open_parameters(problem_)) add_size(Number(parameter));
    for (const Number& each : own_.choices) {
      if (of_parameters(each)) add_size(each);
    }
    std::vector<Number> ranges = problem_.extents;
    ranges.push_back(problem_.processors);
    ranges.push_back(problem_.collective.parts);
    for (const Number& n : ranges) {
      if (n.constant()) continue;
      add_size(n);
      add_size(algebra_.divide(n, Number(2)));
      add_size(algebra_.divide(n - Number(1), Number(2)));
      if (!with_digits_) continue;
      add_size(algebra_.bits(n - Number(1)));
      add_size(algebra_.bits(n));
      try {
        const Number power = power_of_two(algebra_.bits(n) - Number(1));  // the largest up to n
        add_size(power);
        add_size(n - power);
        add_size(Number(2) * (n - power));
      } catch (const Unsupported&) {  // no such number in the algebra
      }
    }
  }

  void add_place(GuessColumn it, const Number& size) {
    result_.distances.push_back(it);
    result_.ends.push_back({std::move(it), size});
  }

  void add_numbers() {
    std::size_t at = 0;
    for (const NumberInDigits* index : relation_.numbers()) {
      const std::size_t first = at;
      for (const Atom digit : index->digits) {
        add_place(column(Number(digit), [&, at](std::size_t i) { return entries_[i]->digits[at]; }),
                  *digit->last + Number(1));
        ++at;
      }
      if (index->digits.size() > 1) add_whole(*index, first);
    }
    const auto& parameters = problem_.collective.parameters;
    if (parameters.size() > 1 && !parameters[1].constant()) add_place(of_size(parameters[1]), problem_.processors);
  }

  // Numbers modulo what the schedule itself folds processors by, which is of the parameters: k mod 3^d.
  void add_folded() {
    const std::vector<DistanceEnd> whole = result_.ends;
    for (const Number& by : own_.divisors) {
      if (!of_parameters(by) || by == problem_.processors || std::ranges::count(problem_.extents, by) > 0) continue;
      const GuessColumn divisor = of_size(by);
      if (std::ranges::any_of(divisor.values, [](std::int64_t value) { return value < 1; })) continue;
      add_size(by);
      for (const DistanceEnd& each : whole) {
        const auto& x = each.column;
        if (!(each.size == problem_.processors)) continue;
        add_place(
            column(algebra_.remainder(x.number, by), [&](std::size_t i) { return x.values[i] % divisor.values[i]; }),
            by);
      }
    }
  }

  // The whole number of several digits.
  void add_whole(const NumberInDigits& index, std::size_t first) {
    std::vector<GuessColumn> ranges;
    Number size(1);
    for (const Atom digit : index.digits) {
      ranges.push_back(of_size(*digit->last + Number(1)));
      size = size * ranges.back().number;
    }
    add_place(column(index.number,
                     [&](std::size_t i) {
                       std::int64_t value = 0;
                       for (std::size_t j = 0; j < ranges.size(); ++j)
                         value = value * ranges[j].values[i] + entries_[i]->digits[first + j];
                       return value;
                     }),
              size);
  }

  void add_distances() {
    const std::size_t places = result_.ends.size();
    for (std::size_t a = 0; a < places; ++a) {
      add_lengths(result_.ends[a].column);
      add_lowest_of_end(result_.ends[a]);
      add_level(result_.ends[a].column);
      for (const Number& base : bases_) {
        if (with_digits_) add_lowest_to_base(result_.ends[a].column, base, result_.ends[a].size);
      }
      for (std::size_t b = 0; b < places; ++b) {
        if (a != b && result_.ends[a].size == result_.ends[b].size)
          add_between(result_.ends[a], result_.ends[b], a < b);
      }
      simple_.push_back(result_.ends[a].column);
    }
  }

  void add_between(const DistanceEnd& a, const DistanceEnd& b, bool once) {
    const auto& x = a.column;
    const auto& y = b.column;
    const GuessColumn size = of_size(a.size);
    if (with_digits_ && once) add_digits_between(x, y, a.size);
    for (const Number& base : bases_) {
      if (with_digits_ && once) add_differing(x, y, base, a.size);
    }
    const Number difference = x.number - y.number;
    const auto minus = [&](std::size_t i) { return x.values[i] - y.values[i]; };
    GuessColumn around = column(algebra_.choice(algebra_.at_least_zero(difference), difference, difference + a.size),
                                [&](std::size_t i) { return minus(i) >= 0 ? minus(i) : minus(i) + size.values[i]; });
    result_.distances.push_back(around);
    add_lengths(around);
    add_lowest(around, a.size);
    simple_.push_back(std::move(around));
    if (!once) return;
    const Number both = x.number + y.number;
    result_.distances.push_back(
        column(algebra_.choice(algebra_.less(both, a.size), both, both - a.size), [&](std::size_t i) {
          const std::int64_t sum = x.values[i] + y.values[i];
          return sum < size.values[i] ? sum : sum - size.values[i];
        }));
    GuessColumn apart = column(algebra_.choice(algebra_.at_least_zero(difference), difference, -difference),
                               [&](std::size_t i) { return std::abs(minus(i)); });
    result_.distances.push_back(apart);
    add_lengths(apart);
    simple_.push_back(column(difference, minus));
    simple_.push_back(std::move(apart));
  }

  // Before distances, which have the same lowest digits where sizes are powers of two.
  void add_digits_between(const GuessColumn& x, const GuessColumn& y, const Number& size) {
    GuessColumn digits = column(algebra_.bitwise(AtomKind::bit_xor, x.number, y.number),
                                [&](std::size_t i) { return x.values[i] ^ y.values[i]; });
    add_lowest(digits, size);
    result_.distances.push_back(digits);
    add_lengths(digits);
    compare_digits(column(algebra_.bits(digits.number), [&](std::size_t i) { return length_of(digits.values[i]); }));
    simple_.push_back(std::move(digits));
  }

  // The place of the highest digit to that base in which x and y differ, from 1 on: how many powers divide them
  // differently.
  void add_differing(const GuessColumn& x, const GuessColumn& y, const Number& base, const Number& size) {
    add_powers(
        base, size,
        [&](const Number& power) {
          return algebra_.negation(algebra_.equal(algebra_.divide(x.number, power), algebra_.divide(y.number, power)));
        },
        [&](std::size_t i, std::int64_t power) { return x.values[i] / power != y.values[i] / power; });
  }

  // The place of the lowest digit to that base that is not 0, from 1 on: by how many powers x can be divided.
  void add_lowest_to_base(const GuessColumn& x, const Number& base, const Number& size) {
    add_powers(
        base, size, [&](const Number& power) { return algebra_.equal(algebra_.remainder(x.number, power), Number(0)); },
        [&](std::size_t i, std::int64_t power) { return x.values[i] % power == 0; });
  }

  // How many of the powers of the base below the size, from 1 on, have the property.
  template <class Property, class Holds>
  void add_powers(const Number& base, const Number& size, const Property& property, const Holds& holds) {
    // A folded number is below the number of processors, too.
    const auto most = algebra_.upper(own_.divisors.count(size) > 0 ? problem_.processors : size);
    const auto least = algebra_.lower(base);
    if (!most || !least || *least < 2) return;
    GuessColumn place = column(Number(0), [](std::size_t) { return 0; });
    GuessColumn power = column(Number(1), [](std::size_t) { return 1; });
    const GuessColumn bases = of_size(base);
    for (Rational smallest = 1; smallest < *most; smallest *= *least) {
      place.number = place.number + algebra_.choice(property(power.number), Number(1), Number(0));
      power.number = power.number * base;
      for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (holds(i, power.values[i])) ++place.values[i];
        power.values[i] = std::min(power.values[i] * bases.values[i], largest_power);
      }
    }
    result_.distances.push_back(place);
    simple_.push_back(std::move(place));
  }

  // Numbers of digits, and halves.
  void add_lengths(const GuessColumn& x) {
    auto& into = result_.distances;
    const auto half = [&](const GuessColumn& of, int more) {
      return column(algebra_.divide(of.number + Number(more), Number(2)),
                    [&](std::size_t i) { return (of.values[i] + more) / 2; });
    };
    into.push_back(half(x, 0));
    into.push_back(half(x, 1));
    if (!with_digits_) return;
    GuessColumn length = column(algebra_.bits(x.number), [&](std::size_t i) { return length_of(x.values[i]); });
    into.push_back(in_digits(length, 2));
    for (const int together : together_) {
      if (together > 2) into.push_back(in_digits(length, together));
    }
    into.push_back(std::move(length));
  }

  // A power of two that is not below the size.
  Number power_above(const Number& size) {
    if (exponent_of(size)) return size;
    const auto most = algebra_.upper(size);
    if (!most) return power_of_two(algebra_.bits(size - Number(1)));
    Number power(1);
    while (power.constant() < *most) power = power * Number(2);
    return power;
  }

  // The place of the lowest digit that is 1, from 1 on; 0 for 0: the length of x and (m - x), for a power of two m
  // above x.
  GuessColumn lowest(const GuessColumn& x, const Number& size) {
    GuessColumn lowest =
        column(algebra_.bits(algebra_.bitwise(AtomKind::bit_and, x.number, power_above(size) - x.number)),
               [&](std::size_t i) { return length_of(x.values[i] & -x.values[i]); });
    result_.distances.push_back(lowest);
    result_.distances.push_back(in_digits(lowest, 2));
    return lowest;
  }

  void add_lowest(const GuessColumn& x, const Number& size) {
    if (with_digits_) compare_digits(lowest(x, size));
  }

  // Compares the lowest digit of m + x for an end x: the root 0 of a binomial tree has more children than any.
  void add_lowest_of_end(const DistanceEnd& end) {
    if (!with_digits_) return;
    const Number power = power_above(end.size);
    const GuessColumn powers = of_size(power);
    const GuessColumn own = lowest(end.column, end.size);
    const Number& x = end.column.number;
    compare_digits(column(algebra_.bits(algebra_.bitwise(AtomKind::bit_and, power + x, power - x)), [&](std::size_t i) {
      return end.column.values[i] == 0 ? length_of(powers.values[i]) : own.values[i];
    }));
    add_lowest_after(end);
  }

  // The lowest digit of x + 1: x is the last of a block of that many digits.
  void add_lowest_after(const DistanceEnd& end) {
    const GuessColumn next =
        column(end.column.number + Number(1), [&](std::size_t i) { return end.column.values[i] + 1; });
    add_lowest(next, Number(2) * power_above(end.size));
  }

  // A number of binary digits, as one of larger digits.
  GuessColumn in_digits(const GuessColumn& x, int together) {
    return column(algebra_.divide(x.number + Number(together - 1), Number(together)),
                  [&](std::size_t i) { return (x.values[i] + together - 1) / together; });
  }

  // Adds a number of digits to what is compared, also of the schedule's own digits.
  void compare_digits(GuessColumn x) {
    for (const int together : together_) {
      if (together > 1) simple_.push_back(in_digits(x, together));
    }
    simple_.push_back(std::move(x));
  }

  // The level of x in a heap: the root 0 has level 1, and the children of x are 2x + 1 and 2x + 2.
  void add_level(const GuessColumn& x) {
    if (!with_digits_) return;
    GuessColumn level =
        column(algebra_.bits(x.number + Number(1)), [&](std::size_t i) { return length_of(x.values[i] + 1); });
    result_.distances.push_back(level);
    simple_.push_back(std::move(level));
  }

  // Whether y is x or below it in a heap.
  void add_below(const GuessColumn& x, const GuessColumn& y) {
    const Number levels =
        algebra_.greatest(algebra_.bits(y.number + Number(1)) - algebra_.bits(x.number + Number(1)), Number(0));
    add_test(algebra_.equal(algebra_.divide(y.number + Number(1), power_of_two(levels)), x.number + Number(1)),
             [&](std::size_t i) {
               const std::int64_t above = length_of(y.values[i] + 1) - length_of(x.values[i] + 1);
               return (y.values[i] + 1) >> std::max<std::int64_t>(above, 0) == x.values[i] + 1;
             });
  }

  template <class Holds>
  GuessTest test_of(Formula formula, const Holds& holds) const {
    GuessTest test{formula, std::vector<std::uint8_t>(entries_.size())};
    for (std::size_t i = 0; i < entries_.size(); ++i) test.holds[i] = holds(i) ? 1 : 0;
    return test;
  }

  template <class Holds>
  void add_test(Formula formula, const Holds& holds) {
    if (result_.tests.size() >= most_tests) return;
    GuessTest test = test_of(formula, holds);
    const bool first = test.holds.empty() || test.holds[0] != 0;
    std::vector<std::uint8_t> key = test.holds;
    if (!first) {
      for (auto& each : key) each = each != 0 ? 0 : 1;
    }
    if (!seen_.insert(std::move(key)).second) return;
    result_.tests.push_back(std::move(test));
  }

  void compare(const GuessColumn& a, const GuessColumn& b, bool smaller) {
    if (!smaller)
      add_test(algebra_.equal(a.number, b.number), [&](std::size_t i) { return a.values[i] == b.values[i]; });
    else
      add_test(algebra_.less(a.number, b.number), [&](std::size_t i) { return a.values[i] < b.values[i]; });
  }

  void add_tests() {
    const std::size_t places = result_.ends.size();
    for (std::size_t a = 0; a < places; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (result_.ends[a].size == result_.ends[b].size)
          compare(result_.ends[b].column, result_.ends[a].column, false);
      }
    }
    for (const DistanceEnd& a : result_.ends) {
      for (const DistanceEnd& b : result_.ends) {
        if (with_digits_ && &a != &b && a.size == b.size) add_below(a.column, b.column);
      }
    }
    std::vector<GuessColumn> constants;
    for (const int value : {0, 1}) constants.push_back(column(Number(value), [&](std::size_t) { return value; }));
    for (const DistanceEnd& each : result_.ends) {
      const GuessColumn last = of_size(each.size - Number(1));
      compare(each.column, constants[0], false);
      compare(each.column, last, false);
      const auto& values = each.column.values;
      const Formula even = algebra_.equal(algebra_.remainder(each.column.number, Number(2)), Number(0));
      const auto is_even = [&](std::size_t i) { return values[i] % 2 == 0; };
      add_test(even, is_even);
      const auto digit = each.column.number.atom();
      if (digit && std::ranges::count(relation_.part.digits, *digit) > 0)
        result_.halves.push_back(test_of(even, is_even));
    }
    for (const bool smaller : {true, false}) {
      for (std::size_t a = 0; a < simple_.size(); ++a) {
        for (const GuessColumn& size : result_.sizes) {
          compare(simple_[a], size, smaller);
          if (smaller) compare(size, simple_[a], true);
        }
        for (const GuessColumn& constant : constants) compare(simple_[a], constant, smaller);
      }
      for (std::size_t a = 0; a < simple_.size(); ++a) {
        for (std::size_t b = 0; b < simple_.size(); ++b) {
          if (a != b && (smaller || a < b)) compare(simple_[a], simple_[b], smaller);
        }
      }
    }
  }

  Algebra& algebra_;
  const Problem& problem_;
  const Relation& relation_;
  const std::vector<Assignment>& sizes_;
  const std::vector<const ArrivedItem*>& entries_;
  bool with_digits_;
  std::set<int> together_;  // binary digits of a digit, in the schedule's own powers
  std::set<Number> bases_;  // other bases of these
  OwnNumbers own_;
  std::vector<GuessColumn> simple_;  // what is compared
  std::set<std::vector<std::uint8_t>> seen_;
  GuessLanguage result_;
};

// The number of binary digits that go together by an exponent of two: two, for 2*i.
int digits_together(const Number& raised, const Variables& own) {
  constexpr int most = 6;
  for (const Atom variable : own) {
    Monomial alone;
    alone.powers[variable] = 1;
    const auto term = raised.terms().find(alone);
    if (term == raised.terms().end()) continue;
    const Rational times = abs(term->second);
    if (times <= most && denominator(times) == 1) return static_cast<int>(numerator(times));
  }
  return 1;
}

class DigitPlaces {
 public:
  explicit DigitPlaces(const Family& family) {
    const std::vector<Atom> own = delivery_variables(family);
    own_.insert(own.begin(), own.end());
    for (const Number* each : {&family.source, &family.target, &family.origin, &family.part}) add(*each);
    if (family.addressee) add(*family.addressee);
    for (const Formula each : {family.given, family.destinations_given, family.chunks_given}) add(each);
  }

  std::set<DigitPlace> all() { return std::move(found_); }

 private:
  void add(Formula f) {
    if (f == nullptr) return;
    add(f->operand);
    for (const Formula part : f->parts) add(part);
  }

  void add(const Number& x) {
    for (const auto& [monomial, factor] : x.terms()) {
      for (const auto& [atom, power] : monomial.powers) add(atom);
      const Number exponent = exponent_of(monomial);
      if (depends(exponent)) found_.insert({power_of_two(exponent), Number(1 << digits_together(exponent, own_))});
    }
  }

  void add(Atom atom) {
    if (!seen_.insert(atom).second) return;
    if (atom->kind == AtomKind::power && depends(atom->operands[1]) && !depends(atom->operands[0]))
      found_.insert({Number(atom), atom->operands[0]});
    for (const Number& operand : atom->operands) add(operand);
    add(atom->condition);
  }

  bool depends(const Number& x) const {
    const Variables inside = variables_in(x);
    return std::ranges::any_of(inside, [&](Atom each) { return own_.count(each) > 0; });
  }

  Variables own_, seen_;
  std::set<DigitPlace> found_;
};

}  // namespace

std::set<DigitPlace> digit_places(const Family& family) { return DigitPlaces(family).all(); }

std::vector<GuessColumn> columns_at_digit(Algebra& algebra, const std::vector<DistanceEnd>& ends,
                                          const GuessColumn& powers, const GuessColumn& bases) {
  const Number& power = powers.number;
  std::vector<GuessColumn> result = {powers};
  const auto add = [&](const Number& number, const auto& value) {
    result.push_back({number, {}});
    for (std::size_t i = 0; i < powers.values.size(); ++i) result.back().values.push_back(value(i));
  };
  const auto digit = [&](const DistanceEnd& end) {
    return algebra.remainder(algebra.divide(end.column.number, power), bases.number);
  };
  const auto digit_at = [&](const DistanceEnd& end, std::size_t i) {
    return end.column.values[i] / powers.values[i] % bases.values[i];
  };
  for (const DistanceEnd& end : ends) {
    const auto& x = end.column;
    const Number below = algebra.remainder(x.number, power);
    add(digit(end), [&](std::size_t i) { return digit_at(end, i); });
    add(algebra.divide(x.number, power * bases.number),
        [&](std::size_t i) { return x.values[i] / powers.values[i] / bases.values[i]; });
    add(below, [&](std::size_t i) { return x.values[i] % powers.values[i]; });
    add(x.number - below, [&](std::size_t i) { return x.values[i] - x.values[i] % powers.values[i]; });
    for (const DistanceEnd& other : ends) {
      if (&other == &end || !(other.size == end.size)) continue;
      add(x.number + (digit(other) - digit(end)) * power,
          [&](std::size_t i) { return x.values[i] + (digit_at(other, i) - digit_at(end, i)) * powers.values[i]; });
    }
  }
  return result;
}

GuessLanguage guess_language(const Writing& writing, const Relation& relation, const std::vector<Assignment>& sizes,
                             const std::vector<const ArrivedItem*>& entries, bool with_digits) {
  return Language(writing, relation, sizes, entries, with_digits).all();
}

}  // namespace quadrille::prover
