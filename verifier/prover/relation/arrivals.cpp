// Idea: all sends of a size are listed by their loops and taken in the order of their arrivals. What a send carries is
// what its source has before it leaves, or the packet that it names. Joins are taken to be right: an item that comes
// again changes nothing.
//
// Example: on a ring of 3, "for k in processors: at 1: send k -> (k + 1) mod 3": 1 has the packet of 0 in step 1.
//
// Cost: at most `most_deliveries` deliveries and `most_entries_of_size` entries of a size; some `most_small_sizes`
// sizes.
#include <algorithm>
#include <random>

#include "verifier/prover/problem/problem.h"
#include "verifier/prover/relation/columns.h"

namespace quadrille::prover {
namespace {

constexpr std::size_t most_deliveries = 4000;       // of a size
constexpr std::size_t most_entries_of_size = 5000;  // of a size
constexpr std::size_t most_of_large_size = 1000;    // entries; of 100'000, with 10'000 deliveries
constexpr std::size_t most_of_all = 24'000;         // entries
constexpr std::size_t most_small_sizes = 22;
constexpr std::uint64_t seed = 20261130;

std::int64_t small(const Integer& x) { return static_cast<std::int64_t>(x); }

struct SmallDelivery {
  std::size_t family = 0;
  std::int64_t start = 0, arrival = 0, source = 0, target = 0, origin = 0, addressee = 0, part = 0;
  std::vector<std::int64_t> values;
};

class OneSize {
 public:
  // `large_sizes`: also such with more entries than are listed; then some of them are, at random.
  OneSize(const Writing& writing, const Relation& relation, const std::vector<Number>& starts, const Assignment& size,
          bool large_sizes)
      : algebra_(writing.algebra), problem_(writing.problem), relation_(relation), starts_(starts), size_(size) {
    const Integer n = evaluate(problem_.processors, size);
    const Integer parts = evaluate(problem_.collective.parts, size);
    const Integer entries = n * n * parts * (relation.addressee ? n : Integer(1));
    large_ = entries > most_entries_of_size;
    if (n < 1 || parts < 1 || entries > (large_sizes ? 100'000 : most_entries_of_size)) return;
    n_ = small(n);
    parts_ = small(parts);
    addressees_ = relation.addressee ? n_ : 1;
  }

  // Appends the size's entries. False if it is too large, or the schedule is wrong there.
  bool append(std::size_t number, std::vector<ArrivedItem>& entries) {
    if (n_ == 0) return false;
    items();
    if (!deliveries()) return false;
    state_.assign(static_cast<std::size_t>(n_ * n_ * addressees_ * parts_), {});
    for (const Item& each : items_) state(each.origin, each).step = 0;
    for (const SmallDelivery& each : all_) {
      if (!deliver(each)) return false;
    }
    if (large_) {
      append_some(number, entries);
      return true;
    }
    for (const Item& each : items_) {
      for (std::int64_t k = 0; k < n_; ++k) entries.push_back(entry(number, k, each));
    }
    return true;
  }

  bool wrong() const { return wrong_; }

 private:
  struct Item {
    std::int64_t origin, addressee, part;
  };
  struct State {
    std::optional<std::int64_t> step;
    const SmallDelivery* by = nullptr;
  };

  void append_some(std::size_t number, std::vector<ArrivedItem>& entries) {
    std::mt19937_64 random(seed);
    for (std::size_t i = 0; i < most_of_large_size; ++i) {
      const Item& item = items_[random() % items_.size()];
      entries.push_back(entry(number, static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n_)), item));
    }
  }

  State& state(std::int64_t holder, const Item& item) {
    return state_[static_cast<std::size_t>(((holder * n_ + item.origin) * addressees_ + item.addressee) * parts_ +
                                           item.part)];
  }

  void items() {
    const Atom x = algebra_.variable("x", Number(0), std::nullopt);
    const Atom d = algebra_.variable("d", Number(0), std::nullopt);
    const bool targets = relation_.addressee.has_value();
    const RelationItem any{Number(x), Number(x), targets ? std::optional(Number(d)) : std::nullopt, Number(0)};
    const Formula exists = item_exists(algebra_, problem_, any);
    Assignment values = size_;
    for (Item item{0, 0, 0}; item.origin < n_; ++item.origin) {
      for (item.addressee = 0; item.addressee < addressees_; ++item.addressee) {
        values[x] = item.origin;
        values[d] = item.addressee;
        if (!evaluate(exists, values)) continue;
        for (item.part = 0; item.part < parts_; ++item.part) items_.push_back(item);
      }
    }
  }

  bool deliveries() {
    for (std::size_t f = 0; f < problem_.families.size(); ++f) {
      const Family& family = problem_.families[f];
      std::vector<Atom> variables = delivery_variables(family);
      if (family.held) variables.resize(variables.size() - family.chunks.size());
      Formula given = algebra_.conjunction({family.given, family.destinations_given});
      if (!family.held) given = algebra_.conjunction({given, family.chunks_given});
      const Number hops = duration(algebra_, problem_.machine, family);
      Assignment values = size_;
      const bool complete = for_each_value(variables, values, [&] {
        algebra_.pulse();
        if (!evaluate(given, values)) return true;
        const auto number = [&](const Number& x) { return small(evaluate(x, values)); };
        SmallDelivery one;
        one.family = f;
        one.start = number(starts_[f]);
        one.arrival = one.start + number(hops) - 1;
        one.source = number(family.source);
        one.target = number(family.target);
        if (!family.held) {
          one.origin = number(family.origin);
          one.addressee = relation_.addressee ? number(*family.addressee) : 0;
          one.part = number(family.part);
        }
        for (const Atom variable : variables) one.values.push_back(small(values.at(variable)));
        all_.push_back(std::move(one));
        return all_.size() <= (large_ ? 10'000 : most_deliveries);
      });
      if (!complete) return false;
    }
    std::stable_sort(all_.begin(), all_.end(), [](const auto& a, const auto& b) { return a.arrival < b.arrival; });
    return true;
  }

  bool inside(const SmallDelivery& it) const {
    const auto below = [](std::int64_t x, std::int64_t end) { return 0 <= x && x < end; };
    return below(it.source, n_) && below(it.target, n_) && below(it.origin, n_) && below(it.addressee, addressees_) &&
           below(it.part, parts_) && it.start >= 1 && it.arrival >= it.start;
  }

  bool deliver(const SmallDelivery& it) {
    wrong_ = !inside(it);
    if (wrong_) return false;
    const bool combines = problem_.collective.reduction.has_value();
    const Family& family = problem_.families[it.family];
    if (!combines && !family.held) {
      const Item item{it.origin, it.addressee, it.part};
      wrong_ = !has(it.source, item, it.start - 1);
      if (!wrong_) arrive(it, item);
      return !wrong_;
    }
    for (const Item& item : items_) {
      if (combines && item.part != it.part) continue;
      if (has(it.source, item, it.start - 1) && carries(family, it, item)) arrive(it, item);
    }
    return true;
  }

  // Whether the condition behind `held` lets the item through.
  bool carries(const Family& family, const SmallDelivery& it, const Item& item) const {
    if (!family.held || family.chunks_given == algebra_.truth(true)) return true;
    Assignment values = size_;
    const std::vector<Atom> variables = delivery_variables(family);
    for (std::size_t i = 0; i < it.values.size(); ++i) values[variables[i]] = it.values[i];
    std::vector<std::int64_t> chunk = chunk_values(item);
    for (std::size_t i = 0; i < chunk.size(); ++i) values[family.chunks[i]] = chunk[i];
    return evaluate(family.chunks_given, values);
  }

  // The values of the variables of what a family carries that carries all that is held.
  std::vector<std::int64_t> chunk_values(const Item& item) const {
    std::vector<std::int64_t> all;
    const auto append = [&](std::int64_t value, const NumberInDigits& index) {
      problem_.extents.empty() ? all.push_back(value) : append_digits(value, index, all);
    };
    append(item.origin, relation_.origin);
    if (relation_.addressee) append(item.addressee, *relation_.addressee);
    if (!(problem_.collective.parts == Number(1))) all.push_back(item.part);
    return all;
  }

  bool has(std::int64_t holder, const Item& item, std::int64_t step) {
    const State& it = state(holder, item);
    return it.step && *it.step <= step;
  }

  void arrive(const SmallDelivery& it, const Item& item) {
    State& there = state(it.target, item);
    if (!there.step) there = {it.arrival, &it};
  }

  void append_digits(std::int64_t value, const NumberInDigits& index, std::vector<std::int64_t>& digits) const {
    const std::size_t first = digits.size();
    for (std::size_t i = index.digits.size(); i-- > 0;) {
      const std::int64_t size = small(evaluate(*index.digits[i]->last, size_)) + 1;
      digits.insert(digits.begin() + static_cast<std::ptrdiff_t>(first), i == 0 ? value : value % size);
      value /= size;
    }
  }

  ArrivedItem entry(std::size_t number, std::int64_t holder, const Item& item) {
    ArrivedItem result;
    result.size = number;
    append_digits(holder, relation_.holder, result.digits);
    append_digits(item.origin, relation_.origin, result.digits);
    if (relation_.addressee) append_digits(item.addressee, *relation_.addressee, result.digits);
    append_digits(item.part, relation_.part, result.digits);
    const State& it = state(holder, item);
    result.step = it.step;
    if (it.by == nullptr) return result;
    result.family = it.by->family;
    result.send = it.by->values;
    if (problem_.families[it.by->family].held) {
      for (const std::int64_t each : chunk_values(item)) result.send.push_back(each);
    }
    return result;
  }

  Algebra& algebra_;
  const Problem& problem_;
  const Relation& relation_;
  const std::vector<Number>& starts_;
  const Assignment& size_;
  std::int64_t n_ = 0;  // 0: the size is too large
  std::int64_t parts_ = 0, addressees_ = 1;
  std::vector<Item> items_;
  std::vector<SmallDelivery> all_;
  std::vector<State> state_;
  bool large_ = false, wrong_ = false;
};

// Whether parameters depend on one another, as in {d for d in 0..16 if 3^d <= N}: of N up to a dozen too little is
// seen.
bool conditional(const Problem& problem) {
  const Variables inside = variables_in(problem.sizes);
  return inside.size() > 1;
}

// Appends values of several parameters: each of the first few of one with each of another; and larger ones.
void append_sizes(const Problem& problem, const std::vector<Atom>& parameters, std::size_t i, const Assignment& values,
                  std::vector<Assignment>& all) {
  constexpr int values_of_each = 12;
  constexpr int largest = 300;
  constexpr std::size_t most_candidates = 4096;
  if (i == parameters.size()) {
    if (evaluate(problem.sizes, values)) all.push_back(values);
    return;
  }
  const Integer first = evaluate(*parameters[i]->first, values);
  const Integer end = first + (conditional(problem) ? largest : values_of_each);
  for (Integer x = first; x < end && all.size() < most_candidates;
       x += x < first + values_of_each ? Integer(1) : std::max(Integer(1), Integer(x / 6))) {
    if (parameters[i]->last && x > evaluate(*parameters[i]->last, values)) break;
    Assignment more = values;
    more[parameters[i]] = x;
    append_sizes(problem, parameters, i + 1, more, all);
  }
}

// Candidates: of one parameter, the smallest first; of several, small values with small ones and with larger ones.
std::vector<Assignment> sizes_of(const Problem& problem) {
  const std::vector<Atom> parameters = open_parameters(problem);
  std::vector<Assignment> all;
  if (parameters.size() != 1) {
    append_sizes(problem, parameters, 0, {}, all);
    std::mt19937_64 random(seed);
    if (!all.empty()) std::shuffle(all.begin() + 1, all.end(), random);  // the smallest stays the first
    return all;
  }
  const Atom only = parameters[0];
  const Integer first = evaluate(*only->first, {});
  for (Integer x = first; x < first + 40 && (!only->last || x <= evaluate(*only->last, {})); ++x)
    all.push_back({{only, x}});
  return all;
}

}  // namespace

std::optional<SmallArrivals> small_arrivals(const Writing& writing, const Relation& relation,
                                            const std::vector<Number>& starts) {
  SmallArrivals result;
  for (std::size_t f = 0; f < starts.size(); ++f) {
    const Number hops = duration(writing.algebra, writing.problem.machine, writing.problem.families[f]);
    result.arrivals.push_back(starts[f] + hops - Number(1));
  }
  for (const Assignment& size : sizes_of(writing.problem)) {
    if (!evaluate(writing.problem.sizes, size)) continue;
    writing.watch.require_open();
    OneSize one(writing, relation, starts, size, conditional(writing.problem));
    const std::size_t before = result.entries.size();
    if (one.append(result.sizes.size(), result.entries)) {
      result.sizes.push_back(size);
    } else if (one.wrong()) {
      return std::nullopt;
    } else {
      result.entries.resize(before);
      if (open_parameters(writing.problem).size() == 1) break;
    }
    if (result.entries.size() > most_of_all || result.sizes.size() >= most_small_sizes) break;
  }
  return result.sizes.empty() ? std::nullopt : std::optional(std::move(result));
}

}  // namespace quadrille::prover
