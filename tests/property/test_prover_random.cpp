// Random schedules for a few sizes: what the prover says of all of them, without the checker's help, against what the
// checker finds at each. QUADRILLE_SEED chooses them; QUADRILLE_LONG=1 tries more.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/prove/theorem.h"
#include "tests/environment.h"
#include "tests/reference/compiled.h"
#include "tests/reference/random_schedules.h"
#include "verifier/check.h"
#include "verifier/prove.h"

namespace {

using namespace quadrille;
using Schedule = std::shared_ptr<const ir::Schedule>;

int how_many() { return tests::brief ? 10 : tests::long_run() ? 2'000 : 40; }

Proof proof_of(const Schedule& schedule) {
  ProveOptions options;
  options.effort = 3'000'000;
  options.threads = 1;
  return prove(*schedule, options);
}

// All sizes of the parameters L and, if there is one, m.
std::vector<Arguments> sizes_of(const Schedule& schedule) {
  std::vector<Arguments> sizes;
  for (int L = 1; L <= 8; ++L) {
    for (int m = -1; m <= 9; ++m) {
      Arguments size = {{"L", std::to_string(L)}};
      if (schedule->parameters.size() > 1) size["m"] = std::to_string(m);
      sizes.push_back(std::move(size));
      if (schedule->parameters.size() < 2) break;
    }
  }
  return sizes;
}

std::string in_words(const Arguments& size) {
  std::string words;
  for (const auto& [name, value] : size) words += fmt::format(" {}={}", name, value);
  return words;
}

std::vector<std::string> faults(const Proof& proof) {
  std::vector<std::string> found;
  const auto look = [&](Reason reason, const std::string& why) {
    if (reason == Reason::internal) found.push_back(why);
  };
  look(proof.reason, proof.why);
  for (const ProvedObligation& obligation : proof.obligations) look(obligation.reason, obligation.why);
  return found;
}

// What the proof says that is not so.
std::vector<std::string> wrong(const Proof& proof, const Schedule& schedule) {
  std::vector<std::string> found = faults(proof);
  for (const Arguments& size : sizes_of(schedule)) {
    const auto right = reference::holds_at(schedule, size);
    if (!right) continue;
    if (proof.verdict == ProofVerdict::proved && !*right) found.push_back("proved, but wrong at" + in_words(size));
    for (const ProvedObligation& obligation : proof.obligations) {
      if (obligation.verdict != ProofVerdict::refuted || obligation.counterexample->arguments != size) continue;
      if (*right) found.push_back(fmt::format("refuted, but right at{}: {}", in_words(size), obligation.meaning));
    }
  }
  for (const ProvedObligation& obligation : proof.obligations) {
    if (obligation.verdict != ProofVerdict::refuted) continue;
    if (!reference::holds_at(schedule, obligation.counterexample->arguments))
      found.push_back("refuted at no size: " + obligation.meaning);
  }
  return found;
}

struct Tally {
  std::map<ProofVerdict, int> verdicts;
  int compiled = 0;
};

template <class Generate, class Judge>
Tally try_all(int count, const Generate& generate, const Judge& judge) {
  Tally tally;
  for (int i = 0; i < count; ++i) {
    reference::Dice dice(reference::first_seed() * 1'000'003 + static_cast<std::uint64_t>(i));
    const std::string text = generate(dice);
    CAPTURE(text);
    const Schedule schedule = reference::compiled(text).schedule;
    if (!schedule) continue;
    ++tally.compiled;
    const Proof proof = proof_of(schedule);
    ++tally.verdicts[proof.verdict];
    for (const std::string& problem : judge(proof, schedule)) FAIL_CHECK(problem << "\n" << text);
  }
  MESSAGE(fmt::format("{} compiled: {} proved, {} refuted, {} unknown", tally.compiled,
                      tally.verdicts[ProofVerdict::proved], tally.verdicts[ProofVerdict::refuted],
                      tally.verdicts[ProofVerdict::unknown]));
  return tally;
}

// "steps is 9" against what the table has.
std::vector<std::string> wrong_times(const Proof& proof, const Schedule& schedule, int& compared) {
  std::vector<std::string> found = faults(proof);
  for (const ProvedObligation& obligation : proof.obligations) {
    if (obligation.verdict != ProofVerdict::refuted || !obligation.counterexample) continue;
    const Counterexample& counterexample = *obligation.counterexample;
    if (!counterexample.text.starts_with("steps is ")) continue;
    const auto table = elaborate(schedule, counterexample.arguments);
    if (!table) continue;
    ++compared;
    const std::string steps = fmt::format("steps is {}", check(*table).steps);
    if (counterexample.text != steps)
      found.push_back(fmt::format("{} at{}, but the prover says: {}", steps, in_words(counterexample.arguments),
                                  counterexample.text));
  }
  return found;
}

// Whether the table keeps all rules, whatever its schedule claims.
bool is_right(const SendTable& table) {
  const Report report = check(table);
  for (std::size_t i = 0; i < property_count; ++i) {
    const auto property = static_cast<Property>(i);
    const bool asked = property != Property::claims && !report.only_warns(property);
    if (asked && report.of(property).verdict != Verdict::holds) return false;
  }
  return true;
}

// Sizes of which the theorem does not hold, be the claims proved or not.
std::vector<std::string> wrong_theorem(const Proof& proof, const Schedule& schedule) {
  std::vector<std::string> found;
  const auto theorem = driver::theorem_of(proof, *schedule);
  if (!theorem) return found;
  for (const Arguments& size : sizes_of(schedule)) {
    const auto table = elaborate(schedule, size);
    if (table && !is_right(*table)) found.push_back(theorem->text + ", but it is wrong at" + in_words(size));
  }
  return found;
}

// "rounds is 9, volume is 12" against what the table has.
std::vector<std::string> wrong_measures(const Proof& proof, const Schedule& schedule, int& compared) {
  std::vector<std::string> found = wrong(proof, schedule);
  for (std::string& each : wrong_theorem(proof, schedule)) found.push_back(std::move(each));
  for (const ProvedObligation& obligation : proof.obligations) {
    if (obligation.verdict != ProofVerdict::refuted || !obligation.counterexample) continue;
    const Counterexample& counterexample = *obligation.counterexample;
    if (!counterexample.text.starts_with("rounds is ")) continue;
    const auto table = elaborate(schedule, counterexample.arguments);
    if (!table) continue;
    const Report report = check(*table);
    ++compared;
    std::string measures = fmt::format("rounds is {}", report.steps);
    if (counterexample.text.find("volume") != std::string::npos)
      measures += fmt::format(", volume is {}", report.volume.value_or(0));
    if (counterexample.text.find("hops") != std::string::npos)
      measures += fmt::format(", hops is {}", report.hops.value_or(0));
    if (counterexample.text != measures)
      found.push_back(fmt::format("{} at{}, but the prover says: {}", measures, in_words(counterexample.arguments),
                                  counterexample.text));
  }
  return found;
}

TEST_CASE("a random claim is proved only if it holds at every size, and refuted only where it does not") {
  const Tally tally = try_all(how_many(), reference::schedule_with_claim, wrong);
  CHECK(tally.compiled > 0);
}

TEST_CASE("a random change is proved harmless only if it is, and refuted only where it is not") {
  const Tally tally = try_all(how_many(), reference::schedule_with_changes, wrong);
  CHECK(tally.compiled > 0);
}

TEST_CASE("a random sequence takes as many steps as the prover says") {
  int compared = 0;
  try_all(how_many(), reference::schedule_with_times,
          [&](const Proof& proof, const Schedule& schedule) { return wrong_times(proof, schedule, compared); });
  CHECK(compared > 0);
  MESSAGE(compared << " times compared");
}

TEST_CASE("a random schedule in rounds is proved only if it holds, and takes as long as the prover says") {
  int compared = 0;
  const Tally tally =
      try_all(4 * how_many(), reference::schedule_in_rounds,
              [&](const Proof& proof, const Schedule& schedule) { return wrong_measures(proof, schedule, compared); });
  CHECK(tally.compiled > 0);
  CHECK(compared > 0);
  MESSAGE(compared << " measures compared");
}

}  // namespace
