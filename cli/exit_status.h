// The exit status of every outcome: 0 holds or done, 1 violated, refuted, impossible or rejected, 2 bad input, 3
// unknown.
#pragma once

#include "driver/bounds.h"
#include "driver/catalogue.h"
#include "driver/check/check.h"
#include "driver/check/check_goal.h"
#include "driver/check/check_plan.h"
#include "driver/check/check_program.h"
#include "driver/compile.h"
#include "driver/diff/diff.h"
#include "driver/export.h"
#include "driver/look/layout.h"
#include "driver/look/trace.h"
#include "driver/prove/certify.h"
#include "driver/prove/certify_proof.h"
#include "driver/prove/prove.h"
#include "driver/prove/prove_shipped.h"
#include "driver/prove/sizes.h"
#include "driver/replay.h"
#include "driver/replay_program.h"
#include "driver/routed_traffic.h"
#include "driver/search/compare.h"
#include "driver/search/search.h"
#include "driver/search/search_costs.h"
#include "model/verdict.h"
#include "pages/draw.h"

namespace quadrille::cli {

ExitStatus exit_status(const driver::CheckOutcome& outcome);
// What holds under a condition only does not hold.
ExitStatus exit_status(const driver::CheckProgramOutcome& outcome);
ExitStatus exit_status(const driver::CheckGoalOutcome& outcome);
ExitStatus exit_status(const driver::CheckPlanOutcome& outcome);
ExitStatus exit_status(const driver::ReplayOutcome& outcome);
// Done, or unknown where the limits left sizes out.
inline ExitStatus exit_status(const driver::ReplayProgramOutcome& outcome) {
  return outcome.cut == Reason::none ? exit_done : exit_unknown;
}
// Done, or unknown where messages are left.
ExitStatus exit_status(const driver::TrafficOutcome& outcome);
ExitStatus exit_status(const driver::ProveOutcome& outcome);
// As if all were one proof.
ExitStatus exit_status(const driver::ProveShippedOutcome& outcome);
ExitStatus exit_status(const driver::SizesOutcome& outcome);
ExitStatus exit_status(const driver::CertifyOutcome& outcome);
ExitStatus exit_status(const driver::CertifyProofOutcome& outcome);
// Found, with the bound below, answers only who gave a number of steps.
ExitStatus exit_status(const driver::SearchOutcome& outcome);
ExitStatus exit_status(const driver::CostSearchOutcome& outcome);
ExitStatus exit_status(const driver::FrontierOutcome& outcome);
// Violated if they differ.
inline ExitStatus exit_status(const driver::DiffOutcome& outcome) { return outcome.same() ? exit_done : exit_violated; }
// --check: violated if a file differs.
ExitStatus exit_status(const driver::LayoutOutcome& outcome);
inline ExitStatus exit_status(const driver::CompileOutcome&) { return exit_done; }
inline ExitStatus exit_status(const driver::ExportOutcome&) { return exit_done; }
inline ExitStatus exit_status(const pages::DrawOutcome&) { return exit_done; }
inline ExitStatus exit_status(const driver::TraceOutcome&) { return exit_done; }
// Done, or unknown where the limits left something out.
ExitStatus exit_status(const driver::BoundsOutcome& outcome);
ExitStatus exit_status(const driver::CompareOutcome& outcome);
inline ExitStatus exit_status(const driver::ListOutcome&) { return exit_done; }
// Whether there is the cycle that was asked for.
ExitStatus exit_status(const driver::FabricsOutcome& outcome);
inline ExitStatus exit_status(const driver::ShowOutcome&) { return exit_done; }

// Of what could not be done: bad input; but unknown, if only limits were in the way.
ExitStatus refusal_status(const Diagnostics& diagnostics);

}  // namespace quadrille::cli
