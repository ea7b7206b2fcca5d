// What the judge of execution plans passes never fails, however it is run: small plans, right and wrong ones, with a
// few faults each. The executor that runs them shares nothing with the judge but the plan. The first seed is
// QUADRILLE_SEED.
#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "programs/mscclpp/judge.h"
#include "tests/environment.h"
#include "tests/programs/plan_executor.h"
#include "tests/programs/plan_mutants.h"
#include "tests/programs/small_plans.h"
#include "tests/reference/random_tables.h"

namespace quadrille::programs {
namespace {

struct PlanTally {
  int refused = 0;
  int unknown = 0;
  int passed = 0;
  int conditional = 0;
  int violated = 0;
  int shown = 0;   // violated, and a run fails
  int broken = 0;  // unknown, and a run fails
};

bool has_pipeline(const ExecutionPlan& plan) {
  for (const PlanRank& rank : plan.ranks) {
    for (const PlanBlock& block : rank.blocks) {
      for (const PlanOperation& operation : block.operations) {
        if (operation.kind == PlanKind::pipeline) return true;
      }
    }
  }
  return false;
}

class PlanTrial {
 public:
  // Runs of each plan; those of a violated one end when one fails.
  PlanTrial(std::uint64_t runs, std::uint64_t runs_of_violated) : runs_(runs), runs_of_violated_(runs_of_violated) {}

  PlanTally tally;
  std::vector<std::string> unshown = {};  // violated, and no run fails

  void judge(const ExecutionPlan& plan, const std::string& name, std::uint64_t seed) {
    const ProgramReport report = judge_plan(plan, {});
    for (const ProgramProperty property : {ProgramProperty::structure, ProgramProperty::limits}) {
      if (report.of(property).verdict == ProgramVerdict::violated) return void(++tally.refused);
    }
    if (passes(report)) {
      ++tally.passed;
      if (fails(plan, seed, runs_)) tell(name, seed);
      return;
    }
    const bool violated = report.verdict() == ProgramVerdict::violated;
    const bool failed = fails(plan, seed, violated ? runs_of_violated_ : runs_);
    switch (report.verdict()) {
      case ProgramVerdict::holds:
      case ProgramVerdict::conditional:
        ++tally.conditional;
        break;
      case ProgramVerdict::unknown:
        ++tally.unknown;
        tally.broken += failed;
        break;
      case ProgramVerdict::violated:
        ++tally.violated;
        tally.shown += failed;
        if (!failed) unshown.push_back(name + ": " + of_findings(report));
        break;
    }
  }

 private:
  // For all sizes that the executor has room for.
  static bool passes(const ProgramReport& report) {
    ProgramReport within = report;
    PropertyVerdict& limits = within.of(ProgramProperty::limits);
    if (limits.verdict == ProgramVerdict::conditional) limits.verdict = ProgramVerdict::holds;
    return within.verdict() == ProgramVerdict::holds;
  }

  bool fails(const ExecutionPlan& plan, std::uint64_t seed, std::uint64_t runs) {
    const std::uint32_t sizes = has_pipeline(plan) ? 3 : 1;
    for (std::uint64_t i = 0; i < runs; ++i) {
      options_ = {.seed = seed * runs_of_violated_ + i,
                  .launches = static_cast<std::uint32_t>(1 + i % 4),
                  .others = static_cast<std::uint32_t>(i / 4 % 2),
                  .turns = static_cast<std::uint32_t>(1 + i % sizes)};
      failure_ = run_plan(plan, options_);
      if (failure_) return true;
    }
    return false;
  }

  void tell(const std::string& name, std::uint64_t seed) const {
    FAIL_CHECK("the judge passes \"" << name << "\" (mutant " << seed << "), and it fails with seed " << options_.seed
                                     << ", " << options_.launches << " launches, " << options_.others
                                     << " plans between and " << options_.turns
                                     << " turns: " << to_string(failure_->property) << ": " << failure_->message);
  }

  static std::string of_findings(const ProgramReport& report) {
    return report.findings.empty()
               ? ""
               : std::string(to_string(report.findings[0].property)) + ": " + report.findings[0].message;
  }

  std::uint64_t runs_;
  std::uint64_t runs_of_violated_;
  PlanRunOptions options_ = {};
  std::optional<PlanFailure> failure_ = {};
};

void judge_mutants(PlanTrial& trial, const SmallPlan& small, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  PlanMutant mutant{small.plan, {}};
  std::string name = small.name;
  for (std::uint64_t faults = 1 + seed % 2; faults > 0; --faults) {
    mutant = mutated(mutant.plan, random);
    name += "; " + mutant.fault;
  }
  trial.judge(mutant.plan, name, seed);
}

TEST_CASE("no plan that the judge passes ever fails in a run") {
  const std::uint64_t mutants = tests::brief ? 40 : 50;
  PlanTrial trial(tests::brief ? 200 : 2000, tests::brief ? 200 : 10000);
  std::vector<SmallPlan> all = right_plans();
  for (SmallPlan& small : wrong_plans()) all.push_back(std::move(small));
  for (const SmallPlan& small : all) {
    trial.judge(small.plan, small.name, 0);
    for (std::uint64_t i = 0; i < mutants; ++i) judge_mutants(trial, small, reference::first_seed() + i);
  }
  const PlanTally& tally = trial.tally;
  MESSAGE("refused " << tally.refused << ", passed " << tally.passed << ", conditional " << tally.conditional
                     << ", unknown " << tally.unknown << " (a run fails: " << tally.broken << "), violated "
                     << tally.violated << " (a run fails: " << tally.shown << ")");
  if (tests::is_set("QUADRILLE_TELL")) {
    for (const std::string& name : trial.unshown) MESSAGE("no run fails: " << name);
  }
  // Of a thousand that it calls wrong, runs do not show five: a write of what is there already, and threads whose order
  // nothing promises.
  if (!tests::brief)
    CHECK(trial.unshown.size() * 1000 <= static_cast<std::size_t>(5 * (tally.violated + tally.passed)));
  CHECK(tally.shown > 0);
}

}  // namespace
}  // namespace quadrille::programs
