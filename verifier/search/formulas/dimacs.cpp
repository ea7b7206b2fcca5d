// Writes a formula as DIMACS CNF. The clauses are collected first, because the header states their number.
//
//   "p cnf 2 2", "-2 1 0", "2 0"; before it, comments say that variable 1 is a hop, and so on
#include <fmt/format.h>

#include <iterator>

#include "verifier/search/problem/problem.h"

namespace quadrille::searching {
namespace {

class DimacsClauses final : public ClauseSink {
 public:
  using ClauseSink::clause;
  void clause(std::span<const int> literals) override {
    for (const int literal : literals) fmt::format_to(std::back_inserter(text_), "{} ", literal);
    text_ += "0\n";
    ++clauses_;
  }

  const std::string& text() const { return text_; }
  std::uint64_t clauses() const { return clauses_; }

 private:
  std::string text_;
  std::uint64_t clauses_ = 0;
};

// For example "5 to 9", or "5".
std::string from_to(std::int64_t first, std::int64_t last) {
  return first == last ? fmt::format("{}", first) : fmt::format("{} to {}", first, last);
}

}  // namespace

std::string dimacs_text(ScheduleFormula& formula, std::string_view title) {
  DimacsClauses clauses;
  const int variables = formula.write(clauses);
  std::string text = fmt::format("c {}\nc Variables, in steps:\n", title);
  int named = 0;
  formula.name_variables([&](int variable, std::int64_t first, std::int64_t last, std::string_view meaning) {
    const int end = variable + static_cast<int>(last - first);
    fmt::format_to(std::back_inserter(text), "c {} ({}): {}\n", from_to(variable, end), from_to(first, last), meaning);
    named = std::max(named, end);
  });
  if (named < variables) text += fmt::format("c {}: counters\n", from_to(named + 1, variables));
  text += fmt::format("p cnf {} {}\n", variables, clauses.clauses());
  return text + clauses.text();
}

}  // namespace quadrille::searching
