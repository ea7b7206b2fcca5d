// Asserts the negation of the obligation, together with the variables' ranges and `given`. If that is unsatisfiable,
// the obligation is proved; otherwise Z3's values refute it.
//
// Example: "for d in 1..n-1, n - d >= 1", n a power of two. The assertions are 1 <= d, d <= n - 1 and not n - d >= 1;
// by the axioms of powers n is an integer of at least 2, and there are no such values.
//
// Cost: exponential at worst, so it is bounded in Z3's resource units, which count its steps.
#include <fmt/format.h>
#include <z3++.h>

#include <algorithm>

#include "verifier/prover/solver/cases.h"
#include "verifier/prover/solver/encode.h"

namespace quadrille::prover {
namespace {

// The effort for finding one smaller counterexample.
constexpr std::uint32_t effort_to_lower = 2'000'000;

// A question, and the Z3 context that it is in.
class Question {
 public:
  // `by_axioms`: uses only some axioms of powers of two and binary digits; then an answer counts only if it is
  // `proved`. Keeps references to all arguments.
  Question(const Algebra& algebra, const Obligation& obligation, const SolverEffort& effort, bool by_axioms,
           unsigned conflicts = most_conflicts)
      : obligation_(obligation),
        effort_(effort),
        conflicts_(conflicts),
        scope_(all_variables(obligation)),
        used_{Theory::integers} {
    if (speaks_of_bits(obligation)) used_.theory = by_axioms ? Theory::power_axioms : Theory::bit_vectors;
    if (used_.theory == Theory::bit_vectors)
      used_.bits = width_for(algebra, {obligation.given, obligation.must}, scope_);
    encoder_.emplace(context_, algebra, used_.theory, used_.bits);
  }

  Theory theory() const { return used_.theory; }

  // Decides whether values exist with which `given` holds and `must` does not. `small`: the counterexample should
  // have values of these variables that are as small as can be found quickly.
  void decide(const std::vector<Atom>& small, Decision& decision) {
    decision.theory = used_;
    const z3::expr must = encoder_->formula(obligation_.must);
    z3::solver solver = with_premises();
    const Watch::Guard guard(effort_.watch, [this] { context_.interrupt(); });
    // This is a proof by contradiction: the premises and the negation of `must`.
    solver.add(!must);
    decision.smt2 = solver.to_smt2("unsat");
    const z3::check_result answer = checked(solver);
    decision.effort += resources_used(solver);
    if (answer == z3::unsat) {
      decision.verdict = ProofVerdict::proved;
      return;
    }
    // The axioms are true, but incomplete: values that satisfy them may not be powers.
    if (used_.theory == Theory::power_axioms) return;
    if (answer == z3::unknown) {
      const Failure end = given_up(solver.reason_unknown());
      const bool spent = decision.effort >= effort_.units || end.why.find("conflicts") != std::string::npos;
      throw end.reason == Reason::unsupported && spent ? Failure{Reason::limit, end.why} : end;
    }
    decision.counterexample = smallest(solver, small);
    decision.verdict = ProofVerdict::refuted;
  }

 private:
  // A solver with the ranges, the axioms and `given`.
  z3::solver with_premises() {
    z3::solver solver = used_.theory == Theory::bit_vectors ? z3::solver(context_, "QF_BV") : z3::solver(context_);
    z3::params settings(context_);
    settings.set("rlimit", effort_.units);
    settings.set("random_seed", 1U);
    if (used_.theory == Theory::bit_vectors) settings.set("max_conflicts", conflicts_);
    settings.set("ctrl_c", false);  // the limits say when to stop
    solver.set(settings);
    const z3::expr given = encoder_->formula(obligation_.given);
    for (const Atom atom : scope_) encoder_->number(Number(atom));
    if (used_.theory == Theory::power_axioms) encoder_->add_power_axioms();
    for (const z3::expr& fact : encoder_->facts()) solver.add(fact);
    solver.add(given);
    // Makes the solver incremental, which avoids Z3's tactics for integers, whose timers may hang (see Watch).
    if (used_.theory != Theory::bit_vectors) solver.push();
    return solver;
  }

  // Z3's answer.
  z3::check_result checked(z3::solver& solver, z3::expr_vector* assumptions = nullptr) {
    z3::check_result answer = z3::unknown;
    try {
      answer = assumptions == nullptr ? solver.check() : solver.check(*assumptions);
    } catch (const z3::exception& problem) {
      throw given_up(problem.msg());
    }
    if (effort_.watch.reached() != Reason::none) throw given_up("");  // it may have been interrupted
    return answer;
  }

  Failure given_up(const std::string& why) const {
    if (const Reason reason = effort_.watch.reached(); reason != Reason::none) return {reason, why_of(reason)};
    const bool memory = Z3_get_error_code(context_) == Z3_MEMOUT_FAIL;
    return {memory ? Reason::limit : Reason::unsupported, fmt::format("Z3: {}", why)};
  }

  // The values of a model. If Z3 was interrupted meanwhile, its values are arbitrary; then this throws.
  Assignment values(const z3::model& model) {
    Assignment result;
    for (const Atom atom : scope_) {
      const auto value = encoder_->value(atom, model);
      if (!value) throw given_up("a model without values");
      result[atom] = *value;
    }
    if (effort_.watch.reached() != Reason::none) throw given_up("");
    return result;
  }

  Assignment smallest(z3::solver& solver, const std::vector<Atom>& small) {
    Assignment best = values(solver.get_model());
    try {
      lower(solver, small, best);
    } catch (const Failure&) {
    } catch (const z3::exception&) {
    }
    return best;
  }

  // Lowers the variables one after another, as long as that is quick.
  void lower(z3::solver& solver, const std::vector<Atom>& small, Assignment& best) {
    z3::params settings(context_);
    settings.set("rlimit", std::min(effort_.units, effort_to_lower));
    solver.set(settings);
    for (const Atom atom : small) {
      if (best.count(atom) == 0) continue;
      encoder_->lower(solver, atom, atom, best, [&](z3::expr_vector& assumption) {
        return checked(solver, &assumption) == z3::sat ? std::optional(values(solver.get_model())) : std::nullopt;
      });
    }
  }

  const Obligation& obligation_;
  const SolverEffort& effort_;
  unsigned conflicts_;
  std::vector<Atom> scope_;
  UsedTheory used_;
  z3::context context_;
  std::optional<Encoder> encoder_;
};

}  // namespace

void ask(const Algebra& algebra, const Obligation& obligation, const std::vector<Atom>& small,
         const SolverEffort& effort, unsigned conflicts, Decision& decision) {
  Question(algebra, obligation, effort, false, conflicts).decide(small, decision);
}

void ask_by_axioms(const Algebra& algebra, const Obligation& obligation, const SolverEffort& effort,
                   Decision& decision) {
  Question question(algebra, obligation, effort, true);
  if (question.theory() == Theory::power_axioms) question.decide({}, decision);
}

bool speaks_of_bits(const Obligation& obligation) {
  const std::vector<Atom> scope = all_variables(obligation);
  return needs_bits(obligation.given) || needs_bits(obligation.must) || std::ranges::any_of(scope, [](Atom atom) {
           return (atom->first && needs_bits(*atom->first)) || (atom->last && needs_bits(*atom->last));
         });
}

// Asks Z3 about an obligation case by case (cases.h): all cases in integers; if Z3 gives up on one, all of them in
// bit-vectors.
//
// Example: "k and k + 2^t are different" with t in 0..16 becomes 17 questions, about k + 1, k + 2, k + 4, …, none of
// which contains powers.
//
// Cost: for each case some thousandths of a second; it is bounded in Z3's resource units and, of bit-vectors, whose
// solver hardly counts those, by the number of its conflicts.

namespace {

constexpr std::uint32_t effort_of_case = 3'000'000;
constexpr unsigned conflicts_of_case = 20'000;

class CaseByCase {
 public:
  CaseByCase(const Obligation& obligation, const std::vector<Atom>& scope, const std::vector<Case>& cases,
             const SolverEffort& effort, bool bits)
      : obligation_(obligation), scope_(scope), cases_(cases), effort_(effort), bits_(bits), asked_(context_) {}

  // Throws Failure, Ended, Unsupported and z3::exception.
  void decide(const std::vector<Atom>& small, Decision& decision) {
    const Watch::Guard guard(effort_.watch, [this] { context_.interrupt(); });
    for (const Case& each : cases_) {
      if (ask(each, small, decision)) {
        decision.verdict = ProofVerdict::refuted;
        break;
      }
    }
    if (decision.verdict != ProofVerdict::refuted) decision.verdict = ProofVerdict::proved;
    decision.theory = {bits_ ? Theory::bit_vectors : Theory::integers, width_, true};
    z3::solver all(context_);
    all.add(z3::mk_or(asked_));
    decision.smt2 = all.to_smt2("unsat");
  }

 private:
  // Whether a counterexample exists in this case.
  bool ask(const Case& which, const std::vector<Atom>& small, Decision& decision) {
    const InCase here = in_case(obligation_, scope_, which);
    const Algebra& algebra = *here.algebra;
    if (here.given == algebra.truth(false) || here.must == algebra.truth(true)) return false;
    const unsigned width = bits_ ? width_for(algebra, {here.given, here.must}, here.scope) : 0;
    width_ = std::max(width_, width);
    Encoder encoder(context_, algebra, bits_ ? Theory::bit_vectors : Theory::integers, width);
    z3::expr_vector parts(context_);
    parts.push_back(encoder.formula(here.given));
    parts.push_back(!encoder.formula(here.must));
    for (const Atom atom : here.scope) encoder.number(Number(atom));
    for (const z3::expr& fact : encoder.facts()) parts.push_back(fact);
    asked_.push_back(z3::mk_and(parts));
    z3::solver solver = solver_of(parts);
    const z3::check_result answer = checked(solver);
    if (answer == z3::unknown) throw Failure{Reason::limit, fmt::format("Z3: {}", solver.reason_unknown())};
    if (answer == z3::sat) {
      decision.counterexample = values(encoder, here, solver.get_model());
      lower(solver, encoder, here, small, decision.counterexample);
    }
    // Counts the effort only sometimes, because reading it takes as long as a small case.
    if (++answered_ % 32 == 0 || answer == z3::sat) count(solver, decision);
    if (!bits_) solver.pop();
    return answer == z3::sat;
  }

  // A solver for a case. Bit-vectors use a new one for each case; integers share one, as making it takes longer than
  // most cases.
  z3::solver solver_of(const z3::expr_vector& parts) {
    if (bits_ || !shared_) {
      shared_ = bits_ ? z3::solver(context_, "QF_BV") : z3::solver(context_);
      z3::params settings(context_);
      settings.set("rlimit", std::min(effort_.units, effort_of_case));
      settings.set("random_seed", 1U);
      settings.set("ctrl_c", false);
      if (bits_) settings.set("max_conflicts", conflicts_of_case);
      shared_->set(settings);
    }
    if (!bits_) shared_->push();  // also: without tactics that have timers of their own
    for (const z3::expr& part : parts) shared_->add(part);
    return *shared_;
  }

  z3::check_result checked(z3::solver& solver, z3::expr_vector* assumptions = nullptr) {
    effort_.watch.require_open();
    const z3::check_result answer = assumptions == nullptr ? solver.check() : solver.check(*assumptions);
    effort_.watch.require_open();  // it may have been interrupted
    return answer;
  }

  // Limits all cases together to the effort of one question.
  void count(const z3::solver& solver, Decision& decision) {
    decision.effort = resources_used(solver);  // of the context, so far
    if (decision.effort > effort_.units) throw Failure{Reason::limit, "Z3: all cases together take too long"};
  }

  Assignment values(Encoder& encoder, const InCase& here, const z3::model& model) const {
    Assignment own;
    for (const Atom atom : here.scope) {
      const auto value = encoder.value(atom, model);
      if (!value) throw Failure{Reason::limit, "Z3: a model without values"};
      own[atom] = *value;
    }
    effort_.watch.require_open();
    Assignment result;
    for (const auto& [atom, value] : here.values) result[atom] = evaluate(value, own);
    return result;
  }

  // Lowers these variables one after another, as long as that is quick. `best` is always a counterexample.
  void lower(z3::solver& solver, Encoder& encoder, const InCase& here, const std::vector<Atom>& small,
             Assignment& best) {
    for (const auto& [atom, value] : here.values) {
      const auto own = value.atom();
      if (!own || std::ranges::find(small, atom) == small.end()) continue;
      encoder.lower(solver, *own, atom, best, [&](z3::expr_vector& assumption) {
        return checked(solver, &assumption) == z3::sat ? std::optional(values(encoder, here, solver.get_model()))
                                                       : std::nullopt;
      });
    }
  }

  const Obligation& obligation_;
  const std::vector<Atom>& scope_;
  const std::vector<Case>& cases_;
  const SolverEffort& effort_;
  bool bits_;
  unsigned width_ = 0;
  z3::context context_;
  z3::expr_vector asked_;  // what each case asks
  std::optional<z3::solver> shared_;
  unsigned answered_ = 0;
};

// Whether the obligation was decided in this theory.
bool decided(const Obligation& obligation, const std::vector<Atom>& scope, const std::vector<Case>& cases,
             const std::vector<Atom>& small, const SolverEffort& effort, bool bits, Decision& decision) {
  Decision here;
  try {
    CaseByCase(obligation, scope, cases, effort, bits).decide(small, here);
  } catch (const Unsupported&) {
    return false;
  } catch (const Failure& end) {
    if (end.reason != Reason::limit || effort.watch.reached() != Reason::none) throw;
    return false;
  } catch (const z3::exception&) {
    effort.watch.require_open();
    return false;
  }
  decision = std::move(here);
  return true;
}

}  // namespace

bool ask_by_cases(const Algebra& algebra, const Obligation& obligation, const std::vector<Atom>& small,
                  const SolverEffort& effort, std::size_t most, Decision& decision) {
  const std::vector<Atom> scope = all_variables(obligation);
  for (const bool divisors : {false, true}) {
    const auto cases = cases_of(algebra, obligation, scope, divisors, effort.watch);
    if (!cases || cases->size() > most) continue;
    if (decided(obligation, scope, *cases, small, effort, false, decision) ||
        decided(obligation, scope, *cases, small, effort, true, decision))
      return true;
  }
  return false;
}

}  // namespace quadrille::prover
