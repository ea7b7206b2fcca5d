// Small sizes are the first few values of each parameter. Other variables take all values, or the likely ones: the
// ends of their ranges, and the middle. These sizes prove nothing.
//
// Example: a variable in 1..100 is tried at 1, 2, 100, 99, 50, 3 and 4.
//
// Cost: up to 25 sizes; up to 100,000 values of the other variables, or 2000 of the likely ones.
#include <algorithm>
#include <exception>

#include "verifier/prover/problem/problem.h"

namespace quadrille::prover {
namespace {

constexpr int values_tried = 6;    // of each variable
constexpr int without_end = 1000;  // of a range without an end, so many
constexpr std::size_t most_samples = 25;
constexpr std::size_t most_values = 100'000;  // of the variables together

// The last value of a range; for a range without an end, some value far out.
Integer last_of(Atom variable, const Integer& first, const Assignment& values) {
  return variable->last ? evaluate(*variable->last, values) : Integer(first + without_end);
}

bool for_each_from(const std::vector<Atom>& variables, std::size_t i, Assignment& values, std::size_t& left,
                   const std::function<bool()>& visit) {
  if (i == variables.size()) return visit();
  const Integer last = evaluate(*variables[i]->last, values);
  for (Integer x = evaluate(*variables[i]->first, values); x <= last; ++x) {
    if (left-- == 0) return false;
    values[variables[i]] = x;
    if (!for_each_from(variables, i + 1, values, left, visit)) return false;
  }
  return true;
}

// Chooses values that are `further` beyond the first ones, all together.
void choose(const std::vector<Atom>& variables, std::size_t i, int further, const std::vector<Formula>& hold,
            Assignment& values, std::vector<Assignment>& found) {
  if (found.size() >= most_samples) return;
  if (i == variables.size()) {
    const bool all = further == 0 && std::ranges::all_of(hold, [&](Formula each) { return evaluate(each, values); });
    if (all) found.push_back(values);
    return;
  }
  const Integer first = evaluate(*variables[i]->first, values);
  const Integer last = last_of(variables[i], first, values);
  for (int more = 0; more <= further && more < values_tried && first + more <= last; ++more) {
    values[variables[i]] = first + more;
    choose(variables, i + 1, further - more, hold, values, found);
  }
  values.erase(variables[i]);
}

}  // namespace

bool for_each_value(const std::vector<Atom>& variables, Assignment& values, const std::function<bool()>& visit) {
  std::size_t left = most_values;
  return for_each_from(variables, 0, values, left, visit);
}

std::vector<Assignment> small_values(const std::vector<Atom>& variables, const std::vector<Formula>& hold) {
  std::vector<Assignment> found;
  Assignment values;
  const int furthest = (values_tried - 1) * static_cast<int>(variables.size());
  for (int further = 0; further <= furthest; ++further) choose(variables, 0, further, hold, values, found);
  return found;
}

std::vector<Assignment> small_sizes(const Problem& problem, Formula when) {
  return small_values(open_parameters(problem), {problem.sizes, when});
}

namespace {

// The first few values of a range, its last two, and the one in the middle.
std::vector<Integer> likely_values(const Integer& first, const Integer& last) {
  std::vector<Integer> result;
  for (const Integer& x : {Integer(first), Integer(first + 1), Integer(last), Integer(last - 1),
                           Integer((first + last) / 2), Integer(first + 2), Integer(first + 3)}) {
    const bool fresh = std::ranges::find(result, x) == result.end();
    if (fresh && first <= x && x <= last) result.push_back(x);
  }
  return result;
}

// Tries values of the variables. Each value gets its share of the tries, at least one.
bool find_values(const std::vector<Atom>& variables, std::size_t i, Formula given, std::size_t tries,
                 Assignment& values) {
  if (i == variables.size()) return evaluate(given, values);
  // The search is depth first: ranges may depend on earlier variables, which have their values by now.
  const Integer first = evaluate(*variables[i]->first, values);
  const auto likely = likely_values(first, last_of(variables[i], first, values));
  for (const Integer& x : likely) {
    values[variables[i]] = x;
    if (find_values(variables, i + 1, given, std::max(tries / likely.size(), std::size_t{1}), values)) return true;
    if (tries == 1) break;
  }
  values.erase(variables[i]);
  return false;
}

}  // namespace

std::optional<Assignment> some_values(const std::vector<Atom>& variables, Formula given) {
  constexpr std::size_t tries = 2000;
  Assignment values;
  try {
    if (find_values(variables, 0, given, tries, values)) return values;
  } catch (const std::exception&) {
    return std::nullopt;  // numbers that are too large to work out
  }
  return std::nullopt;
}

std::vector<Atom> open_parameters(const Problem& problem) {
  std::vector<Atom> result;
  for (const ProblemParameter& parameter : problem.parameters) {
    if (parameter.variable) result.push_back(*parameter.variable);
  }
  return result;
}

std::vector<Number> simple_numbers(const std::vector<Atom>& variables) {
  std::vector<Number> result;
  for (int i = 0; i <= 3; ++i) result.emplace_back(i);
  for (const Atom variable : variables) {
    for (const int more : {0, 1, -1, 2, -2}) result.push_back(Number(variable) + Number(more));
  }
  return result;
}

}  // namespace quadrille::prover
