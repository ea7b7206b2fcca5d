// A theorem covers only what every obligation was proved for. A schedule whose claims are not all proved is still
// correct, and the unproved claims are reported. The sentence stands by itself: it names what is done, on which
// machine, for which values; and where a claim names a definition of the schedule, what that stands for is written
// instead (plain_text.h). A claim of which this cannot be written in short is left out.
//
//   claims "rounds == N - 1", "volume == N - 1": ring is a correct allgather on a ring of N processors, in rounds, for
//   every N >= 2, in N - 1 rounds of volume N - 1
#include "driver/prove/theorem.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <vector>

#include "compiler/ir.h"
#include "driver/prove/plain_text.h"
#include "driver/prove/prove_summary.h"
#include "model/crossings.h"
#include "model/topology_family.h"

namespace quadrille::driver {
namespace {

using ir::Builtin;

constexpr std::string_view optimal_word = "optimal ";  // before the measure in a claim's text

bool is_pattern(const std::string& name, const ir::Schedule& schedule) {
  return std::any_of(schedule.parameters.begin(), schedule.parameters.end(),
                     [&](const ir::Parameter& parameter) { return parameter.name == name && parameter.pattern; });
}

// The expression, or `written`, its text in the schedule, if that names no definition.
std::optional<std::string> in_plain(const ir::Expression& expression, const ir::Frame& frame,
                                    const std::string& written, const ir::Schedule& schedule) {
  return has_definitions(expression) ? plain_text(expression, frame, schedule) : std::optional(written);
}

bool is_one_number(const std::string& values) { return values.find_first_not_of("-0123456789") == std::string::npos; }

// --- claims ----------------------------------------------------------------------------------------------------------

// Whether all obligations of the claim are proved, and some of them are not vacuous.
bool is_told(const ir::Claim& claim, const Proof& proof) {
  bool itself = false;
  bool proved = true;
  bool of_something = false;
  for (const ProvedObligation& obligation : proof.obligations) {
    if (obligation.property != ProvedProperty::claims || obligation.claim != claim.text) continue;
    proved = proved && obligation.verdict == ProofVerdict::proved;
    if (obligation.name != claim.text) continue;
    itself = true;
    of_something = of_something || !obligation.vacuous.value_or(false);
  }
  return itself && proved && of_something;
}

// The measure that `steps == …` is about, if the other side is no measure, too.
std::optional<Builtin> measured(const ir::Claim& claim) {
  const auto* comparison = std::get_if<ir::Binary>(&claim.claim.node);
  if (claim.when || comparison == nullptr || comparison->op != ir::BinaryOperator::equal) return std::nullopt;
  const auto* measure = std::get_if<ir::BuiltinCall>(&comparison->left->node);
  static constexpr std::array measures = {Builtin::steps, Builtin::rounds,    Builtin::volume,     Builtin::hops,
                                          Builtin::rows,  Builtin::max_queue, Builtin::max_buffer, Builtin::messages};
  const auto is_measure = [](Builtin which) {
    return std::find(measures.begin(), measures.end(), which) != measures.end();
  };
  const bool more = ir::any_part(*comparison->right, [&](const ir::Expression& part) {
    const auto* call = std::get_if<ir::BuiltinCall>(&part.node);
    return call != nullptr && is_measure(call->builtin);
  });
  if (measure == nullptr || more || !is_measure(measure->builtin)) return std::nullopt;
  return measure->builtin;
}

// "rounds == N - 1 when N >= 3"; "optimal steps when N >= 3". Nothing if its definitions have no short text.
std::optional<std::string> in_plain(const ir::Claim& claim, const ir::Schedule& schedule) {
  const bool defined = has_definitions(claim.claim) || (claim.when && has_definitions(*claim.when));
  if (!defined) return claim.text;
  auto text = plain_text(claim.claim, claim.frame, schedule);
  if (!text || !claim.when) return text;
  const auto when = plain_text(*claim.when, claim.frame, schedule);
  if (!when) return std::nullopt;
  return fmt::format("{}{} when {}", claim.optimal ? optimal_word : "", *text, *when);
}

// The other side of `steps == …`.
std::optional<std::string> other_side(const ir::Claim& claim, const ir::Schedule& schedule) {
  const ir::Expression& side = *std::get<ir::Binary>(claim.claim.node).right;
  return in_plain(side, claim.frame, claim.sides[1], schedule);
}

// "1 round", "N - 1 rounds".
std::string counted_in(const std::string& number, const char* unit) {
  return fmt::format("{} {}{}", number, unit, number == "1" ? "" : "s");
}

// ", in N - 1 rounds of volume N - 1; messages == N*(N - 1)".
std::string measures_text(const Proof& proof, const ir::Schedule& schedule) {
  std::map<Builtin, std::string> measures;
  std::vector<std::string> others;
  for (const ir::Claim& claim : schedule.claims) {
    if (claim.optimal || !is_told(claim, proof)) continue;
    const auto which = measured(claim);
    static constexpr std::array plainly = {Builtin::steps, Builtin::rounds, Builtin::volume, Builtin::hops};
    const bool plain = which && std::find(plainly.begin(), plainly.end(), *which) != plainly.end();
    const auto side = plain ? other_side(claim, schedule) : std::nullopt;
    if (side && measures.emplace(*which, *side).second) continue;
    if (const auto text = in_plain(claim, schedule)) others.push_back(*text);
  }
  std::string text;
  const auto add = [&](Builtin which, const char* unit) {
    if (const auto held = measures.find(which); held != measures.end())
      text += (text.empty() ? ", in " : " and ") + counted_in(held->second, unit);
  };
  add(Builtin::steps, "step");
  add(Builtin::rounds, "round");
  if (const auto held = measures.find(Builtin::volume); held != measures.end())
    text += fmt::format("{}of volume {}", text.empty() ? ", " : " ", held->second);
  add(Builtin::hops, "hop");
  for (const std::string& other : others) text += "; " + other;
  return text;
}

// ", and no schedule there takes fewer rounds or has less volume".
std::string optimal_text(const Proof& proof, const ir::Schedule& schedule) {
  std::vector<std::string> always;
  std::string conditional;
  for (const ir::Claim& claim : schedule.claims) {
    if (!claim.optimal || !is_told(claim, proof)) continue;
    const char* words = *claim.optimal == OptimalMeasure::steps    ? "takes fewer steps"
                        : *claim.optimal == OptimalMeasure::rounds ? "takes fewer rounds"
                                                                   : "has less volume";
    if (claim.when) {
      if (const auto text = in_plain(claim, schedule)) conditional += fmt::format("; {} of all there", *text);
    } else {
      always.emplace_back(words);
    }
  }
  if (always.empty()) return conditional;
  return fmt::format(", and no schedule there {}{}", fmt::join(always, " or "), conditional);
}

// --- what is done, and where -----------------------------------------------------------------------------------------

// "N, columns": the values of an argument; nothing if they have no short text.
std::optional<std::vector<std::string>> values_of(const ir::Argument& argument, const ir::Frame& frame,
                                                  const ir::Schedule& schedule) {
  std::vector<std::string> texts;
  for (const ir::Expression& value : argument.values) {
    const auto text = plain_text(value, frame, schedule);
    if (!text) return std::nullopt;
    texts.push_back(*text);
  }
  return texts;
}

// "broadcast(root: 0)"; "custom collective".
std::string collective_text(const ir::Schedule& schedule) {
  const ir::CollectiveLine& line = schedule.collective;
  std::string name(to_string(line.kind));
  if (!line.chunks.empty()) return name + " collective";  // whose chunks are listed: `custom`
  std::vector<std::string> texts;
  for (const ir::Argument& argument : line.arguments) {
    const bool of_values = argument.values.size() == 1 && !argument.index_slot && !argument.second_slot;
    const auto values = of_values ? values_of(argument, line.frame, schedule) : std::nullopt;
    const auto& text = values ? std::optional(values->front()) : argument.word;
    if (!text) return name;
    texts.push_back(argument.key.empty() ? *text : fmt::format("{}: {}", argument.key, *text));
  }
  return texts.empty() ? name : fmt::format("{}({})", name, fmt::join(texts, ", "));
}

// Whether every name in the text is a parameter's.
bool of_parameters_alone(std::string_view text, const ir::Schedule& schedule) {
  const auto in_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (auto at = text.begin(); at != text.end();) {
    const auto end = std::find_if_not(at, text.end(), in_name);
    const std::string name(at, end);
    const bool number = std::ranges::all_of(name, [](unsigned char c) { return std::isdigit(c) != 0; });
    if (!number && std::ranges::find(schedule.parameters, name, &ir::Parameter::name) == schedule.parameters.end())
      return false;
    at = std::find_if(end, text.end(), in_name);
  }
  return true;
}

// In brackets, unless it is a name, a number or a call.
std::string as_factor(const std::string& text) {
  const auto in_name = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  const auto rest = static_cast<std::size_t>(std::ranges::find_if_not(text, in_name) - text.begin());
  const bool call = rest > 0 && text[rest] == '(' && text.find(')') + 1 == text.size();
  return rest == text.size() || call ? text : fmt::format("({})", text);
}

// The number of processors by the topology's own account, with the fabric line's texts as its parameters: "N",
// "(N/columns)*columns". Nothing if the topology gives none.
std::optional<std::string> processors_text(const ir::Schedule& schedule) {
  const TopologyFamily* family = schedule.families->topology(schedule.fabric.kind);
  if (family == nullptr || !family->crossings) return std::nullopt;
  FabricForm form{schedule.fabric.kind, {}};
  std::map<std::string, std::vector<std::string>> texts;
  for (const ir::Argument& argument : schedule.fabric.arguments) {
    if (argument.values.empty()) continue;  // a rule, or a pattern of capacities
    const auto values = values_of(argument, schedule.fabric.frame, schedule);
    if (!values || argument.index_slot) return std::nullopt;
    auto& list = texts[argument.key];
    list.insert(list.end(), values->begin(), values->end());
  }
  for (const auto& [key, list] : texts) form.arguments.push_back({key, list.size(), {}});
  const auto crossings = family->crossings(form);
  if (!crossings) return std::nullopt;
  std::vector<std::string> parameters;
  for (const CrossingParameter& parameter : crossings->parameters) {
    const auto named = texts.find(parameter.key);
    const auto& list = named == texts.end() ? texts[""] : named->second;
    if (parameter.position >= list.size()) return std::nullopt;
    parameters.push_back(list[parameter.position]);
  }
  if (crossings->processors.op() != TermOp::parameter)
    std::ranges::transform(parameters, parameters.begin(), as_factor);
  std::string text = to_string(crossings->processors, parameters);
  for (const std::string_view spaced : {" * ", " ^ "}) {
    for (std::size_t at = text.find(spaced); at != text.npos; at = text.find(spaced)) text.replace(at, 3, spaced, 1, 1);
  }
  return text;
}

// "a complete graph of N processors, in rounds, with single ports", of the prover's words for it.
std::string machine_text(std::string words, const ir::Schedule& schedule) {
  constexpr std::string_view begin = " of ";
  const std::size_t from = words.find(begin);
  const std::size_t to = words.find(" processors", from);
  if (from != words.npos && to != words.npos) {
    const std::size_t number = from + begin.size();
    if (!of_parameters_alone(std::string_view(words).substr(number, to - number), schedule)) {
      const auto text = processors_text(schedule);
      words.replace(text ? number : from, text ? to - number : to + std::string_view(" processors").size() - from,
                    text.value_or(""));
    }
  }
  const bool vowel = !words.empty() && std::string_view("aeiou").find(words.front()) != std::string_view::npos;
  return fmt::format("{} {}", vowel ? "an" : "a", words);
}

// The same of each machine that it was proved for.
std::string machines_text(const Proof& proof, const ir::Schedule& schedule) {
  constexpr std::string_view separator = "; ";
  std::vector<std::string> texts;
  for (std::size_t at = 0; at <= proof.machine.size();) {
    const std::size_t end = std::min(proof.machine.find(separator, at), proof.machine.size());
    texts.push_back(machine_text(proof.machine.substr(at, end - at), schedule));
    at = end + separator.size();
  }
  return fmt::format("{}", fmt::join(texts, ", and on "));
}

}  // namespace

std::string in_words(const ProvedParameter& parameter, const ir::Schedule& schedule) {
  const std::string& values = parameter.values;
  if (is_pattern(parameter.name, schedule)) return fmt::format("{} {}", parameter.name, values);
  if (is_one_number(values)) return fmt::format("{} = {}", parameter.name, values);
  if (values.ends_with("..")) return fmt::format("{} >= {}", parameter.name, values.substr(0, values.size() - 2));
  return fmt::format("{} in {}", parameter.name, values);
}

std::optional<Theorem> theorem_of(const Proof& proof, const ir::Schedule& schedule) {
  if (proof.verdict == ProofVerdict::refuted) return std::nullopt;
  for (const ProvedProperty property : proved_properties) {
    const bool needed = property != ProvedProperty::claims;
    if (needed && verdict_of(property, proof) != ProofVerdict::proved) return std::nullopt;
  }
  std::vector<std::string> ranges;
  bool every = false;
  for (const ProvedParameter& parameter : proof.parameters) {
    ranges.push_back(in_words(parameter, schedule));
    every = every || !(is_one_number(parameter.values) || is_pattern(parameter.name, schedule));
  }
  Theorem theorem{fmt::format("{}", fmt::join(ranges, ", ")),
                  fmt::format("{} is a correct {} on {}", schedule.name, collective_text(schedule),
                              machines_text(proof, schedule))};
  if (!ranges.empty()) theorem.text += fmt::format(", for {}{}", every ? "every " : "", theorem.domain);
  theorem.text += measures_text(proof, schedule) + optimal_text(proof, schedule);
  for (const ir::Claim& claim : schedule.claims) {
    if (!claim.optimal || !is_told(claim, proof)) continue;
    if (const auto text = in_plain(claim, schedule)) theorem.optimal.push_back(text->substr(optimal_word.size()));
  }
  return theorem;
}

}  // namespace quadrille::driver
