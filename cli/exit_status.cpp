// What each outcome means as exit status; COMMANDS.md has the table. A search that found a schedule but not its
// optimality is unknown, unless only a number of steps was asked for.
#include "cli/exit_status.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace quadrille::cli {

namespace {

// Of an answer that holds so far, but for what the limits left out.
ExitStatus unless_cut(ExitStatus status, Reason cut) {
  return status == exit_done && cut != Reason::none ? exit_unknown : status;
}

// A right table whose time was asked for, and is missing: a limit took it.
ExitStatus with_times(ExitStatus status, const std::vector<std::optional<double>>& times) {
  const bool missing = std::ranges::any_of(times, [](const auto& time) { return !time; });
  return status == exit_done && missing ? exit_unknown : status;
}

ExitStatus status_of(programs::ProgramVerdict verdict) {
  if (verdict == programs::ProgramVerdict::holds) return exit_done;
  return verdict == programs::ProgramVerdict::unknown ? exit_unknown : exit_violated;
}

}  // namespace

ExitStatus exit_status(const driver::CheckOutcome& outcome) {
  return with_times(quadrille::exit_status(outcome.report.verdict), outcome.times);
}

ExitStatus exit_status(const driver::BoundsOutcome& outcome) { return unless_cut(exit_done, outcome.reason); }

ExitStatus exit_status(const driver::CompareOutcome& outcome) { return unless_cut(exit_done, outcome.reason); }

ExitStatus exit_status(const driver::CheckProgramOutcome& outcome) { return status_of(outcome.verdict()); }

ExitStatus exit_status(const driver::CheckGoalOutcome& outcome) { return status_of(outcome.report.verdict()); }

ExitStatus exit_status(const driver::CheckPlanOutcome& outcome) { return status_of(outcome.report.verdict()); }

ExitStatus exit_status(const driver::ReplayOutcome& outcome) {
  return with_times(quadrille::exit_status(outcome.measured.verdict), outcome.times);
}

ExitStatus exit_status(const driver::TrafficOutcome& outcome) {
  return outcome.reason() == Reason::none ? exit_done : exit_unknown;
}

ExitStatus exit_status(const driver::ProveOutcome& outcome) {
  if (outcome.proof.verdict == ProofVerdict::proved) return exit_done;
  return outcome.proof.verdict == ProofVerdict::refuted ? exit_violated : exit_unknown;
}

ExitStatus exit_status(const driver::ProveShippedOutcome& outcome) {
  if (outcome.with(ProofVerdict::refuted) > 0) return exit_violated;
  return outcome.with(ProofVerdict::unknown) > 0 || !outcome.whole() ? exit_unknown : exit_done;
}

ExitStatus exit_status(const driver::SizesOutcome& outcome) { return quadrille::exit_status(outcome.verdict); }

ExitStatus exit_status(const driver::CertifyOutcome& outcome) {
  if (outcome.report.verdict == CertificateVerdict::accepted) return exit_done;
  return outcome.report.verdict == CertificateVerdict::rejected ? exit_violated : exit_unknown;
}

ExitStatus exit_status(const driver::CertifyProofOutcome& outcome) {
  if (outcome.report.verdict == ReaderVerdict::accepted) return exit_done;
  return outcome.report.verdict == ReaderVerdict::rejected ? exit_violated : exit_unknown;
}

ExitStatus exit_status(const driver::SearchOutcome& outcome) {
  switch (outcome.result.verdict) {
    case SearchVerdict::optimal:
      return exit_done;
    case SearchVerdict::found:
      // With --steps the question was whether there is one; without, which is the shortest.
      return outcome.goal.steps ? exit_done : exit_unknown;
    case SearchVerdict::impossible:
      return exit_violated;
    case SearchVerdict::unknown:
      break;
  }
  return exit_unknown;
}

ExitStatus exit_status(const driver::CostSearchOutcome& outcome) {
  return outcome.optimal() ? exit_done : exit_unknown;
}

ExitStatus exit_status(const driver::FrontierOutcome& outcome) {
  if (outcome.impossible()) return exit_violated;
  return outcome.all_optimal() ? exit_done : exit_unknown;
}

ExitStatus exit_status(const driver::FabricsOutcome& outcome) {
  if (!outcome.cycle || outcome.cycle->verdict == CycleVerdict::found) return exit_done;
  return outcome.cycle->verdict == CycleVerdict::none ? exit_violated : exit_unknown;
}

ExitStatus exit_status(const driver::LayoutOutcome& outcome) {
  const bool differs = std::any_of(outcome.files.begin(), outcome.files.end(),
                                   [](const driver::LaidOutFile& file) { return file.differs; });
  return outcome.check && differs ? exit_violated : exit_done;
}

ExitStatus refusal_status(const Diagnostics& diagnostics) {
  return reason_of(diagnostics) == Reason::none ? exit_bad_input : exit_unknown;
}

}  // namespace quadrille::cli
