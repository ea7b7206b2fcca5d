// Mutants of proofs, and what is true of them: the core form, written out at each small size, is a table for the
// checker, and its claims are put beside what that measures.
#include "tests/reference/written_proofs.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>

#include "tests/reference/compiled.h"
#include "verifier/check.h"
#include "verifier/proof_reader/core_form.h"
#include "verifier/proof_reader/parts.h"
#include "verifier/proof_reader/rules.h"

namespace quadrille::reference {
namespace {

using ProofValues = proof_reader::Values;

// --- mutants ---------------------------------------------------------------------------------------------------------

struct ProofToken {
  std::size_t begin, end;
};

// Words and parentheses, but for what stands in quotation marks.
std::vector<ProofToken> tokens_of(const std::string& text) {
  std::vector<ProofToken> all;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == ' ' || c == '\n') {
      ++at;
    } else if (c == '"') {
      at = text.find('"', at + 1) + 1;
    } else {
      std::size_t end = at + 1;
      const bool alone = c == '(' || c == ')';
      while (!alone && end < text.size() && std::string(" \n()\"").find(text[end]) == std::string::npos) ++end;
      all.push_back({at, end});
      at = end;
    }
  }
  return all;
}

// Where the list that begins there ends.
std::size_t end_of_list(const std::string& text, std::size_t begin) {
  std::size_t depth = 0;
  for (std::size_t at = begin; at < text.size(); ++at) {
    if (text[at] == '(') ++depth;
    if (text[at] == ')' && --depth == 0) return at + 1;
  }
  return text.size();
}

std::string other_word(const std::string& word, const std::string& any, Dice& dice) {
  static const std::vector<std::vector<std::string>> kinds = {
      {"+", "*", "div", "mod"}, {"=", ">="}, {"true", "false"}, {"and", "or"}};
  if (proof_reader::is_whole_number(word)) {
    const long changes[] = {-2, -1, 1, 2};
    return std::to_string(std::stol(word) + changes[dice.below(4)]);
  }
  for (const auto& kind : kinds) {
    if (std::find(kind.begin(), kind.end(), word) != kind.end()) return kind[dice.below(kind.size())];
  }
  return any;
}

// A change of one place, by its kind.
std::string changed(const std::string& text, Dice& dice, std::string& what) {
  const std::vector<ProofToken> tokens = tokens_of(text);
  const auto word = [&](const ProofToken& token) { return text.substr(token.begin, token.end - token.begin); };
  const auto any = [&] { return tokens[dice.below(tokens.size())]; };
  const ProofToken at = any();
  const ProofToken other = any();
  const auto replaced = [&](std::size_t begin, std::size_t end, const std::string& by) {
    what = fmt::format("at {}, `{}` becomes `{}`", begin, text.substr(begin, end - begin), by);
    return text.substr(0, begin) + by + text.substr(end);
  };
  if (word(at) == ")") return replaced(at.begin, at.begin, " " + word(other));
  if (word(at) != "(") return replaced(at.begin, at.end, other_word(word(at), word(other), dice));
  const std::size_t end = end_of_list(text, at.begin);
  const std::string list = text.substr(at.begin, end - at.begin);
  switch (dice.below(4)) {
    case 0:
      return replaced(at.begin, end, "");
    case 1:
      return replaced(at.begin, end, list + " " + list);
    case 2:
      return replaced(
          at.begin, end,
          word(other) == "(" ? text.substr(other.begin, end_of_list(text, other.begin) - other.begin) : word(other));
    default:
      return replaced(at.begin, end, fmt::format("(+ {} {})", list, dice.below(2) == 0 ? 1 : -1));
  }
}

// --- what is true ----------------------------------------------------------------------------------------------------

void each_size(const proof_reader::CoreRanges& parameters, std::size_t at, ProofValues& values,
               const std::function<void(const ProofValues&)>& visit) {
  if (at == parameters.size()) return visit(values);
  const auto first = evaluate(parameters[at].first, values);
  const auto last = parameters[at].last ? evaluate(*parameters[at].last, values) : std::optional<std::int64_t>(100);
  if (!first || !last) return;
  for (std::int64_t x = *first; x <= std::min(*last, *first + 6); ++x) {
    values[parameters[at].name] = x;
    each_size(parameters, at + 1, values, visit);
  }
  values.erase(parameters[at].name);
}

std::string wrong_claim(const proof_reader::CoreClaim& claim, const ProofValues& size, const Measured& measured) {
  ProofValues values = size;
  values["measure.steps"] = values["measure.rounds"] = measured.steps;
  values["measure.messages"] = measured.messages;
  values["measure.max_queue"] = measured.max_queue;
  if (measured.volume) values["measure.volume"] = *measured.volume;
  if (measured.hops) values["measure.hops"] = *measured.hops;
  if (evaluate(claim.when, values) == 0) return {};
  return evaluate(claim.holds, values) == 1 ? "" : "a claim is false: " + claim.text;
}

// Whether the proof leaves the claim open: then it says nothing of it.
bool is_left_open(const ReadProof& proof, std::size_t claim) {
  return std::ranges::any_of(proof.parts().applications, [&](const proof_reader::Application& each) {
    return each.rule == "claimed" && proof_reader::numbered(each.subjects[0]) == claim &&
           proof_reader::is_open(each.item);
  });
}

std::string wrong_at(const ReadProof& proof, const proof_reader::CoreForm& core, const ProofValues& size) {
  const Result<SendTable> table = expanded(proof, size);
  if (!table) {
    const std::string& why = table.diagnostics().front().message;
    return why.find("too large") != std::string::npos ? "" : why;
  }
  if (table->fabric.processors() > 8) return {};
  const Report report = check(*table);
  if (report.verdict != Verdict::holds) return report.violations.empty() ? "violated" : report.violations[0].message;
  for (std::size_t i = 0; i < core.claims.size(); ++i) {
    if (is_left_open(proof, i)) continue;
    if (auto wrong = wrong_claim(core.claims[i], size, measured(report)); !wrong.empty()) return wrong;
  }
  return {};
}

}  // namespace

std::vector<std::string> plain_schedules() {
  return {"total_exchange_linear",   "total_exchange_pairwise", "total_exchange_pairwise_xor",
          "scatter_linear",          "gather_linear",           "broadcast_linear",
          "allgather_linear",        "allgather_ring",          "broadcast_chain",
          "broadcast_binomial",      "allgather_bruck",         "reduce_chain",
          "prefix_linear",           "reduce_scatter_pairwise", "allreduce_one_shot",
          "ring_multinode_broadcast"};
}

WrittenProof written_proof(const std::string& text) {
  const Compiled it = compiled(text);
  if (!it.schedule) throw std::runtime_error(it.errors);
  Result<WrittenProof> proof = write_proof(*it.schedule, {});
  if (!proof) throw std::runtime_error(proof.diagnostics().front().message);
  return *std::move(proof);
}

Result<ReadProof> reread(const WrittenProof& proof) {
  return read_proof({"core.txt", proof.core}, 0, {"proof.txt", proof.proof}, 1);
}

ProofMutant mutated(const WrittenProof& proof, Dice& dice) {
  ProofMutant mutant{"", proof};
  const bool in_core = dice.below(2) == 0;
  std::string& text = in_core ? mutant.proof.core : mutant.proof.proof;
  text = changed(text, dice, mutant.what);
  mutant.what = (in_core ? "core form " : "proof ") + mutant.what;
  return mutant;
}

std::string faults_at_small_sizes(const WrittenProof& proof) {
  const Result<ReadProof> read = reread(proof);
  if (!read) return read.diagnostics().front().message;
  const proof_reader::CoreForm core =
      proof_reader::read_core_form(proof_reader::read_items({"core.txt", proof.core}, 0));
  std::string faults;
  ProofValues values;
  each_size(core.parameters, 0, values, [&](const ProofValues& size) {
    if (!faults.empty()) return;
    if (const std::string wrong = wrong_at(*read, core, size); !wrong.empty()) {
      faults = wrong + " at";
      for (const auto& [name, value] : size) faults += fmt::format(" {} = {}", name, value);
    }
  });
  return faults;
}

}  // namespace quadrille::reference
