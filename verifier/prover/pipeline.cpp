// The stages of a proof, each a function from a finished value to a finished value:
//
//   schedule ──unfold──▶ problem ──collect──▶ obligations ──discharge──▶ decisions ──explained──▶ what a person is told
//
// Then come the verdict, and the checker's verdict on the smallest sizes. If formulas for the apex levels of packets
// are guessed, and one is not proved, the obligations are collected again without them.
//
// The design follows Boogie (Barnett, Chang, DeLine, Jacobs, Leino: Boogie: A Modular Reusable Verifier for
// Object-Oriented Programs, 2005): a program is lowered to formulas, each with its place in the source, before a
// solver is asked anything.
#include "verifier/prover/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "verifier/prover/collect.h"
#include "verifier/prover/problem/problem.h"
#include "verifier/prover/solver/decide.h"
#include "verifier/prover/unfold/unfold.h"

namespace quadrille::prover {
namespace {

// The data that all stages of one proof share.
struct Run {
  const ir::Schedule& schedule;
  const ProveOptions& options;
  Watch& watch;
  const Arguments& arguments;
  CheckedSizes checked{options.holds_at};
  Algebra algebra = {};

  SolverEffort effort() const { return {watch, options.effort}; }
};

// --- unfold -------------------------------------------------------------------------------------------------------

struct Unfolded {
  std::unique_ptr<Unfolder> unfolder;      // null: not even the parameters' ranges are known
  std::optional<Unsupported> unsupported;  // then the problem is what was known by then
  Reason stopped = Reason::none;           // likewise

  bool whole() const { return unfolder && !unsupported && stopped == Reason::none; }
};

// Whether the ranges of `scope` and the parameters contain values with which `given` holds. The answer may be a wrong
// yes.
bool feasible(Run& run, const Problem& problem, const std::vector<Atom>& scope, Formula given) {
  run.watch.report({.stage = "reading the schedule for all sizes", .done = std::nullopt});
  Obligation never{
      .scope = scope, .given = run.algebra.conjunction({problem.sizes, given}), .must = run.algebra.truth(false)};
  for (const Atom parameter : open_parameters(problem)) never.scope.push_back(parameter);
  const Decision decision = decide(run.algebra, never, {}, run.effort());
  run.watch.require_open();
  return decision.verdict != ProofVerdict::proved;
}

Unfolded unfold(Run& run) {
  Unfolded result;
  try {
    const auto possible = [&run, &result](const std::vector<Atom>& scope, Formula given) {
      return feasible(run, result.unfolder->problem(), scope, given);
    };
    result.unfolder = std::make_unique<Unfolder>(run.algebra, run.schedule, run.arguments, possible, run.watch);
    // With empty ranges everything would be proved, but of no size at all.
    if (!possible({}, run.algebra.truth(true)))
      throw Unsupported{"the parameters' ranges, which have no value at all", run.schedule.fabric.span};
    result.unfolder->run();
  } catch (const Unsupported& problem) {
    result.unsupported = problem;
  } catch (const Ended& end) {
    result.stopped = end.reason;
  }
  return result;
}

// --- obligations and decisions ------------------------------------------------------------------------------------

struct Discharged {
  CollectedObligations collected;
  Decisions decisions;
  std::optional<ProvedRelation> relation = {};

  // Whether an obligation of this kind is not proved.
  bool fails(bool Obligation::*kind) const {
    for (std::size_t i = 0; i < decisions.all.size(); ++i) {
      if (collected.obligations[i].*kind && !decisions.all[i].proved()) return true;
    }
    return false;
  }

  std::size_t not_proved() const {
    const auto open = std::ranges::count(decisions.all, false, &Decision::proved);
    return collected.open.size() + static_cast<std::size_t>(open);
  }

  bool refutes(const Subject& subject) const {
    for (std::size_t i = 0; i < decisions.all.size(); ++i) {
      if (confirmed(subject, collected.obligations[i], decisions.all[i])) return true;
    }
    return false;
  }
};

Discharging discharging(Run& run, const Subject& subject) {
  Discharging how{.effort = run.effort(), .threads = run.options.threads, .small = open_parameters(subject.problem)};
  if (run.options.until_refuted) {
    how.enough = [&subject](const Obligation& obligation, const Decision& decision) {
      return confirmed(subject, obligation, decision);
    };
  }
  return how;
}

Discharged collect_and_discharge(Run& run, Unfolder& unfolder, const Subject& subject, const Approaches& approaches) {
  Discharged result;
  result.collected = collect(run.algebra, unfolder.problem(), unfolder.expressions(), run.watch, approaches);
  result.decisions = discharge(run.algebra, result.collected.obligations, discharging(run, subject));
  return result;
}

constexpr std::uint32_t most_effort_of_relation = 30'000'000;  // for each obligation

// Whether a property says what is held, which a relation may show.
bool of_holding(ProvedProperty property) {
  return property == ProvedProperty::causal || property == ProvedProperty::complete;
}

// Whether what is held is open, and all else is proved but perhaps claims.
bool holding_is_open(const Discharged& all) {
  bool open = false;
  const auto prevents = [&open](ProvedProperty property) {
    open = open || of_holding(property);
    return !of_holding(property) && property != ProvedProperty::claims;
  };
  for (std::size_t i = 0; i < all.decisions.all.size(); ++i) {
    if (!all.decisions.all[i].proved() && prevents(all.collected.obligations[i].property)) return false;
  }
  return std::ranges::none_of(all.collected.open, prevents, &ProvedObligation::property) && open;
}

// Sets the first reason why something could not be written.
void find_unsupported(CollectedObligations& collected) {
  collected.unsupported.reset();
  const auto first = std::ranges::find(collected.open, Reason::unsupported, &ProvedObligation::reason);
  if (first != collected.open.end()) collected.unsupported = Unsupported{first->why, first->span};
}

// Takes out what says what is held.
void remove_holding(Discharged& all) {
  Discharged rest;
  for (std::size_t i = 0; i < all.decisions.all.size(); ++i) {
    if (of_holding(all.collected.obligations[i].property)) continue;
    rest.collected.obligations.push_back(std::move(all.collected.obligations[i]));
    rest.decisions.all.push_back(std::move(all.decisions.all[i]));
  }
  std::ranges::copy_if(all.collected.open, std::back_inserter(rest.collected.open),
                       [](const ProvedObligation& each) { return !of_holding(each.property); });
  all = std::move(rest);
  find_unsupported(all.collected);
}

// Says of what is held that its time was over before all ways to show it were tried.
void end_holding(Discharged& all, Reason reason) {
  for (ProvedObligation& each : all.collected.open) {
    if (!of_holding(each.property)) continue;
    each.reason = reason;
    each.why = fmt::format("{}; what is held was being guessed", why_of(reason));
  }
  find_unsupported(all.collected);
}

// Appends obligations and their decisions.
void append(Discharged& all, std::vector<Obligation> obligations, Decisions decisions) {
  std::ranges::move(obligations, std::back_inserter(all.collected.obligations));
  std::ranges::move(decisions.all, std::back_inserter(all.decisions.all));
}

// Shows the claims that were open, if some messages carry what is held, by the relation that says what that is.
void show_claims_by_relation(Run& run, Unfolder& unfolder, const Subject& subject, const CollectedByRelation& shown,
                             Discharged& all) {
  auto& open = all.collected.open;
  if (open.empty() || std::ranges::none_of(subject.problem.families, &Family::held)) return;
  CollectedObligations again =
      collect_claims(run.algebra, unfolder.problem(), unfolder.expressions(), run.watch, shown, open);
  open = std::move(again.open);
  find_unsupported(all.collected);
  Decisions decisions = discharge(run.algebra, again.obligations, discharging(run, subject));
  append(all, std::move(again.obligations), std::move(decisions));
}

// Shows by a relation what is held, in place of the obligations about it. False, and nothing is changed, unless all of
// that is proved.
bool show_by_relation(Run& run, Unfolder& unfolder, const Subject& subject, bool with_digits, Discharged& all) {
  try {
    run.watch.report({.stage = "guessing what is held", .done = std::nullopt});
    CollectedByRelation shown = collect_by_relation(run.algebra, subject.problem, run.watch, with_digits);
    // A relation counts only if all its obligations are proved, so the first that is not ends the try.
    Discharging how = discharging(run, subject);
    how.effort.units = how.effort.at_most(most_effort_of_relation).units;
    how.enough = [](const Obligation&, const Decision& it) { return !it.proved(); };
    Decisions decisions = discharge(run.algebra, shown.obligations, how);
    if (!std::ranges::all_of(decisions.all, &Decision::proved)) return false;
    remove_holding(all);
    append(all, std::move(shown.obligations), std::move(decisions));
    all.relation = shown.text;
    show_claims_by_relation(run, unfolder, subject, shown, all);
    return true;
  } catch (const Unsupported&) {
  } catch (const Ended&) {
  }
  return false;
}

// --- the verdict --------------------------------------------------------------------------------------------------

ProvedObligation no_waiting(bool rounds) {
  ProvedObligation done;
  done.property = ProvedProperty::queue;
  done.name = "no waiting";
  done.meaning = rounds ? "no message is left at a switch when its round ends"
                        : "no send waits on its way: a switch holds no packet over";
  done.theory = {Theory::construction};
  done.verdict = ProofVerdict::proved;
  return done;
}

void note(const Unsupported& problem, Proof& proof) {
  proof.reason = Reason::unsupported;
  proof.why = problem.reason;
  proof.why_span = problem.span;
}

void judge(Proof& proof) {
  const auto any = [&](ProofVerdict verdict) {
    return std::ranges::any_of(proof.obligations,
                               [&](const ProvedObligation& obligation) { return obligation.verdict == verdict; });
  };
  // One refuted obligation refutes the schedule; one open obligation leaves it unknown; otherwise it is proved.
  const bool open = any(ProofVerdict::unknown) || proof.reason != Reason::none;
  proof.verdict = open ? ProofVerdict::unknown : ProofVerdict::proved;
  if (any(ProofVerdict::refuted)) proof.verdict = ProofVerdict::refuted;
  for (const ProvedObligation& obligation : proof.obligations) {
    proof.reason = more_telling(proof.reason, obligation.reason);
  }
  if (proof.verdict == ProofVerdict::proved) proof.reason = Reason::none;
}

// Obligations that assume the invariants are only as well known as these.
void rest_on_invariants(const CollectedObligations& collected, std::vector<ProvedObligation>& obligations) {
  const auto open = [](const ProvedObligation& each) {
    return each.property == ProvedProperty::invariants && each.verdict != ProofVerdict::proved;
  };
  if (std::ranges::none_of(obligations, open) && std::ranges::none_of(collected.open, open)) return;
  for (std::size_t i = 0; i < collected.obligations.size(); ++i) {
    ProvedObligation& each = obligations[i];
    if (!collected.obligations[i].by_invariants || each.verdict == ProofVerdict::unknown) continue;
    each.verdict = ProofVerdict::unknown;
    each.counterexample.reset();
    each.reason = Reason::unsupported;
    each.why = "it rests on the invariants, which are not proved";
  }
}

void prove_whole(Run& run, Unfolder& unfolder, const Subject& subject, Proof& proof) {
  Approaches approaches;
  const auto discharged = [&] { return collect_and_discharge(run, unfolder, subject, approaches); };
  const auto again = [&](const Discharged& all) {
    return !all.decisions.enough && run.watch.reached() == Reason::none;
  };
  Discharged all = discharged();
  // The guessed levels made the obligations simpler, but one guess is not proved, so nothing that used the guesses
  // counts.
  if (all.fails(&Obligation::about_apexes) && again(all)) {
    approaches.with_apexes = false;
    all = discharged();
  }
  // Weak invariants must not prevent a proof that is possible without them.
  if (!subject.problem.collective.reduction && all.fails(&Obligation::by_invariants) && again(all)) {
    approaches.by_invariants = false;
    Discharged without = discharged();
    if (without.not_proved() < all.not_proved() || without.refutes(subject)) all = std::move(without);
  }
  if (holding_is_open(all) && again(all)) {
    const bool shown =
        show_by_relation(run, unfolder, subject, false, all) || show_by_relation(run, unfolder, subject, true, all);
    if (const Reason ended = run.watch.reached(); !shown && ended != Reason::none) end_holding(all, ended);
  }
  proof.all_listed = true;
  proof.relation = all.relation;
  if (all.collected.unsupported) note(*all.collected.unsupported, proof);
  proof.obligations = explained(subject, all.collected.obligations, std::move(all.decisions.all));
  rest_on_invariants(all.collected, proof.obligations);
  proof.obligations.insert(proof.obligations.end(), all.collected.open.begin(), all.collected.open.end());
}

void prove_whole_or_note(Run& run, Unfolder& unfolder, const Subject& subject, Proof& proof) {
  try {
    prove_whole(run, unfolder, subject, proof);
  } catch (const Unsupported& problem) {
    note(problem, proof);
  } catch (const Ended& end) {
    proof.reason = end.reason;
  }
  proof.obligations.push_back(no_waiting(subject.problem.machine.rounds));
}

Proof proof_of(Run& run, const Unfolded& unfolded) {
  Proof proof;
  proof.reason = unfolded.stopped;
  if (unfolded.unsupported) note(*unfolded.unsupported, proof);
  if (unfolded.unfolder) {
    const Problem& problem = unfolded.unfolder->problem();
    for (const ProblemParameter& parameter : problem.parameters) {
      if (!parameter.idle) proof.parameters.push_back({parameter.name, parameter.values});
    }
    proof.machine = problem.machine.words;
    const Subject subject{problem, run.arguments, run.checked};
    if (unfolded.whole()) prove_whole_or_note(run, *unfolded.unfolder, subject, proof);
  }
  judge(proof);
  return proof;
}

// Any fault in here leaves the schedule unknown.
Proof failed(const ir::Schedule& schedule, Failure failure) {
  Proof proof;
  proof.reason = failure.reason;
  proof.why = std::move(failure.why);
  proof.why_span = schedule.fabric.span;
  return proof;
}

}  // namespace

PatternProof prove_pattern(const ir::Schedule& schedule, const ProveOptions& options, Watch& watch,
                           const Arguments& arguments, const std::vector<Arguments>& others) {
  Run run{schedule, options, watch, arguments};
  run.algebra.pulse = [&watch] { watch.require_open(); };
  PatternProof result;
  Unfolded unfolded;
  try {
    unfolded = unfold(run);
    result.proof = proof_of(run, unfolded);
  } catch (const std::exception& problem) {
    result.proof = failed(schedule, failure_of(problem));
  }
  if (!unfolded.unfolder) return result;  // without one, the parameters' ranges are not known
  const Problem& problem = unfolded.unfolder->problem();
  result.for_any_capacity = !problem.capacities_used && !problem.machine.widening;
  const bool any = result.for_any_capacity && !others.empty();
  result.proof = with_second_opinion(std::move(result.proof), run.algebra, {problem, arguments, run.checked},
                                     any ? others : std::vector<Arguments>{{}}, watch);
  return result;
}

}  // namespace quadrille::prover
