// The only source of the search that names Z3. It uses Z3's finite-domain solver (QF_FD), which takes "at most k"
// directly, without counters. Z3 needs a thread of its own to be interrupted. It is asked in slices of conflicts, so
// that the watch can look at the memory between them.
#include <z3++.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "verifier/search/solver/solver.h"

namespace quadrille::searching {
namespace {

// Interrupts a context at the deadline, or when a stop is requested, from a thread that sleeps until then. The timers
// of Z3 4.8.12 itself (its parameter "timeout") may deadlock. An interrupt between two checks has no effect, so it is
// repeated until this object is destroyed.
class Interruption {
 public:
  Interruption(z3::context& context, const Watch* watch) : context_(context) {
    if (watch == nullptr) return;
    if (!watch->limits().stop.stop_possible() && watch->limits().deadline == Limits::Clock::time_point::max()) return;
    thread_ = std::jthread([this, limits = watch->limits()](const std::stop_token& done) { run(done, limits); });
  }

 private:
  void run(const std::stop_token& done, const Limits& limits) {
    const std::stop_callback wake(limits.stop, [this] {
      const std::lock_guard lock(mutex_);  // otherwise the wait could begin just after this notification
      changed_.notify_all();
    });
    std::unique_lock lock(mutex_);
    const auto is_time = [&] { return limits.reached() != Reason::none; };
    if (limits.deadline == Limits::Clock::time_point::max()) {
      changed_.wait(lock, done, is_time);
    } else {
      changed_.wait_until(lock, done, limits.deadline, is_time);
    }
    while (!done.stop_requested()) {
      context_.interrupt();
      changed_.wait_for(lock, done, std::chrono::milliseconds(50), [] { return false; });
    }
  }

  z3::context& context_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::jthread thread_;  // the last member: it is joined before the others go
};

class Z3 final : public Solver {
 public:
  Z3() : solver_(context_, "QF_FD") { solver_.set("ctrl_c", false); }

  using Solver::clause;
  void clause(std::span<const int> literals) override { solver_.add(z3::mk_or(expressions(literals))); }

  // Z3 counts by itself.
  void at_most(std::uint64_t k, std::span<const int> literals, int& /*next*/) override {
    if (literals.size() > k) solver_.add(z3::atmost(expressions(literals), static_cast<unsigned>(k)));
  }

  // Asks Z3 in slices of conflicts; between slices the watch looks at the memory.
  using Solver::solve;
  Answer solve(const SolverLimits& limits, int assumed) override {
    constexpr std::uint64_t slice = 5000;
    z3::expr_vector assumptions(context_);
    if (assumed != 0) assumptions.push_back(expression(assumed));
    const Interruption interruption(context_, limits.watch);
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
