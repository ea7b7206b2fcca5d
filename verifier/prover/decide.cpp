#include "verifier/prover/decide.h"

#include <fmt/format.h>
#include <z3++.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <tuple>

#include "verifier/prover/encode.h"
#include "verifier/prover/sampling.h"

namespace quadrille::prover {
namespace {

using SteadyClock = std::chrono::steady_clock;

double seconds_since(SteadyClock::time_point start) {
  return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

// Ends a context's work when asked to; `interrupted` is true from before that.
class Interrupter {
 public:
  Interrupter(z3::context& context, const std::function<bool()>& cancelled, std::atomic<bool>& interrupted) {
    if (!cancelled) return;
    thread_ = std::thread([this, &context, &cancelled, &interrupted] {
      std::unique_lock lock(mutex_);
      while (!done_) {
        if (cancelled()) {
          interrupted = true;
          context.interrupt();
        }
        changed_.wait_for(lock, std::chrono::milliseconds(50));
      }
    });
  }
  ~Interrupter() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }
  Interrupter(const Interrupter&) = delete;
  Interrupter& operator=(const Interrupter&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread thread_;
};

// The variable and those of its range.
void note(Atom atom, Variables& found) {
  found.insert(atom);
  Variables inside;
  for (const auto* end : {&atom->first, &atom->last}) {
    if (*end) collect_variables(**end, inside);
  }
  for (const Atom older : inside) {
    if (found.count(older) == 0) note(older, found);
  }
}

}  // namespace

std::vector<Atom> all_variables(const Obligation& obligation) {
  Variables variables(obligation.scope.begin(), obligation.scope.end());
  collect_variables(obligation.given, variables);
  collect_variables(obligation.must, variables);
  const Variables found = variables;
  for (const Atom atom : found) note(atom, variables);
  return {variables.begin(), variables.end()};
}

namespace {

class Question {
 public:
  // lawful: where there are powers of two or binary digits, by some of their laws alone; then only `proved` counts.
  Question(const Algebra& algebra, const Obligation& obligation, unsigned milliseconds, bool lawful)
      : obligation_(obligation), milliseconds_(milliseconds), scope_(all_variables(obligation)) {
    bool bits = needs_bits(obligation.given) || needs_bits(obligation.must);
    for (const Atom atom : scope_) {
      for (const auto* end : {&atom->first, &atom->last}) bits = bits || (*end && needs_bits(**end));
    }
    if (bits) theory_ = lawful ? Theory::laws : Theory::bits;
    const bool vectors = theory_ == Theory::bits;
    const unsigned width = vectors ? width_for(algebra, {obligation.given, obligation.must}, scope_) : 0;
    words_ = vectors ? fmt::format("bit-vectors of {} bits", width) : bits ? "laws of powers" : "integers";
    encoder_.emplace(context_, algebra, theory_, width);
  }

  Theory theory() const { return theory_; }

  void decide(const std::vector<Atom>& small, const std::function<bool()>& cancelled, Decision& decision) {
    decision.theory = words_;
    const z3::expr must = encoder_->formula(obligation_.must);
    z3::solver solver = with_premises();
    const Interrupter interrupter(context_, cancelled, interrupted_);
    solver.add(!must);
    decision.smt2 = solver.to_smt2("unsat");
    const z3::check_result answer = solver.check();
    if (interrupted_) {
      decision.reason = "interrupted";
      return;
    }
    if (answer != z3::unsat && theory_ == Theory::laws) return;
    if (answer == z3::sat) {
      decision.counterexample = smallest(solver, small);  // may be interrupted: then nothing is refuted
      decision.verdict = ProofVerdict::refuted;
      return;
    }
    if (answer == z3::unknown) {
      decision.reason = fmt::format("Z3: {}", solver.reason_unknown());
      return;
    }
    decision.verdict = ProofVerdict::proved;
  }

  // Values with which `given` holds: none at all, if the first is false; unknown, if there is neither.
  std::pair<bool, std::optional<Assignment>> premises(const std::function<bool()>& cancelled) {
    z3::solver solver = with_premises();
    const Interrupter interrupter(context_, cancelled, interrupted_);
    const z3::check_result answer = solver.check();
    if (interrupted_) return {true, std::nullopt};
    if (answer == z3::sat) return {true, values(solver.get_model())};
    return {answer != z3::unsat, std::nullopt};
  }

 private:
  // A solver that knows the ranges, the laws and `given`.
  z3::solver with_premises() {
    z3::solver solver = theory_ == Theory::bits ? z3::solver(context_, "QF_BV") : z3::solver(context_);
    z3::params settings(context_);
    settings.set("timeout", milliseconds_);
    settings.set("random_seed", 1U);
    settings.set("ctrl_c", false);  // `cancelled` says when to stop
    solver.set(settings);
    const z3::expr given = encoder_->formula(obligation_.given);
    for (const Atom atom : scope_) encoder_->number(Number(atom));
    if (theory_ == Theory::laws) encoder_->add_laws();
    for (const z3::expr& fact : encoder_->facts()) solver.add(fact);
    solver.add(given);
    // Makes the solver incremental: without Z3's tactics for integers. They have timers of their own, and in Z3 4.8.12
    // a timer that starts inside of one that has run out waits for ever.
    if (theory_ != Theory::bits) solver.push();
    return solver;
  }

  // Interrupted meanwhile, Z3 gives any values: then it throws.
  Assignment values(const z3::model& model) {
    Assignment result;
    for (const Atom atom : scope_) {
      const z3::expr value = model.eval(encoder_->number(Number(atom)), true);
      if (!value.is_numeral()) throw z3::exception("a model without values");
      Integer number(Z3_get_numeral_string(context_, value));
      if (value.is_bv()) {
        const unsigned width = value.get_sort().bv_size();
        if (bit_test(number, width - 1)) number -= Integer(1) << width;
      }
      result[atom] = number;
    }
    if (interrupted_) throw z3::exception("interrupted");
    return result;
  }

  Assignment smallest(z3::solver& solver, const std::vector<Atom>& small) {
    Assignment best = values(solver.get_model());
    try {
      lower(solver, small, best);
    } catch (const z3::exception&) {
      return best;  // interrupted
    }
    return best;
  }

  // Lowers the variables one after another, as long as that goes quickly.
  void lower(z3::solver& solver, const std::vector<Atom>& small, Assignment& best) {
    for (const Atom atom : small) {
      if (best.count(atom) == 0) continue;
      Integer low = atom->first && atom->first->constant() ? Integer(numerator(*atom->first->constant())) : Integer(0);
      while (low < best[atom]) {
        const Integer middle = low + (best[atom] - low) / 2;
        z3::expr_vector assumption(context_);
        assumption.push_back(encoder_->formula_at_most(atom, middle));
        if (solver.check(assumption) != z3::sat) {
          low = middle + 1;
        } else {
          best = values(solver.get_model());
        }
      }
      solver.add(encoder_->formula_at_most(atom, best[atom]));
    }
  }

  const Obligation& obligation_;
  unsigned milliseconds_;
  std::vector<Atom> scope_;
  Theory theory_ = Theory::integers;
  std::string words_;
  z3::context context_;
  std::atomic<bool> interrupted_ = false;
  std::optional<Encoder> encoder_;
};

// The laws of powers, where they are enough: they are decided in no time, or not at all.
bool lawful(const Algebra& algebra, const Obligation& obligation, unsigned milliseconds,
            const std::function<bool()>& cancelled, Decision& decision) {
  constexpr unsigned longest = 1000;
  try {
    Question question(algebra, obligation, std::min(milliseconds, longest), true);
    if (question.theory() == Theory::laws) question.decide({}, cancelled, decision);
  } catch (const NotEncodable&) {
    return false;
  } catch (const z3::exception&) {
    return false;
  }
  return decision.verdict == ProofVerdict::proved;
}

// Of what is proved: values that it speaks of, found by trying or by Z3 in exact numbers, or that there are none.
void show_premises(const Algebra& algebra, const Obligation& obligation, unsigned milliseconds,
                   const std::function<bool()>& cancelled, Decision& decision) {
  if (obligation.must == algebra.truth(false)) {  // that there are none is what was proved
    decision.vacuous = true;
    return;
  }
  auto values = some_values(all_variables(obligation), obligation.given);
  if (!values) {
    bool any = true;
    std::tie(any, values) = Question(algebra, obligation, milliseconds, false).premises(cancelled);
    if (!any) decision.vacuous = true;
  }
  if (!values) return;
  if (!evaluate(obligation.given, *values) || !evaluate(obligation.must, *values))
    throw std::logic_error("what is proved fails with some values");
  decision.vacuous = false;
}

}  // namespace

Decision decide(const Algebra& algebra, const Obligation& obligation, const std::vector<Atom>& small,
                unsigned milliseconds, const std::function<bool()>& cancelled) {
  const auto stopped = [&] { return cancelled && cancelled(); };
  if (obligation.shortcut) {
    constexpr unsigned longest = 1000;
    Obligation shorter = obligation;
    shorter.must = shorter.shortcut->must;
    shorter.shortcut.reset();
    Decision decision = decide(algebra, shorter, {}, std::min(milliseconds, longest), cancelled);
    decision.by_shortcut = true;
    if (decision.verdict == ProofVerdict::proved) return decision;
  }
  Decision decision;
  const auto start = SteadyClock::now();
  try {
    if (obligation.must == algebra.truth(true)) {
      decision.verdict = ProofVerdict::proved;
      decision.theory = "algebra";
    } else if (stopped()) {
      decision.reason = "interrupted";
    } else if (!lawful(algebra, obligation, milliseconds, cancelled, decision)) {
      decision = {};
      if (stopped()) throw z3::exception("interrupted");
      Question(algebra, obligation, milliseconds, false).decide(small, cancelled, decision);
    }
    if (decision.verdict == ProofVerdict::proved) show_premises(algebra, obligation, milliseconds, cancelled, decision);
  } catch (const NotEncodable& problem) {
    decision.reason = problem.reason;
  } catch (const z3::exception& problem) {
    decision.reason = fmt::format("Z3: {}", problem.msg());
  } catch (const std::exception& problem) {
    decision.verdict = ProofVerdict::unknown;
    decision.reason = fmt::format("a fault of the prover: {}", problem.what());
  }
  if (decision.verdict == ProofVerdict::proved && !decision.vacuous) {
    decision.verdict = ProofVerdict::unknown;
    const std::string why = decision.reason.empty() ? "" : fmt::format(" ({})", decision.reason);
    decision.reason = stopped() ? "interrupted" : "no values are known that it speaks of" + why;
  }
  decision.seconds = seconds_since(start);
  return decision;
}

}  // namespace quadrille::prover
