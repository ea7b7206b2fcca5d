// Shipped schedules, and some on other machines (reference/machine_schedules.h), with a word or two of their text
// changed: what the prover says of them for every size must fit with what the checker finds at small ones.
//
// QUADRILLE_LONG=1 tries 200 mutants of each schedule (20 of a slow one), or QUADRILLE_MUTANTS (else 2) many;
// QUADRILLE_SEED chooses them. QUADRILLE_SCHEDULE, if it is set, is the only schedule that is tried. QUADRILLE_SECONDS
// (else 10, in long runs 40) is how long a mutant that is right at all small sizes may take to be proved; if it is less
// than 10, all others, too.
//
// What the checker alone refutes at a small size, the prover knowing too little, says nothing of the prover: such
// mutants are counted apart, and as unknown.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/environment.h"
#include "tests/reference/compiled.h"
#include "tests/reference/machine_schedules.h"
#include "tests/reference/source_mutants.h"
#include "verifier/check.h"
#include "verifier/prove.h"
#include "verifier/search.h"

namespace {

using namespace quadrille;
using Schedule = std::shared_ptr<const ir::Schedule>;
using SteadyClock = std::chrono::steady_clock;

const std::vector<std::string> tried_schedules = {"broadcast",
                                                  "scatter",
                                                  "gather",
                                                  "total_exchange",
                                                  "total_exchange_phased",
                                                  "total_exchange_serial",
                                                  "total_exchange_paired",
                                                  "multinode_broadcast_phased",
                                                  "ring_multinode_broadcast",
                                                  "total_exchange_pairwise",
                                                  "allgather_ring",
                                                  "broadcast_pipelined_chain",
                                                  "broadcast_chain",
                                                  "reduce_scatter_ring",
                                                  "allreduce_ring",
                                                  "prefix_recursive_doubling"};
// Proved case by case, by phases, by time reversed, by rows and columns: in long runs.
const std::vector<std::string> in_long_runs = {"allgather_bruck",
                                               "allgather_recursive_doubling",
                                               "allreduce_bucket",
                                               "allreduce_hierarchical",
                                               "barrier_dissemination",
                                               "broadcast_binomial",
                                               "gather_binomial",
                                               "reduce_binomial",
                                               "reduce_scatter_bruck",
                                               "reduce_scatter_pairwise",
                                               "total_exchange_hierarchical",
                                               "total_exchange_shortest",
                                               "total_exchange_hypercube",
                                               "total_exchange_pairwise_xor",
                                               "total_exchange_torus"};
// Only writing down what must be shown takes many seconds: in long runs, and a tenth as many.
const std::string slow_schedule = "total_exchange_quartered";
constexpr double slow_seconds = 60;  // more than others get for a proof

// What a mutant may cost.
struct Cost {
  std::uint32_t effort;  // of Z3 for an obligation, in its resource units
  double seconds;        // for the proof
};

double seconds_for_right() {
  const char* given = std::getenv("QUADRILLE_SECONDS");
  const double otherwise = tests::long_run() ? 40 : 10;
  return given == nullptr ? otherwise : std::strtod(given, nullptr);
}

Cost for_right() { return {default_effort / 2, seconds_for_right()}; }
// Each obligation is first tried for a short while, so that what is easily refuted is; then, if need be, for longer.
Cost quick() { return {2'000'000, std::min(10.0, seconds_for_right())}; }
// What is wrong at a small size is refuted or not; only what is right there is worth the time that a proof takes.
Cost for_wrong() { return {10'000'000, std::min(10.0, seconds_for_right())}; }

// --- what the checker says -------------------------------------------------------------------------------------------

std::vector<std::string> small_values(const ir::Parameter& parameter, int last_level, int last_size) {
  if (parameter.pattern) return {"constant", "exponential"};
  std::vector<std::string> values;
  for (int i = 0; i <= (parameter.name == "L" ? last_level : last_size); ++i) values.push_back(std::to_string(i));
  return values;
}

// Whether two or more parameters count processors: as the extents of a mesh do.
bool has_extents(const Schedule& schedule) {
  return std::count_if(schedule->parameters.begin(), schedule->parameters.end(), [](const ir::Parameter& parameter) {
           return !parameter.pattern && !parameter.idle && parameter.name != "L";
         }) > 1;
}

// Every small size that the parameters' ranges allow, and whether the schedule holds there.
std::map<Arguments, bool> judged(const Schedule& schedule, int last_level, int last_size) {
  if (has_extents(schedule)) last_size = std::min(last_size, 8);
  std::vector<Arguments> sizes = {{}};
  for (const ir::Parameter& parameter : schedule->parameters) {
    if (parameter.idle) continue;
    std::vector<Arguments> longer;
    for (const Arguments& size : sizes) {
      for (const std::string& value : small_values(parameter, last_level, last_size)) {
        longer.push_back(size);
        longer.back()[parameter.name] = value;
      }
    }
    sizes = std::move(longer);
  }
  std::map<Arguments, bool> result;
  for (const Arguments& size : sizes) {
    if (const auto right = reference::holds_at(schedule, size)) result[size] = *right;
  }
  return result;
}

// --- one mutant ------------------------------------------------------------------------------------------------------

struct Outcome {
  ProofVerdict verdict = ProofVerdict::unknown;  // by the prover's own obligations
  bool wrong = false;                            // at some small size
  bool by_checker_alone = false;                 // so it was refuted
  std::string why;                               // unknown: the first reason
  std::vector<std::string> problems;
};

std::string in_words(const Arguments& size) {
  std::string words;
  for (const auto& [name, value] : size) words += fmt::format(" {}={}", name, value);
  return words;
}

Proof proved(const Schedule& schedule, const Cost& cost) {
  const double seconds = cost.seconds + (schedule->name == slow_schedule ? slow_seconds : 0);
  ProveOptions options;
  options.effort = cost.effort;
  options.threads = 1;
  options.until_refuted = true;
  options.holds_at = [&](const Arguments& at) { return reference::holds_at(schedule, at); };
  options.limits = options.limits.within(std::chrono::duration<double>(seconds));
  return prove(*schedule, options);
}

void compare(const Proof& proof, const std::map<Arguments, bool>& truth, Outcome& outcome) {
  if (proof.reason == Reason::internal) outcome.problems.push_back(proof.why);
  for (const ProvedObligation& obligation : proof.obligations) {
    const std::string name = fmt::format("{}: {}", to_string(obligation.property), obligation.meaning);
    if (obligation.reason == Reason::internal) outcome.problems.push_back(fmt::format("{}: {}", name, obligation.why));
    if (obligation.verdict != ProofVerdict::refuted) continue;
    if (!obligation.counterexample) {
      outcome.problems.push_back(name + ": refuted by nothing");
      continue;
    }
    const Arguments& size = obligation.counterexample->arguments;
    const auto found = truth.find(size);
    if (found != truth.end() && found->second)
      outcome.problems.push_back(fmt::format("{}: refuted, but the checker accepts{}", name, in_words(size)));
  }
  if (proof.verdict != ProofVerdict::proved) return;
  for (const auto& [size, right] : truth) {
    if (!right) outcome.problems.push_back("proved, but the checker refuses" + in_words(size));
  }
}

// What it claims to be the least there is, a search in a moment must not undercut at the smallest sizes.
void look_for_less(const Schedule& schedule, const std::map<Arguments, bool>& truth, Outcome& outcome) {
  int sizes = 0;
  for (const auto& [size, right] : truth) {
    const auto table = elaborate(schedule, size);
    if (!right || !table || table->claims.empty() || ++sizes > 3) continue;
    const Report report = check(*table);
    for (const TableClaim& claim : table->claims) {
      if (!claim.optimal || claim.evaluate(measured(report)).first != Verdict::unknown) continue;
      const bool volume = *claim.optimal == OptimalMeasure::volume;
      SearchGoal goal;
      if (volume) goal.phases = static_cast<std::uint32_t>(report.steps) + 2;
      SearchOptions options;
      options.limits = Limits{}.within(std::chrono::duration<double>(0.3));
      const SearchResult found = search(table->fabric, table->collective, goal, options);
      if (found.table && found.steps < (volume ? report.volume.value_or(0) : report.steps))
        outcome.problems.push_back(
            fmt::format("{} proved, but{} {} is found", claim.text, in_words(size), found.steps));
    }
  }
}

std::string first_reason(const Proof& proof) {
  if (!proof.why.empty()) return proof.why;
  for (const ProvedObligation& obligation : proof.obligations) {
    if (obligation.verdict == ProofVerdict::unknown)
      return fmt::format("{}, {}: {}", to_string(obligation.property), obligation.name, obligation.why);
  }
  return "";
}

// What the prover's own obligations come to.
ProofVerdict own_verdict(const Proof& proof) {
  return refuted_by_checker_alone(proof) ? ProofVerdict::unknown : proof.verdict;
}

Outcome judged_and_proved(const Schedule& schedule) {
  Outcome outcome;
  auto truth = judged(schedule, 5, 9);
  outcome.wrong = std::any_of(truth.begin(), truth.end(), [](const auto& each) { return !each.second; });
  Proof proof = proved(schedule, quick());
  bool by_checker = refuted_by_checker_alone(proof);
  if (own_verdict(proof) == ProofVerdict::unknown && proof.why.empty()) {
    compare(proof, truth, outcome);
    proof = proved(schedule, outcome.wrong ? for_wrong() : for_right());
    by_checker = by_checker || refuted_by_checker_alone(proof);
  }
  if (proof.verdict == ProofVerdict::proved) truth = judged(schedule, 7, 40);
  outcome.verdict = own_verdict(proof);
  outcome.by_checker_alone = by_checker && outcome.verdict == ProofVerdict::unknown;
  if (outcome.verdict == ProofVerdict::unknown) outcome.why = first_reason(proof);
  compare(proof, truth, outcome);
  if (proof.verdict == ProofVerdict::proved) look_for_less(schedule, truth, outcome);
  return outcome;
}

Outcome tried(const Schedule& schedule) {
  try {
    return judged_and_proved(schedule);
  } catch (const std::exception& problem) {
    Outcome outcome;
    outcome.problems.push_back(fmt::format("an exception: {}", problem.what()));
    return outcome;
  }
}

// --- all mutants of a schedule ---------------------------------------------------------------------------------------

struct Tally {
  std::size_t texts = 0;
  int tried = 0;
  int wrong = 0;
  int wrong_refuted = 0;
  int by_checker_alone = 0;
  std::map<ProofVerdict, int> verdicts;
  std::map<std::string, int> reasons;  // of what is unknown, though right at small sizes
};

std::string text_of(const std::string& name) {
  for (const reference::MachineSchedule& each : reference::machine_schedules()) {
    if (each.name == name) return each.text;
  }
  return reference::whole_text(name);
}

// Those that compile, single changes first, until there are enough.
std::vector<std::pair<reference::SourceMutant, Schedule>> chosen(const std::string& name, std::size_t most,
                                                                 Tally& tally) {
  const std::string text = text_of(name);
  reference::Dice dice(reference::first_seed());
  std::vector<std::pair<reference::SourceMutant, Schedule>> result;
  const auto choose = [&](std::vector<reference::SourceMutant> mutants, std::size_t enough) {
    dice.shuffle(mutants);
    for (reference::SourceMutant& mutant : mutants) {
      if (result.size() >= enough) return;
      ++tally.texts;
      if (auto schedule = reference::compiled(mutant.text, name).schedule)
        result.emplace_back(std::move(mutant), std::move(schedule));
    }
  };
  choose(reference::source_mutants(text), most - most / 4);
  choose(reference::twofold_mutants(text, 20 * most, dice), most);
  return result;
}

Tally try_mutants(const std::string& name, std::size_t most) {
  Tally tally;
  const auto mutants = chosen(name, most, tally);
  std::vector<Outcome> outcomes(mutants.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < mutants.size(); i = next++) outcomes[i] = tried(mutants[i].second);
  };
  std::vector<std::thread> helpers;
  for (unsigned i = 1; i < std::thread::hardware_concurrency(); ++i) helpers.emplace_back(work);
  work();
  for (std::thread& helper : helpers) helper.join();
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    const Outcome& outcome = outcomes[i];
    for (const std::string& problem : outcome.problems) {
      FAIL_CHECK(mutants[i].first.what << ": " << problem << "\n" << mutants[i].first.text);
    }
    ++tally.tried;
    ++tally.verdicts[outcome.verdict];
    if (!outcome.wrong && !outcome.why.empty()) ++tally.reasons[outcome.why];
    tally.wrong += outcome.wrong;
    tally.wrong_refuted += outcome.wrong && outcome.verdict == ProofVerdict::refuted;
    tally.by_checker_alone += outcome.by_checker_alone;
  }
  return tally;
}

// $QUADRILLE_MUTANTS, or what the run is for.
std::size_t most_mutants(const std::string& name) {
  if (const char* given = std::getenv("QUADRILLE_MUTANTS")) return std::strtoul(given, nullptr, 10);
  if (tests::brief) return 1;
  if (!tests::long_run()) return 2;
  return name == slow_schedule ? 20 : 200;
}

// Those to try in this run.
std::vector<std::string> schedules() {
  if (const char* only = std::getenv("QUADRILLE_SCHEDULE")) return {only};
  if (tests::brief) return {"broadcast", "ring_multinode_broadcast"};
  std::vector<std::string> names = tried_schedules;
  for (const reference::MachineSchedule& each : reference::machine_schedules()) {
    const bool slow = each.name == "half_duplex_torus" || each.name == "hypercube_allgather";
    if (!slow || tests::long_run()) names.push_back(each.name);
  }
  if (!tests::long_run()) return names;
  names.insert(names.end(), in_long_runs.begin(), in_long_runs.end());
  names.push_back(slow_schedule);
  return names;
}

}  // namespace

TEST_CASE("what is proved of a mutant holds, and what is refuted does not") {
  std::string table =
      fmt::format("QUADRILLE_SEED={}, {} s for a proof\n", reference::first_seed(), for_right().seconds);
  table += fmt::format(
      "| {:<26} | tried | proved | refuted | unknown | wrong | of them refuted | by the checker alone |\n", "schedule");
  for (const std::string& name : schedules()) {
    CAPTURE(name);
    const auto start = SteadyClock::now();
    Tally tally = try_mutants(name, most_mutants(name));
    CHECK(tally.tried > 0);
    table +=
        fmt::format("| {:<26} | {:>5} | {:>6} | {:>7} | {:>7} | {:>5} | {:>15} | {:>20} |\n", name, tally.tried,
                    tally.verdicts[ProofVerdict::proved], tally.verdicts[ProofVerdict::refuted],
                    tally.verdicts[ProofVerdict::unknown], tally.wrong, tally.wrong_refuted, tally.by_checker_alone);
    MESSAGE(fmt::format("{}: {} of {} texts, {:.0f} s\n{}", name, tally.tried, tally.texts,
                        std::chrono::duration<double>(SteadyClock::now() - start).count(), table));
    std::string reasons = "right at small sizes, but unknown:\n";
    for (const auto& [reason, times] : tally.reasons) reasons += fmt::format("{:>5}  {}\n", times, reason);
    MESSAGE(reasons);
  }
}
