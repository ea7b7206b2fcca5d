// What a core form says, in words made of what is judged: the machine as it was taken from the core form, and its
// expressions. Texts of the file are no part of it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "verifier/proof_reader/parts.h"
#include "verifier/proof_reader/words.h"

namespace quadrille {
namespace proof_reader {
namespace {

class Summary {
 public:
  explicit Summary(const ReadProof::Parts& parts) : parts_(parts), core_(parts.core), machine_(parts.machine) {}

  ProofSummary made() const {
    ProofSummary result{fabric(), rules(), collective(), {}, {}, core_.unjudged, {}};
    for (const CoreRange& each : core_.parameters) result.parameters.push_back(in_words(each));
    for (std::size_t i = 0; i < core_.claims.size(); ++i)
      (open(i) ? result.unjudged : result.claims).push_back(claim(core_.claims[i]));
    for (const CoreInvariant& each : core_.invariants) result.invariants.push_back(invariant(each));
    return result;
  }

 private:
  // Whether the proof shows nothing of the claim.
  bool open(std::size_t claim) const {
    return std::ranges::any_of(parts_.applications, [&](const Application& each) {
      return each.rule == "claimed" && numbered(each.subjects[0]) == claim && is_open(each.item);
    });
  }

  // Numbers by the names that the topology has for them, as its crossings do.
  std::string fabric() const {
    std::string text = core_.topology;
    std::string last;
    for (std::size_t i = 0; i < machine_.parameters.size(); ++i) {
      const std::string& key = machine_.crossings.parameters[i].key;
      text += fmt::format("{}{}", key == last ? " x " : fmt::format(", {} = ", key), in_words(machine_.parameters[i]));
      last = key;
    }
    for (const auto& [key, word] : machine_.words) text += fmt::format(", {} = {}", key, word);
    return text;
  }

  std::vector<std::pair<std::string, std::string>> rules() const {
    std::vector<std::pair<std::string, std::string>> all{{"timing", machine_.rounds ? "rounds" : "steps"}};
    if (machine_.rounds) all.emplace_back("paths", machine_.shared ? "shared" : "held");
    all.emplace_back("ports", machine_.single_port ? "single" : "multi");
    all.emplace_back("duplex", machine_.half_duplex ? "half" : "full");
    all.emplace_back("switches", "copy");
    return all;
  }

  std::string collective() const {
    std::string text = core_.collective;
    if (machine_.rooted) text += ", root = " + in_words(core_.root);
    if (machine_.reduction) text += fmt::format(", operation = {}", to_string(machine_.operation));
    return core_.parts.op() == Op::number && core_.parts.number() == 1 ? text
                                                                       : text + ", parts = " + in_words(core_.parts);
  }

  // In rounds, these are what is called steps else.
  std::string measured(const CoreExpression& x) const {
    return in_words(machine_.rounds ? substituted(x, {{"measure.steps", variable("measure.rounds")}}) : x);
  }

  std::string claim(const CoreClaim& it) const {
    return it.when.is(true) ? measured(it.holds) : fmt::format("{} when {}", measured(it.holds), measured(it.when));
  }

  static std::string each_of(const CoreRanges& ranges, const CoreExpression& given) {
    std::vector<std::string> words;
    for (const CoreRange& each : ranges) words.push_back(in_words(each));
    if (!given.is(true)) words.push_back(in_words(given));
    return words.empty() ? "" : fmt::format("for {}: ", fmt::join(words, ", "));
  }

  static std::string statement(const CoreStatement& it, const std::string& origin) {
    std::string chunk = fmt::format("part {}", in_words(it.part));
    if (it.addressee) chunk += fmt::format(" for {}", in_words(*it.addressee));
    return fmt::format("{}processor {} has {} of {} {} {}", each_of(it.variables, it.given), in_words(it.processor),
                       chunk, origin, it.at_least ? "where" : "just where", in_words(it.member));
  }

  std::string invariant(const CoreInvariant& it) const {
    std::vector<std::string> statements;
    for (const CoreStatement& each : it.statements) statements.push_back(statement(each, it.origin));
    return fmt::format("after each round {}: {}", in_words(CoreRange{it.step, it.first, it.last}),
                       fmt::join(statements, "; "));
  }

  const ReadProof::Parts& parts_;
  const CoreForm& core_;
  const CoreMachine& machine_;
};

}  // namespace
}  // namespace proof_reader

ProofSummary summary(const ReadProof& proof) { return proof_reader::Summary(proof.parts()).made(); }

}  // namespace quadrille
