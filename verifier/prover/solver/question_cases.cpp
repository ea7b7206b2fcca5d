// Asks Z3 about an obligation case by case (cases.h): all cases in integers; if Z3 gives up on one, all of them in
// bit-vectors.
//
// Example: "k and k + 2^t are different" with t in 0..16 becomes 17 questions, about k + 1, k + 2, k + 4, …, none of
// which contains powers.
//
// Cost: for each case some thousandths of a second; it is bounded in Z3's resource units and, of bit-vectors, whose
// solver hardly counts those, by the number of its conflicts.
#include <fmt/format.h>
#include <z3++.h>

#include <algorithm>

#include "verifier/prover/algebra/algebra.h"
#include "verifier/prover/solver/cases.h"
#include "verifier/prover/solver/encode.h"

namespace quadrille::prover {
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
      if (!own || std::find(small.begin(), small.end(), atom) == small.end()) continue;
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
