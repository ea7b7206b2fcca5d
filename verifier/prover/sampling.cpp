#include "verifier/prover/sampling.h"

namespace quadrille::prover {
namespace {

constexpr int values_tried = 6;  // of each variable
constexpr std::size_t most_samples = 25;

bool for_each_from(const std::vector<Atom>& variables, std::size_t i, Assignment& values,
                   const std::function<bool()>& visit) {
  if (i == variables.size()) return visit();
  const Integer last = evaluate(*variables[i]->last, values);
  for (Integer x = evaluate(*variables[i]->first, values); x <= last; ++x) {
    values[variables[i]] = x;
    if (!for_each_from(variables, i + 1, values, visit)) return false;
  }
  return true;
}

void choose(const std::vector<Atom>& variables, std::size_t i, Formula when, Assignment& values,
            std::vector<Assignment>& found) {
  if (found.size() >= most_samples) return;
  if (i == variables.size()) {
    if (evaluate(when, values)) found.push_back(values);
    return;
  }
  const Integer first = evaluate(*variables[i]->first, values);
  const Integer last = evaluate(*variables[i]->last, values);
  for (Integer x = first; x <= last && x < first + values_tried; ++x) {
    values[variables[i]] = x;
    choose(variables, i + 1, when, values, found);
  }
  values.erase(variables[i]);
}

}  // namespace

bool for_each_value(const std::vector<Atom>& variables, Assignment& values, const std::function<bool()>& visit) {
  return for_each_from(variables, 0, values, visit);
}

std::vector<Assignment> small_values(const std::vector<Atom>& variables, Formula when) {
  std::vector<Assignment> found;
  Assignment values;
  choose(variables, 0, when, values, found);
  return found;
}

std::vector<Atom> open_parameters(const Problem& problem) {
  std::vector<Atom> result;
  for (const Parameter& parameter : problem.parameters) {
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
