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
           unsigned conflicts = most_conflicts);

  Theory theory() const { return used_.theory; }

  // Decides whether values exist with which `given` holds and `must` does not. `small`: the counterexample should
  // have values of these variables that are as small as can be found quickly.
  void decide(const std::vector<Atom>& small, Decision& decision);

 private:
  z3::solver with_premises();
  z3::check_result checked(z3::solver& solver, z3::expr_vector* assumptions = nullptr);
  Failure given_up(const std::string& why) const;
  Assignment values(const z3::model& model);
  Assignment smallest(z3::solver& solver, const std::vector<Atom>& small);
  void lower(z3::solver& solver, const std::vector<Atom>& small, Assignment& best);

  const Obligation& obligation_;
  const SolverEffort& effort_;
  unsigned conflicts_;
  std::vector<Atom> scope_;
  UsedTheory used_;
  z3::context context_;
  std::optional<Encoder> encoder_;
};

Question::Question(const Algebra& algebra, const Obligation& obligation, const SolverEffort& effort, bool by_axioms,
                   unsigned conflicts)
    : obligation_(obligation),
      effort_(effort),
      conflicts_(conflicts),
      scope_(all_variables(obligation)),
      used_{Theory::integers} {
  if (speaks_of_bits(obligation)) used_.theory = by_axioms ? Theory::power_axioms : Theory::bit_vectors;
  if (used_.theory == Theory::bit_vectors) used_.bits = width_for(algebra, {obligation.given, obligation.must}, scope_);
  encoder_.emplace(context_, algebra, used_.theory, used_.bits);
}

void Question::decide(const std::vector<Atom>& small, Decision& decision) {
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

// A solver with the ranges, the axioms and `given`.
z3::solver Question::with_premises() {
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
z3::check_result Question::checked(z3::solver& solver, z3::expr_vector* assumptions) {
  z3::check_result answer = z3::unknown;
  try {
    answer = assumptions == nullptr ? solver.check() : solver.check(*assumptions);
  } catch (const z3::exception& problem) {
    throw given_up(problem.msg());
  }
  if (effort_.watch.reached() != Reason::none) throw given_up("");  // it may have been interrupted
  return answer;
}

Failure Question::given_up(const std::string& why) const {
  if (const Reason reason = effort_.watch.reached(); reason != Reason::none) return {reason, why_of(reason)};
  const bool memory = Z3_get_error_code(context_) == Z3_MEMOUT_FAIL;
  return {memory ? Reason::limit : Reason::unsupported, fmt::format("Z3: {}", why)};
}

// The values of a model. If Z3 was interrupted meanwhile, its values are arbitrary; then this throws.
Assignment Question::values(const z3::model& model) {
  Assignment result;
  for (const Atom atom : scope_) {
    const auto value = encoder_->value(atom, model);
    if (!value) throw given_up("a model without values");
    result[atom] = *value;
  }
  if (effort_.watch.reached() != Reason::none) throw given_up("");
  return result;
}

Assignment Question::smallest(z3::solver& solver, const std::vector<Atom>& small) {
  Assignment best = values(solver.get_model());
  try {
    lower(solver, small, best);
  } catch (const Failure&) {
    return best;
  } catch (const z3::exception&) {
    return best;
  }
  return best;
}

// Lowers the variables one after another, as long as that is quick.
void Question::lower(z3::solver& solver, const std::vector<Atom>& small, Assignment& best) {
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
  return needs_bits(obligation.given) || needs_bits(obligation.must) ||
         std::any_of(scope.begin(), scope.end(), [](Atom atom) {
           return (atom->first && needs_bits(*atom->first)) || (atom->last && needs_bits(*atom->last));
         });
}

}  // namespace quadrille::prover
