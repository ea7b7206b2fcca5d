// A proof as text: what is not proved first, each at its place with a counterexample and what the checker finds there;
// then property by property. A violation that several obligations lead to is shown once.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "cli/render/prove_view.h"
#include "cli/render/render.h"
#include "cli/render/report_text.h"
#include "cli/render/wrapped.h"
#include "model/text/counted.h"
#include "model/verdict.h"

namespace quadrille::cli {
namespace {

constexpr std::size_t label = 12;  // columns of "theorem     "
constexpr std::size_t listed = 3;  // of each property, unless all are asked for

// --- what the proof is for -------------------------------------------------------------------------------------------

// The parameters that the proof was asked for, where it did not come to the ranges, or there are none.
std::string asked_text(const ProveView& view) {
  std::string parameters = parameters_of(view.schedule());
  if (parameters.empty()) return "the one size that the schedule has";
  if (view.outcome.defines.empty()) return parameters;
  return fmt::format("{}, with {}", parameters, fmt::join(view.outcome.defines, ", "));
}

std::string title(const ProveView& view) {
  std::string text = fmt::format("schedule    {}\n", view.schedule().name);
  if (!view.proof().machine.empty()) text += fmt::format("machine     {}\n", wrapped(view.proof().machine, label));
  std::vector<std::string> ranges;
  for (const ProvedParameter& parameter : view.proof().parameters) {
    ranges.push_back(driver::in_words(parameter, view.schedule()));
  }
  const std::string_view begin = view.proof().verdict == ProofVerdict::proved ? "proved for" : "asked for";
  return text + fmt::format("{:<11} {}\n", begin,
                            ranges.empty() ? asked_text(view) : fmt::format("{}", fmt::join(ranges, ", ")));
}

// --- what is not proved, and where it is written ---------------------------------------------------------------------

// "  with L = 3, h = 2 and h' = 3": primes are the second packet's.
std::string values_text(const Counterexample& found) {
  std::vector<std::string> first;
  std::vector<std::string> second;
  for (const auto& [name, value] : found.arguments) first.push_back(fmt::format("{} = {}", name, value));
  for (const auto& [name, value] : found.values) {
    (name.ends_with('\'') ? second : first).push_back(fmt::format("{} = {}", name, value));
  }
  if (first.empty()) return "";
  const std::string and_then = second.empty() ? "" : fmt::format(" and {}", fmt::join(second, ", "));
  return fmt::format("  with {}{}\n", fmt::join(first, ", "), and_then);
}

// The finding of the explicit checker at that size, unless it was told before (`told`).
std::string checked_text(const ProvedObligation& obligation, const ProveView& view, std::set<const Violation*>& told) {
  const Counterexample& found = *obligation.counterexample;
  if (!found.confirmed) {
    return found.text.empty()
               ? "  not checked at this size: the values were put into the formulas, and evaluated exactly\n"
               : "  not checked at this size: what is named here was followed by itself\n";
  }
  const driver::SizeResult& result = view.checked(found.arguments);
  if (!result.refused.empty()) {
    const Diagnostic& first = result.refused.front();
    return marked("note", "the compiler refuses this size: " + first.message, {first.span, {}}, view.sources,
                  view.paint);
  }
  const Violation* violation = result.first(driver::checked_property(obligation.property));
  if (violation == nullptr || !told.insert(violation).second) return "";
  return marked(
      "note", fmt::format("the checker finds at this size: {}: {}", to_string(violation->property), violation->message),
      origin_of(*violation), view.sources, view.paint);
}

// A fault that no obligation says: the checker has tried a small size, and something is wrong there.
std::string refuted_by_checker_text(const ProvedObligation& obligation, const ProveView& view,
                                    std::set<const Violation*>& told) {
  std::vector<std::string> values;
  for (const auto& [name, value] : obligation.counterexample->arguments) {
    values.push_back(fmt::format("{} = {}", name, value));
  }
  const std::string size = values.empty() ? "" : fmt::format(" with {}", fmt::join(values, ", "));
  return marked("refuted", fmt::format("by the checker alone: the schedule is wrong{}", size), {obligation.span, {}},
                view.sources, view.paint) +
         checked_text(obligation, view, told) +
         fmt::format("  to see it: `{}`\n", check_command(obligation.counterexample->arguments, view));
}

std::string unproved_text(const ProvedObligation& obligation, const ProveView& view, std::set<const Violation*>& told) {
  if (obligation.property == ProvedProperty::holds_at_small_sizes && obligation.counterexample) {
    return refuted_by_checker_text(obligation, view, told);
  }
  std::string message = fmt::format("{}: {}", to_string(obligation.property), obligation.meaning);
  if (obligation.verdict == ProofVerdict::unknown) message += fmt::format(" ({})", obligation.why);
  std::string text = marked(to_string(obligation.verdict), message, {obligation.span, {}}, view.sources, view.paint);
  if (!obligation.counterexample) return text;
  if (!obligation.counterexample->text.empty()) text += fmt::format("  {}\n", obligation.counterexample->text);
  text += values_text(*obligation.counterexample);
  if (obligation.second_span.known() && obligation.second_span != obligation.span) {
    text += marked("note", "the second packet is sent here", {obligation.second_span, {}}, view.sources, view.paint);
  }
  if (obligation.verdict == ProofVerdict::refuted) text += checked_text(obligation, view, told);
  return text;
}

// Whether the obligation stands for what beyond_text() tells.
bool told_below(const ProvedObligation& obligation, const Proof& proof) {
  return !obligation.written && obligation.span == proof.why_span;
}

std::string beyond_text(const ProveView& view) {
  if (view.proof().why.empty()) return "";
  const std::string sizes = view.outcome.first_sizes.value_or("NAME=FROM..TO for each parameter");
  return marked("unknown", "the prover cannot handle " + view.proof().why, {view.proof().why_span, {}}, view.sources,
                view.paint) +
         fmt::format("  to check sizes one by one: --sizes {}; what can be proved for all: quadrille help proving\n",
                     sizes);
}

bool stopped(const ProvedObligation& obligation) {
  return obligation.reason == Reason::cancelled || obligation.reason == Reason::timeout;
}

// The first obligation of those for which there was no time, and how many others there are.
std::string stopped_text(const ProveView& view, std::set<const Violation*>& told) {
  const auto& all = view.proof().obligations;
  const auto open = [](const ProvedObligation& each) { return each.verdict == ProofVerdict::unknown && stopped(each); };
  const auto first = std::ranges::find_if(all, open);
  if (first == all.end() || told_below(*first, view.proof())) return "";
  const auto others = static_cast<std::uint64_t>(std::ranges::count_if(all, open) - 1);
  std::string text = unproved_text(*first, view, told);
  if (others > 0) text += fmt::format("  and {}, for the same reason\n", counted(others, "other obligation"));
  return text;
}

std::string all_unproved_text(const ProveView& view) {
  std::string text;
  // Refutations before what is open. Where time ran out, each obligation would say the same, so one is listed.
  std::map<ProvedProperty, std::size_t> met;
  std::set<const Violation*> told;
  for (const ProofVerdict verdict : {ProofVerdict::refuted, ProofVerdict::unknown}) {
    for (const ProvedObligation& obligation : view.proof().obligations) {
      const bool known = stopped(obligation) || told_below(obligation, view.proof());
      if (obligation.verdict != verdict || (verdict == ProofVerdict::unknown && known)) continue;
      if (met[obligation.property]++ < listed || view.all) text += unproved_text(obligation, view, told);
    }
  }
  text += stopped_text(view, told) + beyond_text(view);
  return text.empty() ? text : text + "\n";
}

// --- property by property --------------------------------------------------------------------------------------------

// "bit-vectors of 35 to 129 bits, integers".
std::string theories_text(const std::vector<const ProvedObligation*>& obligations) {
  static constexpr std::string_view vectors = "bit-vectors of ";
  std::set<std::string> others;
  std::set<unsigned> widths;
  for (const ProvedObligation* obligation : obligations) {
    if (obligation->theory.theory == Theory::bit_vectors) {
      widths.insert(obligation->theory.bits);
    } else if (obligation->theory.theory != Theory::none) {
      others.insert(to_string(obligation->theory));
    }
  }
  std::vector<std::string> texts(others.begin(), others.end());
  if (widths.size() == 1) texts.push_back(fmt::format("{}{} bits", vectors, *widths.begin()));
  if (widths.size() > 1) texts.push_back(fmt::format("{}{} to {} bits", vectors, *widths.begin(), *widths.rbegin()));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string summary_text(ProvedProperty property, const std::vector<const ProvedObligation*>& obligations,
                         const ProveView& view) {
  const auto number = [&](ProofVerdict verdict) {
    return std::count_if(obligations.begin(), obligations.end(),
                         [&](const ProvedObligation* each) { return each->verdict == verdict; });
  };
  const auto proved = static_cast<std::size_t>(number(ProofVerdict::proved));
  const ProofVerdict verdict = driver::verdict_of(property, view.proof());
  if (property == ProvedProperty::claims && view.schedule().claims.empty()) return "none is written";
  if (obligations.empty()) {
    if (verdict != ProofVerdict::proved) return "";
    if (property == ProvedProperty::capacity)
      return "by contention_free: packets with lanes of their own are not too many";
    return "nothing is left to show";
  }
  const std::string all = counted(obligations.size(), "obligation");
  // A property that is proved says by which theories; another, how far it came.
  if (verdict == ProofVerdict::proved) return fmt::format("{}: {}", all, theories_text(obligations));
  if (verdict == ProofVerdict::refuted) return fmt::format("{} of {}", number(ProofVerdict::refuted), all);
  if (proved == obligations.size()) return fmt::format("{} proved, but there is more to show", all);
  return fmt::format("{} of {} proved", proved, all);
}

std::string obligation_text(const ProvedObligation& obligation, Paint paint) {
  const std::string where = obligation.where.empty() ? "" : fmt::format(" [{}]", obligation.where);
  return fmt::format("    {} {:>7.2f} s  {:<24} {}{}\n", paint(to_string(obligation.verdict), 8), obligation.seconds,
                     to_string(obligation.theory), obligation.meaning, where);
}

std::string property_text(ProvedProperty property, const ProveView& view) {
  if (property == ProvedProperty::invariants && view.schedule().invariants.empty()) return "";
  std::vector<const ProvedObligation*> obligations;
  for (const ProvedObligation& obligation : view.proof().obligations) {
    if (obligation.property == property) obligations.push_back(&obligation);
  }
  std::string text = fmt::format("  {:<16} {} {}", to_string(property),
                                 view.paint(to_string(driver::verdict_of(property, view.proof())), 9),
                                 summary_text(property, obligations, view));
  text = text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
  if (property == ProvedProperty::claims) {
    for (const ir::Claim& claim : view.schedule().claims) text += fmt::format("    {}\n", claim.text);
  }
  if (property == ProvedProperty::invariants) {
    for (const driver::ProvedInvariant& invariant : view.outcome.invariants) {
      text += fmt::format("    {}\n", view.paint.like(to_string(invariant.verdict), invariant.text));
    }
  }
  if (!view.all) return text;
  for (const ProvedObligation* obligation : obligations) text += obligation_text(*obligation, view.paint);
  return text;
}

std::string offer_text(const ProveView& view) {
  if (!view.outcome.first_sizes) return "";
  std::string command = "quadrille prove " + view.outcome.file;
  for (const std::string& define : view.outcome.defines) command += " -D " + define;
  return fmt::format("            `{} --sizes {}` checks sizes one by one\n", command, *view.outcome.first_sizes);
}

// --- why it is right -------------------------------------------------------------------------------------------------

constexpr std::size_t reasons_told = 3;  // of a kind

// The first of the different meanings of what is proved of these properties and chosen.
std::vector<std::string> meanings(const Proof& proof, std::initializer_list<ProvedProperty> properties,
                                  bool (*chosen)(const ProvedObligation&)) {
  std::vector<std::string> result;
  for (const ProvedObligation& each : proof.obligations) {
    const bool fresh = std::ranges::find(result, each.meaning) == result.end();
    const bool of_them = std::ranges::find(properties, each.property) != properties.end();
    if (of_them && fresh && each.verdict == ProofVerdict::proved && !each.vacuous.value_or(false) && chosen(each) &&
        result.size() < reasons_told)
      result.push_back(each.meaning);
  }
  return result;
}

std::string explain_text(const ProveView& view) {
  const Proof& proof = view.proof();
  std::string text = "\n";
  const auto add = [&](std::string_view head, const std::vector<std::string>& all) {
    for (const std::string& each : all)
      text += fmt::format("{:<11} {}\n", std::exchange(head, ""), wrapped(each, label));
  };
  const auto any = [](const ProvedObligation&) { return true; };
  const auto bound = [](const ProvedObligation& each) { return each.meaning.starts_with("less than "); };
  if (proof.relation) {
    text += fmt::format("held        {}, by induction over time:\n",
                        proof.relation->pasted ? "this invariant" : "in the form of an invariant");
    text += proof.relation->text + "\n";
  } else {
    add("held", meanings(proof, {ProvedProperty::invariants, ProvedProperty::causal, ProvedProperty::complete}, any));
  }
  add("apart", meanings(proof, {ProvedProperty::contention_free, ProvedProperty::capacity}, any));
  add("bound", meanings(proof, {ProvedProperty::claims}, bound));
  return text;
}

}  // namespace

std::string check_command(const Arguments& arguments, const ProveView& view) {
  driver::TableRequest input{view.outcome.file};
  for (const auto& [name, value] : arguments) input.defines.push_back(fmt::format("{}={}", name, value));
  return command_text("check", input);
}

std::string rendered(AsText form, const driver::ProveOutcome& outcome, const Sources& sources) {
  const ProveView view{outcome, sources, form.all, form.paint};
  std::string text = all_unproved_text(view) + title(view) + "\n";
  for (const ProvedProperty property : driver::proved_properties) text += property_text(property, view);
  text += fmt::format("\nverdict     {}\n", view.paint(to_string(view.proof().verdict)));
  if (view.proof().verdict == ProofVerdict::unknown) text += offer_text(view);
  if (refuted_by_checker_alone(view.proof())) {
    text += "            by the checker, at one size; the prover has refuted nothing\n";
  }
  if (outcome.theorem) text += fmt::format("theorem     {}\n", wrapped(outcome.theorem->text, label));
  if (form.explain) text += explain_text(view);
  return text;
}

}  // namespace quadrille::cli
