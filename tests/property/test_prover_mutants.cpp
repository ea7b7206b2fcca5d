// Shipped schedules with one token changed: what the prover says of them for every size must fit with what the checker
// finds at small ones. QUADRILLE_LONG=1 tries all mutants; else QUADRILLE_MUTANTS (3) of each schedule, which
// QUADRILLE_SEED chooses, and less yet under the sanitizers.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/compile.h"
#include "compiler/ir.h"
#include "dsl/load.h"
#include "tests/environment.h"
#include "tests/reference/random_tables.h"
#include "verifier/check.h"
#include "verifier/prove.h"

namespace {

using namespace quadrille;

const std::vector<std::string> tried_schedules = {"broadcast",
                                                  "scatter",
                                                  "gather",
                                                  "total_exchange",
                                                  "total_exchange_phased",
                                                  "total_exchange_serial",
                                                  "total_exchange_paired",
                                                  "multinode_broadcast_phased",
                                                  "ring_multinode_broadcast"};

struct Mutant {
  std::string what;  // "line 12: '+' becomes '-'"
  std::string text;
};

// What each word and operator becomes.
const std::vector<std::pair<std::string, std::vector<std::string>>> swaps = {{"<=", {"<"}},
                                                                             {"<", {"<="}},
                                                                             {"+", {"-", "*"}},
                                                                             {"-", {"+"}},
                                                                             {"*", {"+"}},
                                                                             {"xor", {"or"}},
                                                                             {"or", {"xor"}},
                                                                             {"..", {"..1 + ", "..-1 + "}},
                                                                             {"downto", {"downto 1 +", "downto -1 +"}},
                                                                             {"at", {"at 1 +", "at -1 +"}}};

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The token at `from`: a word, a number, an arrow, one of the operators above, or a single character.
std::string token_at(std::string_view line, std::size_t from) {
  std::size_t to = from;
  while (to < line.size() && in_word(line[to])) ++to;
  if (to > from) return std::string(line.substr(from, to - from));
  for (const std::string_view longer : {"->", "<=", ">=", "=="}) {
    if (line.substr(from).starts_with(longer)) return std::string(longer);
  }
  return std::string(line.substr(from, line.substr(from).starts_with("..") ? 2 : 1));
}

std::vector<std::string> replacements(const std::string& token) {
  if (std::all_of(token.begin(), token.end(), [](unsigned char c) { return std::isdigit(c) != 0; })) {
    const long value = std::stol(token);
    return {std::to_string(value + 1), std::to_string(value - 1)};
  }
  for (const auto& [from, to] : swaps) {
    if (token == from) return to;
  }
  return {};
}

std::vector<Mutant> mutants_of(const std::string& text) {
  std::vector<Mutant> result;
  std::size_t begin = 0;
  for (int number = 1; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = std::string_view(text).substr(begin, end - begin);
    line = line.substr(0, line.find("//"));
    if (line.starts_with("param ") || line.starts_with("include ")) line = {};
    for (std::size_t i = 0; i < line.size();) {
      const std::string token = token_at(line, i);
      for (const std::string& other : replacements(token)) {
        Mutant mutant{fmt::format("line {}, column {}: '{}' becomes '{}'", number, i + 1, token, other), text};
        mutant.text.replace(begin + i, token.size(), other);
        result.push_back(std::move(mutant));
      }
      i += token.size();
    }
    begin = end + 1;
  }
  return result;
}

std::shared_ptr<const ir::Schedule> compiled(const std::string& name, const std::string& text) {
  Sources sources;
  const auto no_files = [](const std::string&) { return std::nullopt; };
  const auto program = load({name, text}, no_files, sources);
  if (!program) return nullptr;
  const auto schedule = compile(*program, name);
  return schedule ? *schedule : nullptr;
}

bool holds(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments) {
  const auto table = elaborate(schedule, arguments);
  return table.ok() && check(*table).verdict == Verdict::holds;
}

std::vector<std::string> small_values(const ir::Parameter& parameter) {
  if (parameter.pattern) return {"constant", "exponential"};
  if (parameter.name == "L") return {"1", "2", "3", "4", "5"};
  return {"2", "3", "4", "5", "6", "7", "8", "9"};
}

// Every small size, and whether the schedule holds there.
std::map<Arguments, bool> judged(const std::shared_ptr<const ir::Schedule>& schedule) {
  std::vector<Arguments> sizes = {{}};
  for (const ir::Parameter& parameter : schedule->parameters) {
    if (parameter.idle) continue;
    std::vector<Arguments> longer;
    for (const Arguments& size : sizes) {
      for (const std::string& value : small_values(parameter)) {
        longer.push_back(size);
        longer.back()[parameter.name] = value;
      }
    }
    sizes = std::move(longer);
  }
  std::map<Arguments, bool> result;
  for (const Arguments& size : sizes) result[size] = holds(schedule, size);
  return result;
}

struct Tally {
  int tried = 0;
  int wrong = 0;  // at some small size
  int wrong_refuted = 0;
  std::map<ProofVerdict, int> verdicts;
};

std::string in_words(const Tally& tally) {
  const auto count = [&](ProofVerdict verdict) {
    const auto found = tally.verdicts.find(verdict);
    return found == tally.verdicts.end() ? 0 : found->second;
  };
  return fmt::format("{} mutants: {} proved, {} refuted, {} unknown; {} of {} wrong ones refuted", tally.tried,
                     count(ProofVerdict::proved), count(ProofVerdict::refuted), count(ProofVerdict::unknown),
                     tally.wrong_refuted, tally.wrong);
}

constexpr std::string_view fault = "a fault of the prover";

void check_proof(const Proof& proof, const std::map<Arguments, bool>& truth) {
  CHECK_MESSAGE(!proof.beyond.starts_with(fault), proof.beyond);
  for (const ProvedObligation& obligation : proof.obligations) {
    CAPTURE(obligation.where);
    CAPTURE(obligation.property);
    CAPTURE(obligation.meaning);
    CHECK_MESSAGE(!obligation.reason.starts_with(fault), obligation.reason);
    if (obligation.verdict != ProofVerdict::refuted || !obligation.counterexample) continue;
    const auto found = truth.find(obligation.counterexample->arguments);
    if (found != truth.end()) CHECK_MESSAGE(!found->second, "refuted, but the checker accepts that size");
  }
  if (proof.verdict != ProofVerdict::proved) return;
  for (const auto& [size, right] : truth) {
    std::string words;
    for (const auto& [name, value] : size) words += fmt::format(" {}={}", name, value);
    CHECK_MESSAGE(right, "proved, but the checker refuses" << words);
  }
}

void try_mutant(const std::string& name, const Mutant& mutant, Tally& tally) {
  CAPTURE(mutant.what);
  const auto schedule = compiled(name, mutant.text);
  if (!schedule) return;
  const auto truth = judged(schedule);
  ProveOptions options;
  options.milliseconds = 3'000;
  options.holds_at = [&](const Arguments& at) { return std::optional<bool>(holds(schedule, at)); };
  const Proof proof = prove(*schedule, options);
  check_proof(proof, truth);
  const bool wrong = std::any_of(truth.begin(), truth.end(), [](const auto& each) { return !each.second; });
  ++tally.tried;
  ++tally.verdicts[proof.verdict];
  tally.wrong += wrong;
  tally.wrong_refuted += wrong && proof.verdict == ProofVerdict::refuted;
}

// $QUADRILLE_MUTANTS, or 3.
int most_mutants() {
  const char* given = std::getenv("QUADRILLE_MUTANTS");
  return given ? std::atoi(given) : 3;
}

}  // namespace

TEST_CASE("what is proved of a mutant holds, and what is refuted does not") {
  const bool all = !tests::sanitized && tests::long_run();
  const std::uint64_t seed = reference::first_seed();
  const int most = tests::sanitized ? 1 : most_mutants();
  MESSAGE(fmt::format("QUADRILLE_SEED={}", seed));
  for (const std::string& name : tried_schedules) {
    if (tests::sanitized && name != "broadcast" && name != "ring_multinode_broadcast") continue;
    CAPTURE(name);
    const auto shipped = shipped_schedule(name);
    REQUIRE(shipped);
    auto mutants = mutants_of(std::string(shipped->text));
    std::shuffle(mutants.begin(), mutants.end(), std::mt19937_64(seed));
    Tally tally;
    for (const Mutant& mutant : mutants) {
      if (!all && tally.tried >= most) break;
      try_mutant(name, mutant, tally);
    }
    CHECK(tally.tried > 0);
    MESSAGE(fmt::format("{}: {}, of {} texts", name, in_words(tally), mutants.size()));
  }
}
