// Writes a problem as a core form: parameters, fabric and collective as the schedule names them, and then everything
// that lowering has left: conditions, messages, claims.
//
//   (message m1 (for (d 1 (+ -1 N)) (k 0 (+ -1 N))) (given true) (start d) (source k) (target …)
//     (chunks (for) (given true) (origin k) (addressee …) (part 0)))
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "model/text/printable.h"
#include "verifier/prover/problem/core_text.h"
#include "verifier/prover/problem/problem.h"

namespace quadrille::prover {
namespace {

// The text without quotation marks, line breaks and the like.
std::string quoted(const std::string& text) {
  std::string words = printable(text);
  std::replace(words.begin(), words.end(), '"', '\'');
  return fmt::format("\"{}\"", words);
}

std::string_view measure_word(OptimalMeasure measure) {
  if (measure == OptimalMeasure::volume) return "volume";
  return measure == OptimalMeasure::rounds ? "rounds" : "steps";
}

class CoreForm {
 public:
  CoreForm(CoreText& text, Algebra& algebra, Problem& problem, Expressions& expressions)
      : text_(text), algebra_(algebra), problem_(problem), schedule_(*problem.schedule), expressions_(expressions) {}

  std::string written(const std::vector<MessageFamilies>& messages, const std::vector<SpokenInvariant>& invariants,
                      const std::vector<ClaimFormula>& claims) {
    std::string head = fmt::format("(quadrille_core 1)\n(schedule {})\n", quoted(schedule_.name));
    head += parameters() + fabric() + collective();
    std::string body;
    for (const MessageFamilies& each : messages) body += message(each);
    for (const SpokenInvariant& each : invariants) body += invariant(each);
    for (const ClaimFormula& each : claims) {
      body += fmt::format("(claim {}\n  (when {}) (holds {}))\n", quoted(each.claim->text), text_.truth(each.when),
                          text_.truth(each.holds));
    }
    for (const ir::Claim& each : schedule_.claims) {
      if (each.optimal) body += fmt::format("(unjudged \"optimal {}\")\n", measure_word(*each.optimal));
    }
    add_conditions(problem_.conditions);
    for (const SpokenInvariant& each : invariants) add_conditions(each.within);
    return head + fmt::format("{}", fmt::join(conditions_, "")) + body;
  }

 private:
  std::string parameters() {
    std::string ranges;
    std::string arguments;
    for (std::size_t i = 0; i < problem_.parameters.size(); ++i) {
      const ProblemParameter& each = problem_.parameters[i];
      if (each.idle) continue;
      if (each.variable) {
        const AtomNode& variable = **each.variable;
        ranges += fmt::format("(parameter {} {} {})\n", text_.name(*each.variable), text_.number(*variable.first),
                              variable.last ? text_.number(*variable.last) : "none");
        arguments += fmt::format("(argument {} {})\n", each.name, text_.number(each.value));
      } else {
        const bool word = schedule_.parameters[i].pattern;
        arguments += fmt::format("(argument {} {})\n", each.name, word ? quoted(each.argument) : each.argument);
      }
    }
    return ranges + arguments;
  }

  std::string numbers(const std::vector<ir::Expression>& values, const ir::Frame& frame) {
    std::string text;
    for (const ir::Expression& value : values)
      text += " " + text_.number(expressions_.number(value, expressions_.outermost(frame)));
    return text;
  }

  // The numbers of one key are written side by side: those of torus(3, 4).
  std::string fabric() {
    const ir::FabricLine& line = schedule_.fabric;
    std::string words;
    std::vector<std::pair<std::string, std::string>> keys;
    for (const ir::Argument& argument : line.arguments) {
      if (argument.pattern) {
        const std::string& word = problem_.parameters[argument.pattern->value].argument;
        words += fmt::format(" (word {} {})", quoted(argument.key), quoted(word));
        continue;
      }
      if (argument.index_slot || !argument.inner.empty())
        throw Unsupported{fmt::format("a fabric with '{}', of which no rule of proof speaks yet", argument.key),
                          argument.span};
      if (argument.word) {
        words += fmt::format(" (word {} {})", quoted(argument.key), quoted(*argument.word));
        continue;
      }
      const auto same = [&](const auto& each) { return each.first == argument.key; };
      if (std::ranges::none_of(keys, same)) keys.emplace_back(argument.key, "");
      std::ranges::find_if(keys, same)->second += numbers(argument.values, line.frame);
    }
    std::string text = "(fabric " + line.kind;
    for (const auto& [key, values] : keys) text += fmt::format(" (numbers {}{})", quoted(key), values);
    return text + words + ")\n";
  }

  std::string collective() {
    const ir::CollectiveLine& line = schedule_.collective;
    std::string text = fmt::format("(collective {}", to_string(line.kind));
    for (const ir::Argument& argument : line.arguments) {
      text += argument.word ? fmt::format(" (operation {})", *argument.word)
                            : fmt::format(" ({}{})", argument.key, numbers(argument.values, line.frame));
    }
    return text + ")\n";
  }

  // Conditions that the lines above have added again are written once.
  void add_conditions(const std::vector<Condition>& conditions) {
    const std::vector<Atom> outside = open_parameters(problem_);
    for (const Condition& each : conditions) {
      std::vector<Atom> scope;
      std::ranges::copy_if(each.scope, std::back_inserter(scope),
                           [&](Atom variable) { return std::ranges::find(outside, variable) == outside.end(); });
      std::string text = fmt::format("(condition {} {} (given {}) (must {}))\n",
                                     quoted(each.words.empty() ? "all that is spoken of exists" : each.words),
                                     text_.ranges(scope), text_.truth(each.given), text_.truth(each.must));
      const bool known = std::ranges::find(conditions_, text) != conditions_.end();
      if (!known) conditions_.push_back(std::move(text));
    }
  }

  std::string invariant(const SpokenInvariant& it) {
    const bool one = it.digits.size() == 1;
    const Atom origin = one ? it.digits.front() : algebra_.variable("x", Number(0), problem_.processors - Number(1));
    Substitution by;
    if (!one) put_digits(algebra_, it.digits, Number(origin), by);
    std::string text =
        fmt::format("(invariant {}\n  (after {} {} {}) (origin {})", quoted(it.text), text_.name(it.step),
                    text_.number(it.first), text_.number(it.last), text_.name(origin));
    for (const Spoken& of : it.statements) {
      const std::string addressee = of.addressee ? fmt::format(" (addressee {})", text_.number(*of.addressee)) : "";
      text +=
          fmt::format("\n  (statement {} (given {}) (processor {}){} (part {}) ({} {}))", text_.ranges(of.variables),
                      text_.truth(of.given), text_.number(of.processor), addressee, text_.number(of.part),
                      of.at_least ? "contains" : "equals", text_.truth(algebra_.substituted(of.member, by)));
    }
    return text + ")\n";
  }

  std::string message(const MessageFamilies& it) {
    const Family& first = it.first();
    std::string text = fmt::format("(message {} {}\n  (given {}) (start {}) (source {}) (target {})", it.name,
                                   text_.ranges(it.variables()),
                                   text_.truth(algebra_.conjunction({first.given, first.destinations_given})),
                                   text_.number(first.start), text_.number(first.source), text_.number(first.target));
    for (const Family* chunks : it.chunks) {
      const std::string addressee =
          chunks->addressee ? fmt::format(" (addressee {})", text_.number(*chunks->addressee)) : "";
      text += fmt::format("\n  (chunks {} (given {}) (origin {}){} (part {}))", text_.ranges(chunks->chunks),
                          text_.truth(chunks->chunks_given), text_.number(chunks->origin), addressee,
                          text_.number(chunks->part));
    }
    return text + ")\n";
  }

  CoreText& text_;
  Algebra& algebra_;
  Problem& problem_;
  const ir::Schedule& schedule_;
  Expressions& expressions_;
  std::vector<std::string> conditions_;
};

}  // namespace

std::vector<Atom> MessageFamilies::variables() const { return joined(first().variables, first().destinations); }

std::vector<Atom> MessageFamilies::variables_with(const Family& of) const { return joined(variables(), of.chunks); }

std::vector<MessageFamilies> messages_of(const Problem& problem) {
  std::vector<MessageFamilies> all;
  for (const Family* first : one_of_each_message(problem)) {
    MessageFamilies it{fmt::format("m{}", all.size() + 1), {}};
    for (const Family& family : problem.families) {
      if (&family == first || (first->message != 0 && family.message == first->message)) it.chunks.push_back(&family);
    }
    all.push_back(std::move(it));
  }
  return all;
}

std::string core_form(CoreText& text, Algebra& algebra, Problem& problem, Expressions& expressions,
                      const std::vector<MessageFamilies>& messages, const std::vector<SpokenInvariant>& invariants,
                      const std::vector<ClaimFormula>& claims) {
  return CoreForm(text, algebra, problem, expressions).written(messages, invariants, claims);
}

}  // namespace quadrille::prover
