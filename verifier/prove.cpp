#include "verifier/prove.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "compiler/ir.h"
#include "verifier/prover/decide.h"
#include "verifier/prover/obligations.h"
#include "verifier/prover/timing.h"
#include "verifier/prover/turns.h"
#include "verifier/prover/unfold.h"

namespace quadrille {
namespace {

using namespace prover;

using Arguments = std::map<std::string, std::string>;

// The whole of one proof: a schedule, with a value for each pattern parameter.
class Prover {
 public:
  Prover(const ir::Schedule& schedule, const ProveOptions& options, Arguments arguments)
      : schedule_(schedule), options_(options), arguments_(std::move(arguments)) {}

  Proof run() {
    try {
      unfold();
      collect();
    } catch (const Beyond& beyond) {
      note(beyond);
    }
    proof_.machine = unfolder_ ? unfolder_->problem().machine.words : "";
    decide_all();
    if (proof_.beyond.empty()) {
      by_construction("queue", "no waiting", "no send waits on its way: a switch holds no packet over");
    }
    judge();
    return std::move(proof_);
  }

  // Whether the proof speaks of capacities at all; else it is for any.
  bool uses_capacities() const {
    return unfolder_ && (unfolder_->problem().capacities_used || unfolder_->problem().machine.widening);
  }
  Proof take() { return std::move(proof_); }

 private:
  void note(const Beyond& beyond) {
    if (!proof_.beyond.empty()) return;
    proof_.beyond = beyond.reason;
    proof_.beyond_span = beyond.span;
  }

  void unfold() {
    const Feasible feasible = [this](const std::vector<Atom>& scope, Formula given) {
      const Obligation never{"", "", "", scope, given, algebra_.truth(false), {}};
      return decide(algebra_, never, {}, options_.milliseconds, options_.cancelled).verdict != ProofVerdict::proved;
    };
    unfolder_ = std::make_unique<Unfolder>(algebra_, schedule_, arguments_, feasible);
    unfolder_->run();
    for (const Parameter& parameter : unfolder_->problem().parameters) {
      if (!parameter.idle) proof_.parameters.push_back({parameter.name, parameter.values});
    }
  }

  // Each property on its own: what is beyond us in one leaves the others.
  void collect() {
    algebra_.compare_by_bounds(false);
    Obligations obligations(algebra_, unfolder_->problem());
    obligations.all() = find_turns(algebra_, unfolder_->problem());
    const auto attempt = [&](const auto& part) {
      try {
        part();
      } catch (const Beyond& beyond) {
        note(beyond);
      }
    };
    attempt([&] { obligations.contention(); });
    attempt([&] { obligations.causal(); });
    attempt([&] { obligations.complete(); });
    for (const ir::Claim& claim : schedule_.claims) attempt([&] { this->claim(claim, obligations); });
    obligations.well_formed();  // with what the claims must be defined by
    obligations_ = std::move(obligations.all());
  }

  static bool mentions(const ir::Expression& e, ir::Builtin which) {
    if (e.op == ir::Op::call_builtin && e.number == static_cast<std::int64_t>(which)) return true;
    return std::any_of(e.operands.begin(), e.operands.end(),
                       [&](const ir::Expression& operand) { return mentions(operand, which); });
  }

  void claim(const ir::Claim& claim, Obligations& obligations) {
    Expressions& expressions = unfolder_->expressions();
    Frame frame(claim.frame.size);
    const Formula when = claim.when ? expressions.truth(*claim.when, frame) : algebra_.truth(true);
    if (when == algebra_.truth(false)) {
      by_construction("claims", claim.text, "its condition never holds here", claim.span);
      return;
    }
    const Path::Step step(expressions.path(), {}, when);
    Measures measures;
    measures.max_queue = Number(0);
    std::vector<Obligation> more;
    if (mentions(claim.claim, ir::Builtin::steps)) {
      measures.steps = Timing(algebra_, unfolder_->problem(), when, more).steps();
    }
    if (mentions(claim.claim, ir::Builtin::messages)) measures.messages = obligations.messages();
    expressions.set_measures(measures);
    const Formula holds = expressions.truth(claim.claim, frame);
    std::string meaning = claim.text;
    if (measures.steps) meaning += fmt::format(", where steps is {}", to_string(*measures.steps));
    std::vector<Atom> scope;
    for (const Parameter& parameter : unfolder_->problem().parameters) {
      if (parameter.variable) scope.push_back(*parameter.variable);
    }
    for (Obligation& obligation : more) {
      obligation.name = fmt::format("{}: {}", claim.text, obligation.name);
      obligations.all().push_back(std::move(obligation));
    }
    obligations.all().push_back({"claims", claim.text, meaning, scope, when, holds, claim.span});
  }

  void by_construction(const std::string& property, const std::string& name, const std::string& meaning,
                       Span span = {}) {
    ProvedObligation done;
    done.property = property;
    done.name = name;
    done.meaning = meaning;
    done.theory = "by construction";
    done.verdict = ProofVerdict::proved;
    done.span = span;
    proof_.obligations.push_back(std::move(done));
  }

  // --- deciding ------------------------------------------------------------------------------------------------------

  void decide_all() {
    std::vector<Decision> decisions(obligations_.size());
    std::vector<Atom> small;
    if (unfolder_) {
      for (const Parameter& parameter : unfolder_->problem().parameters) {
        if (parameter.variable) small.push_back(*parameter.variable);
      }
    }
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
      for (std::size_t i = next++; i < obligations_.size(); i = next++) {
        if (options_.cancelled && options_.cancelled()) {
          decisions[i].reason = "interrupted";
        } else {
          decisions[i] = decide(algebra_, obligations_[i], small, options_.milliseconds, options_.cancelled);
        }
      }
    };
    std::vector<std::thread> helpers;
    for (unsigned i = 1; i < options_.threads; ++i) helpers.emplace_back(work);
    work();
    for (std::thread& helper : helpers) helper.join();
    for (std::size_t i = 0; i < decisions.size(); ++i) report(obligations_[i], decisions[i]);
  }

  void report(const Obligation& obligation, Decision& decision) {
    ProvedObligation result;
    result.property = obligation.property;
    result.name = obligation.name;
    result.meaning = obligation.meaning;
    result.theory = decision.theory;
    result.verdict = decision.verdict;
    result.reason = decision.reason;
    result.seconds = decision.seconds;
    result.smt2 = std::move(decision.smt2);
    result.span = obligation.span;
    if (decision.vacuous) result.meaning += " (there are none)";
    if (decision.verdict == ProofVerdict::refuted) refute(obligation, decision, result);
    proof_.obligations.push_back(std::move(result));
  }

  // Brings a refutation home: the size, the values, and whether the checker agrees.
  void refute(const Obligation& obligation, const Decision& decision, ProvedObligation& result) {
    if (!evaluate(obligation.given, decision.counterexample) || evaluate(obligation.must, decision.counterexample)) {
      result.verdict = ProofVerdict::unknown;
      result.reason = "a fault of the prover: Z3's counterexample is none";
      return;
    }
    Counterexample found;
    found.arguments = arguments_;
    for (const Parameter& parameter : unfolder_->problem().parameters) {
      if (!parameter.variable) continue;
      const auto value = decision.counterexample.find(*parameter.variable);
      if (value != decision.counterexample.end()) found.arguments[parameter.name] = value->second.str();
    }
    for (const auto& [atom, value] : decision.counterexample) {
      if (found.arguments.count(atom->name) == 0) found.values.emplace_back(atom->name, value.str());
    }
    result.counterexample = std::move(found);
  }

  void judge() {
    proof_.verdict = proof_.beyond.empty() ? ProofVerdict::proved : ProofVerdict::unknown;
    for (ProvedObligation& obligation : proof_.obligations) {
      if (obligation.counterexample) confirm(obligation);
      if (obligation.verdict == ProofVerdict::refuted) proof_.verdict = ProofVerdict::refuted;
    }
    if (proof_.verdict == ProofVerdict::refuted) return;
    for (const ProvedObligation& obligation : proof_.obligations) {
      if (obligation.verdict == ProofVerdict::unknown) proof_.verdict = ProofVerdict::unknown;
    }
  }

  // An obligation may be more than the property needs (lanes, formulas for the steps): what the checker accepts is not
  // refuted.
  void confirm(ProvedObligation& obligation) {
    if (!options_.holds_at) return;
    auto [place, fresh] = held_.emplace(obligation.counterexample->arguments, std::nullopt);
    if (fresh) place->second = options_.holds_at(place->first);
    if (!place->second) return;
    obligation.counterexample->confirmed = !*place->second;
    if (!*place->second) return;
    obligation.verdict = ProofVerdict::unknown;
    obligation.reason = "the prover's rule does not hold there, but the checker finds nothing wrong at that size";
  }

  const ir::Schedule& schedule_;
  const ProveOptions& options_;
  Arguments arguments_;
  Algebra algebra_;
  std::unique_ptr<Unfolder> unfolder_;
  std::vector<Obligation> obligations_;
  std::map<Arguments, std::optional<bool>> held_;
  Proof proof_;
};

// A proof for one more value of the pattern parameters.
void add(Proof& whole, Proof proof, const std::string& where) {
  for (ProvedObligation& obligation : proof.obligations) obligation.where = where;
  if (whole.parameters.empty()) {
    whole = std::move(proof);
    return;
  }
  for (std::size_t i = 0; i < whole.parameters.size(); ++i) {
    if (whole.parameters[i].values != proof.parameters[i].values) {
      whole.parameters[i].values += " or " + proof.parameters[i].values;
    }
  }
  if (whole.machine != proof.machine) whole.machine += "; " + proof.machine;
  whole.obligations.insert(whole.obligations.end(), proof.obligations.begin(), proof.obligations.end());
  if (whole.beyond.empty()) {
    whole.beyond = proof.beyond;
    whole.beyond_span = proof.beyond_span;
  }
  const auto either = [&](ProofVerdict v) { return whole.verdict == v || proof.verdict == v; };
  if (either(ProofVerdict::unknown)) whole.verdict = ProofVerdict::unknown;
  if (proof.verdict == ProofVerdict::refuted) whole.verdict = ProofVerdict::refuted;
}

}  // namespace

std::string_view to_string(ProofVerdict verdict) {
  switch (verdict) {
    case ProofVerdict::proved:
      return "proved";
    case ProofVerdict::refuted:
      return "refuted";
    case ProofVerdict::unknown:
      return "unknown";
  }
  return "";
}

Proof prove(const ir::Schedule& schedule, const ProveOptions& options) {
  std::vector<std::string> patterns;  // those without a value
  for (const ir::Parameter& parameter : schedule.parameters) {
    const bool given = options.arguments.count(parameter.name) > 0;
    if (parameter.pattern && !parameter.idle && !given) patterns.push_back(parameter.name);
  }
  Proof whole;
  for (const std::string word : {"constant", "exponential"}) {
    Arguments arguments = options.arguments;
    for (const std::string& name : patterns) arguments[name] = word;
    Prover prover(schedule, options, arguments);
    Proof proof = prover.run();
    if (patterns.empty()) return proof;
    const bool any = word == std::string("constant") && !prover.uses_capacities();
    for (ProvedParameter& parameter : proof.parameters) {
      const bool pattern = std::find(patterns.begin(), patterns.end(), parameter.name) != patterns.end();
      if (pattern && any) parameter.values = "any";
    }
    if (any) return proof;
    add(whole, std::move(proof), fmt::format("{}={}", fmt::join(patterns, "="), word));
  }
  return whole;
}

}  // namespace quadrille
