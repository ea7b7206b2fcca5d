// Idea: what a schedule's steps depend on is a distance of two processors: around a ring, in a row, in binary digits.
// The language has the distances of any two of the relation's numbers of one range (and the root), as they are, halved,
// and as numbers of digits; and comparisons of these with one another.
//
//   k, x of a ring of N:  k - x (+ N if that is negative), x - k (+ N …), |k - x|, k xor x, their lengths and halves
//
// Cost: some 200 numbers and 2000 truths, each with a value for each entry.
#include "verifier/prover/relation/columns.h"

#include <algorithm>
#include <bit>
#include <set>

#include "verifier/prover/problem/sampling.h"

namespace quadrille::prover {
namespace {

constexpr std::size_t most_tests = 2500;

std::int64_t length_of(std::int64_t x) {
  return x <= 0 ? 0 : static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(x)));
}

class Language {
 public:
  Language(const Writing& writing, const Relation& relation, const std::vector<Assignment>& sizes,
           const std::vector<const ArrivedItem*>& entries, bool with_digits)
      : algebra_(writing.algebra),
        problem_(writing.problem),
        relation_(relation),
        sizes_(sizes),
        entries_(entries),
        with_digits_(with_digits) {}

  GuessLanguage all() {
    add_sizes();
    add_numbers();
    add_distances();
    add_tests();
    return std::move(result_);
  }

 private:
  // A number below `size` that a distance may begin or end with.
  struct DistanceEnd {
    GuessColumn column;
    Number size;
  };

  template <class Value>
  GuessColumn column(Number number, const Value& value) const {
    GuessColumn result{std::move(number), {}};
    result.values.reserve(entries_.size());
    for (std::size_t i = 0; i < entries_.size(); ++i) result.values.push_back(value(i));
    return result;
  }

  // Of the parameters alone.
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

  void add_sizes() {
    for (const Atom parameter : open_parameters(problem_)) add_size(Number(parameter));
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
    places_.push_back({std::move(it), size});
  }

  void add_numbers() {
    std::size_t at = 0;
    for (const RelationIndex* index : {&relation_.holder, &relation_.origin,
                                       relation_.addressee ? &*relation_.addressee : nullptr, &relation_.part}) {
      if (index == nullptr) continue;
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

  // The whole number of several digits.
  void add_whole(const RelationIndex& index, std::size_t first) {
    std::vector<GuessColumn> ranges;
    for (const Atom digit : index.digits) ranges.push_back(of_size(*digit->last + Number(1)));
    add_place(column(index.number,
                     [&](std::size_t i) {
                       std::int64_t value = 0;
                       for (std::size_t j = 0; j < ranges.size(); ++j)
                         value = value * ranges[j].values[i] + entries_[i]->digits[first + j];
                       return value;
                     }),
              problem_.processors);
  }

  void add_distances() {
    const std::size_t places = places_.size();
    for (std::size_t a = 0; a < places; ++a) {
      add_lengths(places_[a].column);
      add_lowest(places_[a].column, places_[a].size);
      add_level(places_[a].column);
      for (std::size_t b = 0; b < places; ++b) {
        if (a != b && places_[a].size == places_[b].size) add_between(places_[a], places_[b], a < b);
      }
      simple_.push_back(places_[a].column);
    }
  }

  void add_between(const DistanceEnd& a, const DistanceEnd& b, bool once) {
    const auto& x = a.column;
    const auto& y = b.column;
    const GuessColumn size = of_size(a.size);
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
    if (!with_digits_) return;
    GuessColumn digits = column(algebra_.bitwise(AtomKind::bit_xor, x.number, y.number),
                                [&](std::size_t i) { return x.values[i] ^ y.values[i]; });
    result_.distances.push_back(digits);
    add_lengths(digits);
    simple_.push_back(column(algebra_.bits(digits.number), [&](std::size_t i) { return length_of(digits.values[i]); }));
    add_lowest(digits, a.size);
    simple_.push_back(std::move(digits));
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
    into.push_back(half(length, 1));  // of pairs of digits
    into.push_back(std::move(length));
  }

  // The place of the lowest digit that is 1, from 1 on; 0 for 0: the length of x and (m - x), for a power of two m
  // above x.
  void add_lowest(const GuessColumn& x, const Number& size) {
    if (!with_digits_) return;
    const auto most = algebra_.upper(size);
    Number power = size;
    if (!exponent_of(size)) {
      power = Number(1);
      while (most && power.constant() < *most) power = power * Number(2);
      if (!most) power = power_of_two(algebra_.bits(size - Number(1)));
    }
    GuessColumn lowest = column(algebra_.bits(algebra_.bitwise(AtomKind::bit_and, x.number, power - x.number)),
                                [&](std::size_t i) { return length_of(x.values[i] & -x.values[i]); });
    result_.distances.push_back(lowest);
    result_.distances.push_back(column(algebra_.divide(lowest.number + Number(1), Number(2)),
                                       [&](std::size_t i) { return (lowest.values[i] + 1) / 2; }));
    simple_.push_back(std::move(lowest));
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
  void add_test(Formula formula, const Holds& holds) {
    if (result_.tests.size() >= most_tests) return;
    GuessTest test{formula, std::vector<std::uint8_t>(entries_.size())};
    for (std::size_t i = 0; i < entries_.size(); ++i) test.holds[i] = holds(i) ? 1 : 0;
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
    const std::size_t places = places_.size();
    for (std::size_t a = 0; a < places; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (places_[a].size == places_[b].size) compare(places_[b].column, places_[a].column, false);
      }
    }
    for (const DistanceEnd& a : places_) {
      for (const DistanceEnd& b : places_) {
        if (with_digits_ && &a != &b && a.size == b.size) add_below(a.column, b.column);
      }
    }
    std::vector<GuessColumn> constants;
    for (const int value : {0, 1}) constants.push_back(column(Number(value), [&](std::size_t) { return value; }));
    for (const DistanceEnd& each : places_) {
      const GuessColumn last = of_size(each.size - Number(1));
      compare(each.column, constants[0], false);
      compare(each.column, last, false);
      const auto& values = each.column.values;
      add_test(algebra_.equal(algebra_.remainder(each.column.number, Number(2)), Number(0)),
               [&](std::size_t i) { return values[i] % 2 == 0; });
    }
    for (const bool smaller : {true, false}) {
      for (std::size_t a = 0; a < simple_.size(); ++a) {
        for (const GuessColumn& size : result_.sizes) {
          compare(simple_[a], size, smaller);
          if (smaller) compare(size, simple_[a], true);
        }
        compare(simple_[a], constants[1], smaller);
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
  std::vector<DistanceEnd> places_;
  std::vector<GuessColumn> simple_;  // what is compared
  std::set<std::vector<std::uint8_t>> seen_;
  GuessLanguage result_;
};

}  // namespace

GuessLanguage guess_language(const Writing& writing, const Relation& relation, const std::vector<Assignment>& sizes,
                             const std::vector<const ArrivedItem*>& entries, bool with_digits) {
  return Language(writing, relation, sizes, entries, with_digits).all();
}

}  // namespace quadrille::prover
