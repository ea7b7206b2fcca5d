// The only source of the search that names Z3. It uses Z3's finite-domain solver (QF_FD), which takes "at most k"
// directly, without counters. It is asked in slices of conflicts, between which the limits are asked.
#include <z3++.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "verifier/search/solver/solver.h"

namespace quadrille::searching {
namespace {

class Z3 final : public Solver {
 public:
  Z3() : solver_(context_, "QF_FD") { solver_.set("ctrl_c", false); }

  using Solver::clause;
  void clause(std::span<const int> literals) override { solver_.add(z3::mk_or(expressions(literals))); }

  // Z3 counts by itself.
  void at_most(std::uint64_t k, std::span<const int> literals, int& /*next*/) override {
    if (literals.size() > k) solver_.add(z3::atmost(expressions(literals), static_cast<unsigned>(k)));
  }

  using Solver::solve;
  Answer solve(const SolverLimits& limits, int assumed) override {
    constexpr std::uint64_t slice = 5000;
    z3::expr_vector assumptions(context_);
    if (assumed != 0) assumptions.push_back(expression(assumed));
    std::optional<Watch::Guard> guard;
    if (limits.watch != nullptr) guard.emplace(*limits.watch, [this] { context_.interrupt(); });
    std::uint64_t left = limits.conflicts == 0 ? std::numeric_limits<std::uint64_t>::max() : limits.conflicts;
    while (left > 0 && (limits.watch == nullptr || limits.watch->reached() == Reason::none)) {
      const std::uint64_t now = std::min(left, slice);
      left -= now;
      solver_.set("max_conflicts", static_cast<unsigned>(now));
      const z3::check_result result = solver_.check(assumptions);
      if (result == z3::sat) model_ = solver_.get_model();
      if (result != z3::unknown) return result == z3::sat ? Answer::satisfiable : Answer::unsatisfiable;
    }
    return Answer::unknown;
  }

  bool is_true(int variable) override {
    const auto at = static_cast<std::size_t>(variable);
    return at < variables_.size() && variables_[at] && model_->eval(*variables_[at], true).is_true();
  }

 private:
  z3::expr expression(int literal) {
    const auto variable = static_cast<std::size_t>(std::abs(literal));
    if (variable >= variables_.size()) variables_.resize(variable + 1);
    if (!variables_[variable]) {
      variables_[variable] = context_.bool_const(("x" + std::to_string(variable)).c_str());
    }
    return literal > 0 ? *variables_[variable] : !*variables_[variable];
  }

  z3::expr_vector expressions(std::span<const int> literals) {
    z3::expr_vector all(context_);
    for (const int literal : literals) all.push_back(expression(literal));
    return all;
  }

  z3::context context_;
  z3::solver solver_;
  std::vector<std::optional<z3::expr>> variables_;
  std::optional<z3::model> model_;
};

}  // namespace

std::unique_ptr<Solver> make_z3() { return std::make_unique<Z3>(); }

}  // namespace quadrille::searching
