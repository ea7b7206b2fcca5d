#include "verifier/prover/prover.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "verifier/prover/apex.h"
#include "verifier/prover/obligations.h"
#include "verifier/prover/sampling.h"
#include "verifier/prover/timing.h"

namespace quadrille::prover {
namespace {

bool mentions(const ir::Expression& e, ir::Builtin which) {
  if (e.op == ir::Op::call_builtin && e.number == static_cast<std::int64_t>(which)) return true;
  return std::any_of(e.operands.begin(), e.operands.end(),
                     [&](const ir::Expression& operand) { return mentions(operand, which); });
}

}  // namespace

Prover::Prover(const ir::Schedule& schedule, const ProveOptions& options, Watch& watch, Arguments arguments)
    : schedule_(schedule), options_(options), watch_(watch), arguments_(std::move(arguments)) {}

// Whatever goes wrong in here leaves the schedule unknown.
Proof Prover::run() {
  try {
    return attempted();
  } catch (const std::exception& problem) {
    proof_.verdict = ProofVerdict::unknown;
    proof_.reason = Reason::internal;
    proof_.why = fmt::format("a fault of the prover: {}", problem.what());
    proof_.why_span = schedule_.fabric.span;
    return std::move(proof_);
  }
}

Proof Prover::attempted() {
  try {
    unfold();
    collect(true);
    decide_all();
    const bool apexes_hold = std::all_of(obligations_.begin(), obligations_.end(), [&](const Obligation& obligation) {
      return !obligation.about_apexes || decision_of(obligation).verdict == ProofVerdict::proved;
    });
    if (!apexes_hold && !enough_ && watch_.reached() == Reason::none) {  // without formulas for the levels, then
      collect(false);
      decide_all();
    }
  } catch (const Unsupported& problem) {
    note(problem);
  } catch (const LimitsReached& end) {
    proof_.reason = end.reason;
  }
  proof_.machine = unfolder_ ? unfolder_->problem().machine.words : "";
  for (std::size_t i = 0; i < decisions_.size(); ++i) report(obligations_[i], decisions_[i]);
  proof_.obligations.insert(proof_.obligations.end(), open_.begin(), open_.end());
  if (unfolded_) {
    by_construction(ProvedProperty::queue, "no waiting", "no send waits on its way: a switch holds no packet over");
  }
  judge();
  return std::move(proof_);
}

bool Prover::uses_capacities() const {
  return unfolder_ && (unfolder_->problem().capacities_used || unfolder_->problem().machine.widening);
}

void Prover::note(const Unsupported& problem) {
  if (!proof_.why.empty()) return;
  proof_.reason = Reason::unsupported;
  proof_.why = problem.reason;
  proof_.why_span = problem.span;
}

// Whether anything is in the ranges, with which `given` holds.
bool Prover::feasible(const std::vector<Atom>& scope, Formula given) {
  Obligation never;
  never.scope = with_parameters(scope);
  never.given = given;
  never.must = algebra_.truth(false);
  const Decision decision = decide(algebra_, never, {}, {watch_, options_.effort});
  watch_.throw_if_reached();
  return decision.verdict != ProofVerdict::proved;
}

void Prover::unfold() {
  unfolder_ = std::make_unique<Unfolder>(
      algebra_, schedule_, arguments_,
      [this](const std::vector<Atom>& scope, Formula given) { return feasible(scope, given); });
  for (const Parameter& parameter : unfolder_->problem().parameters) {
    if (!parameter.idle) proof_.parameters.push_back({parameter.name, parameter.values});
  }
  if (!feasible(open_parameters(unfolder_->problem()), algebra_.truth(true)))
    throw Unsupported{"the parameters' ranges, which have no value at all", schedule_.fabric.span};
  unfolder_->run();
  unfolded_ = true;
}

// Each property on its own: what is beyond us in one leaves the others.
void Prover::collect(bool with_apexes) {
  algebra_.compare_by_bounds(false);
  Problem& problem = unfolder_->problem();
  Obligations obligations(algebra_, problem, watch_);
  for (Family& family : problem.families) family.apex.reset();
  if (with_apexes) obligations.all() = find_apexes(algebra_, problem);
  open_.clear();
  const auto attempt = [&](ProvedProperty property, const std::string& name, Span span, const auto& part) {
    try {
      watch_.throw_if_reached();
      part();
    } catch (Unsupported& unsupported) {
      if (!unsupported.span.known()) unsupported.span = span;
      give_up(property, name, unsupported.span, Reason::unsupported, unsupported.reason);
      note(unsupported);
    } catch (const LimitsReached& end) {
      give_up(property, name, span, end.reason, why_of(end.reason));
    }
  };
  const Span whole = schedule_.collective.span;
  attempt(ProvedProperty::contention_free, "all", whole, [&] { obligations.contention(); });
  attempt(ProvedProperty::causal, "all", whole, [&] { obligations.causal(); });
  attempt(ProvedProperty::complete, "all", whole, [&] { obligations.complete(); });
  for (const ir::Claim& each : schedule_.claims) {
    attempt(ProvedProperty::claims, each.text, each.span, [&] { claim(each, obligations); });
  }
  obligations.well_formed();  // with what the claims must be defined by
  obligations_ = std::move(obligations.all());
  for (Obligation& obligation : obligations_) obligation.scope = with_parameters(std::move(obligation.scope));
}

// Nothing must hold at a size that the parameters' ranges do not allow.
std::vector<Atom> Prover::with_parameters(std::vector<Atom> scope) const {
  for (const Atom parameter : open_parameters(unfolder_->problem())) {
    if (std::find(scope.begin(), scope.end(), parameter) == scope.end()) scope.push_back(parameter);
  }
  return scope;
}

void Prover::claim(const ir::Claim& claim, Obligations& obligations) {
  Expressions& expressions = unfolder_->expressions();
  Frame frame(claim.frame.size);
  expressions.set_measures({});  // those of another claim hold under its condition only
  const Formula when = claim.when ? expressions.truth(*claim.when, frame) : algebra_.truth(true);
  const Path::Step step(expressions.path(), {}, when);
  Measures measures;
  measures.max_queue = Number(0);
  std::vector<Obligation> more;
  if (mentions(claim.claim, ir::Builtin::steps)) {
    measures.steps =
        when == algebra_.truth(false) ? Number(0) : Timing(algebra_, unfolder_->problem(), when, more, watch_).steps();
  }
  if (mentions(claim.claim, ir::Builtin::messages)) measures.messages = obligations.messages();
  expressions.set_measures(measures);
  const Formula holds = expressions.truth(claim.claim, frame);
  std::string meaning = claim.text;
  if (measures.steps) meaning += fmt::format(", where steps is {}", to_string(*measures.steps));
  // Where the claim is no more than that the formula is right, what arrives too late speaks against the claim.
  const bool same = holds == algebra_.truth(true);
  for (Obligation& obligation : more) {
    if (same && obligation.name == arrives_in_time) obligation.exact = true;
    obligation.group = claim.text;
    obligations.all().push_back(std::move(obligation));
  }
  Obligation obligation;
  obligation.property = ProvedProperty::claims;
  obligation.name = claim.text;
  obligation.meaning = meaning;
  obligation.scope = open_parameters(unfolder_->problem());
  obligation.given = when;
  obligation.must = holds;
  obligation.span = claim.span;
  obligation.group = claim.text;
  obligation.explanation = measured(measures);
  obligations.all().push_back(std::move(obligation));
}

// "steps is 9, messages is 56", as far as they are measured.
Explanation Prover::measured(const Measures& measures) {
  return [measures](const Assignment& values) -> std::optional<std::string> {
    std::vector<std::string> words;
    if (measures.steps) words.push_back(fmt::format("steps is {}", evaluate(*measures.steps, values).str()));
    if (measures.messages) words.push_back(fmt::format("messages is {}", evaluate(*measures.messages, values).str()));
    return fmt::format("{}", fmt::join(words, ", "));
  };
}

// What is not written down leaves the property unknown.
void Prover::give_up(ProvedProperty property, const std::string& name, Span span, Reason reason,
                     const std::string& why) {
  ProvedObligation open;
  open.property = property;
  open.name = name;
  open.meaning = name;
  open.reason = reason;
  open.why = why;
  open.span = span;
  open_.push_back(std::move(open));
}

void Prover::by_construction(ProvedProperty property, const std::string& name, const std::string& meaning) {
  ProvedObligation done;
  done.property = property;
  done.name = name;
  done.meaning = meaning;
  done.theory = {Theory::construction};
  done.verdict = ProofVerdict::proved;
  proof_.obligations.push_back(std::move(done));
}

// --- deciding --------------------------------------------------------------------------------------------------------

void Prover::decide_all() {
  decisions_.assign(obligations_.size(), {});
  // Claims may ask for the same.
  const auto same = [&](std::size_t i, std::size_t j) {
    const Obligation& a = obligations_[i];
    const Obligation& b = obligations_[j];
    return a.given == b.given && a.must == b.must && a.scope == b.scope;
  };
  std::vector<std::size_t> like(obligations_.size());
  for (std::size_t i = 0; i < like.size(); ++i) {
    while (!same(i, like[i])) ++like[i];
  }
  const std::vector<Atom> small = open_parameters(unfolder_->problem());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < obligations_.size(); i = next++) {
      if (like[i] == i) decisions_[i] = decided(obligations_[i], small);
    }
  };
  std::vector<std::thread> helpers;
  for (unsigned i = 1; i < options_.threads; ++i) helpers.emplace_back(work);
  work();
  for (std::thread& helper : helpers) helper.join();
  for (std::size_t i = 0; i < like.size(); ++i) decisions_[i] = decisions_[like[i]];
}

// No exception leaves it: it runs in threads.
Decision Prover::decided(const Obligation& obligation, const std::vector<Atom>& small) {
  Decision decision;
  if (enough_) {
    decision.reason = Reason::cancelled;
    decision.why = "not asked after a refutation";
  } else if (const Reason reached = watch_.reached(); reached != Reason::none) {
    decision.reason = reached;
    decision.why = why_of(reached);
  } else {
    decision = decide(algebra_, obligation, small, {watch_, options_.effort});
    try {
      if (options_.until_refuted && confirmed(obligation, decision)) enough_ = true;
    } catch (const std::exception& problem) {
      decision.verdict = ProofVerdict::unknown;
      decision.reason = Reason::internal;
      decision.why = fmt::format("a fault of the prover: {}", problem.what());
    }
  }
  return decision;
}

const Decision& Prover::decision_of(const Obligation& obligation) const {
  return decisions_[static_cast<std::size_t>(&obligation - obligations_.data())];
}

void Prover::report(const Obligation& obligation, Decision& decision) {
  ProvedObligation result;
  result.property = obligation.property;
  result.name = obligation.name;
  result.meaning = obligation.meaning;
  if (decision.by_shortcut) result.meaning += ": " + obligation.shortcut->meaning;
  result.theory = decision.theory;
  result.verdict = decision.verdict;
  result.reason = decision.reason;
  result.why = decision.why;
  result.effort = decision.effort;
  result.seconds = decision.seconds;
  result.smt2 = std::move(decision.smt2);
  result.span = obligation.span;
  result.second_span = obligation.second;
  result.vacuous = decision.vacuous;
  if (decision.vacuous.value_or(false)) result.meaning += " (there are none)";
  if (decision.verdict == ProofVerdict::refuted) refute(obligation, decision, result);
  proof_.obligations.push_back(std::move(result));
}

// --- the verdict -----------------------------------------------------------------------------------------------------

void Prover::judge() {
  const auto any = [&](ProofVerdict verdict) {
    return std::any_of(proof_.obligations.begin(), proof_.obligations.end(),
                       [&](const ProvedObligation& obligation) { return obligation.verdict == verdict; });
  };
  const bool open = any(ProofVerdict::unknown) || proof_.reason != Reason::none;
  proof_.verdict = open ? ProofVerdict::unknown : ProofVerdict::proved;
  if (any(ProofVerdict::refuted)) proof_.verdict = ProofVerdict::refuted;
  for (const ProvedObligation& obligation : proof_.obligations) {
    proof_.reason = more_telling(proof_.reason, obligation.reason);
  }
  if (proof_.verdict == ProofVerdict::proved) proof_.reason = Reason::none;
}

}  // namespace quadrille::prover
