// A refutation counts only if it is confirmed. Z3's values are evaluated in the obligation with exact arithmetic; the
// behaviour of the packets concerned is computed hop by hop; and the checker must find a fault, too, unless the size's
// table is too large for it. An obligation that is only a step of one possible proof refutes nothing unless the checker
// does.
//
// Example: "no two packets cross the same channel upwards in the same step" fails for L = 2, k = 1, k' = 3: the checker
// refuses L = 2, and "3->0 and 1->0 cross channel 1.0->0 in step 5".
//
// Cost: a run of the checker for each size that is refuted, on a table as large as the checker takes.
#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "verifier/prover/pipeline.h"
#include "verifier/prover/problem/problem.h"
#include "verifier/prover/solver/decide.h"

namespace quadrille::prover {
namespace {

// The most processors of a size at which the checker is asked. A table has as many rows at least, or nearly: every
// processor sends or gets something. The checker itself counts the rows (driver/prove/size_checker.h).
constexpr int largest_checked = 8'000'000;

bool is_counterexample(const Obligation& obligation, const Assignment& values) {
  for (const auto& [atom, value] : values) {
    if (atom->first && value < evaluate(*atom->first, values)) return false;
    if (atom->last && value > evaluate(*atom->last, values)) return false;
  }
  return evaluate(obligation.given, values) && !evaluate(obligation.must, values);
}

// The values, completed by values of the parameters that the obligation does not contain.
Assignment completed(const Problem& problem, Assignment values) {
  for (const Atom parameter : open_parameters(problem)) {
    if (values.count(parameter) == 0) values[parameter] = evaluate(*parameter->first, values);
  }
  for (const Clock& clock : problem.clocks) {
    if (clock.length) values.emplace(*clock.length, 0);
  }
  return values;
}

Counterexample concretized(const Subject& subject, const Assignment& values) {
  Counterexample found;
  const Assignment size = completed(subject.problem, values);
  found.arguments = subject.at(size);
  for (const auto& [atom, value] : values) {
    if (found.arguments.count(atom->name) == 0) found.values.emplace_back(atom->name, value.str());
  }
  if (evaluate(subject.problem.processors, size) > largest_checked) return found;
  if (const auto right = subject.checked.hold(found.arguments)) found.confirmed = !*right;
  return found;
}

void leave_open(ProvedObligation& result, Reason reason, std::string why) {
  result.verdict = ProofVerdict::unknown;
  result.reason = reason;
  result.why = std::move(why);
}

class Explainer {
 public:
  Explainer(const Subject& subject, const std::vector<Obligation>& obligations, std::vector<Decision> decisions)
      : subject_(subject), obligations_(obligations), decisions_(std::move(decisions)) {}

  std::vector<ProvedObligation> all() {
    std::vector<ProvedObligation> result;
    for (std::size_t i = 0; i < obligations_.size(); ++i) {
      result.push_back(one(obligations_[i], decisions_[i]));
      if (result.back().reason == Reason::internal && may_have_no_value()) {
        leave_open(result.back(), Reason::unsupported,
                   "the way to show it fails where what is written may have no value");
      }
    }
    return result;
  }

 private:
  ProvedObligation one(const Obligation& obligation, Decision& decision) const {
    ProvedObligation result;
    result.property = obligation.property;
    result.name = obligation.name;
    result.meaning = obligation.meaning;
    result.claim = obligation.group;
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
    if (decision.verdict == ProofVerdict::refuted) try_to_refute(obligation, decision, result);
    return result;
  }

  void try_to_refute(const Obligation& obligation, const Decision& decision, ProvedObligation& result) const {
    try {
      refute(obligation, decision, result);
    } catch (const std::exception& problem) {
      Failure failure = failure_of(problem);
      leave_open(result, failure.reason, std::move(failure.why));
    }
  }

  void refute(const Obligation& obligation, const Decision& decision, ProvedObligation& result) const {
    if (!is_counterexample(obligation, decision.counterexample)) {
      return leave_open(result, Reason::internal, "a fault of the prover: Z3's counterexample is none");
    }
    if (obligation.property == ProvedProperty::claims && ill_formed_with(decision.counterexample)) {
      return leave_open(result, Reason::unsupported, "it was tried where what is written has no value");
    }
    Counterexample found = concretized(subject_, decision.counterexample);
    // Packets to neighbours are assumed to make a single hop; another obligation says so.
    // This is a second look, at the packets instead of the formula: do they do what the obligation forbids?
    const bool assumed = subject_.problem.machine.crossings.has_value();
    const bool confirmed = found.confirmed.value_or(false);
    if (!tell(obligation, decision.counterexample, found) && !(assumed && confirmed)) {
      return leave_open(result, assumed ? Reason::unsupported : Reason::internal,
                        assumed ? "this way to show it fails, as packets go further than to a neighbour"
                                : "a fault of the prover: the packets concerned do no such thing");
    }
    if (!confirmed) weigh(obligation, found, result);
    result.counterexample = std::move(found);
  }

  // Whether the schedule means nothing with these values. Conditions with more variables are not asked.
  bool ill_formed_with(const Assignment& values) const {
    const Assignment all = completed(subject_.problem, values);
    return std::ranges::any_of(obligations_, [&](const Obligation& each) {
      const auto known = [&](Atom variable) { return all.contains(variable); };
      return each.property == ProvedProperty::well_formed && std::ranges::all_of(all_variables(each), known) &&
             is_counterexample(each, all);
    });
  }

  // Whether an expression of the schedule may have no value. Then Z3's value, such as that of a quotient by 2^-1, may
  // differ from that of evaluate(), and neither is at fault.
  bool may_have_no_value() const {
    for (std::size_t i = 0; i < obligations_.size(); ++i) {
      const bool about_values = obligations_[i].property == ProvedProperty::well_formed;
      if (about_values && !decisions_[i].proved() && decisions_[i].reason != Reason::internal) return true;
    }
    return false;
  }

  // Tells what happens, if that is known; false if nothing wrong happens.
  bool tell(const Obligation& obligation, const Assignment& values, Counterexample& found) const {
    if (!obligation.explanation) return true;
    const auto text = obligation.explanation(completed(subject_.problem, values));
    if (!text) return !obligation.exact;
    if (measures_right(obligation)) found.text = *text;
    return true;
  }

  // Decides about a counterexample that the checker has not confirmed.
  void weigh(const Obligation& obligation, const Counterexample& found, ProvedObligation& result) const {
    if (found.confirmed) {
      const bool fault = obligation.exact && measures_right(obligation);
      return leave_open(result, fault ? Reason::internal : Reason::unsupported,
                        fault ? "a fault of the prover: the checker finds nothing wrong at that size"
                              : "this way to show it fails, but the checker finds nothing wrong at that size");
    }
    if (obligation.exact && grounded(obligation)) return;
    leave_open(result, Reason::unsupported, "this way to show it fails at a size that is too large to check");
  }

  // Whether the measures are right: counts and times are right only if the obligations that they build on are.
  bool measures_right(const Obligation& obligation) const {
    const bool measured = obligation.property == ProvedProperty::claims ||
                          (obligation.property == ProvedProperty::complete && obligation.exact);
    return measured ? grounded(obligation) : families_right();
  }

  // Whether all of these obligations are proved.
  bool all_proved(const auto& which) const {
    for (std::size_t i = 0; i < obligations_.size(); ++i) {
      if (which(obligations_[i]) && !decisions_[i].proved()) return false;
    }
    return true;
  }

  bool families_right() const { return all_proved(std::mem_fn(&Obligation::basic)); }

  // Whether all obligations that this one builds on are proved.
  bool grounded(const Obligation& obligation) const {
    const auto ground = [&](const Obligation& other) {
      return !other.exact && other.property == obligation.property && other.group == obligation.group;
    };
    return all_proved(ground) && families_right();
  }

  const Subject& subject_;
  const std::vector<Obligation>& obligations_;
  std::vector<Decision> decisions_;
};

}  // namespace

bool confirmed(const Subject& subject, const Obligation& obligation, const Decision& decision) {
  return decision.verdict == ProofVerdict::refuted && is_counterexample(obligation, decision.counterexample) &&
         concretized(subject, decision.counterexample).confirmed.value_or(false);
}

std::vector<ProvedObligation> explained(const Subject& subject, const std::vector<Obligation>& obligations,
                                        std::vector<Decision> decisions) {
  return Explainer(subject, obligations, std::move(decisions)).all();
}

}  // namespace quadrille::prover
