// Every outcome as text, for people, and as JSON, for machines: one value, many forms. JSON.md names each key.
#pragma once

#include <string>

#include "cli/render/form.h"
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
#include "model/text/source.h"
#include "pages/draw.h"

namespace quadrille::cli {

// Each ends with a newline, or is empty. `sources` are those of the outcome's context.
std::string rendered(AsText, const driver::CheckOutcome& outcome, const Sources& sources);
std::string rendered(AsJson, const driver::CheckOutcome& outcome, const Sources& sources);

std::string rendered(AsText, const driver::CheckProgramOutcome& outcome, const Sources& sources);
std::string rendered(AsJson, const driver::CheckProgramOutcome& outcome, const Sources& sources);

std::string rendered(AsText, const driver::CheckGoalOutcome& outcome, const Sources& sources);
std::string rendered(AsJson, const driver::CheckGoalOutcome& outcome, const Sources& sources);

std::string rendered(AsText, const driver::CheckPlanOutcome& outcome, const Sources& sources);
std::string rendered(AsJson, const driver::CheckPlanOutcome& outcome, const Sources& sources);

std::string rendered(AsText, const driver::ReplayOutcome& outcome, const Sources& sources);
std::string rendered(AsJson, const driver::ReplayOutcome& outcome, const Sources& sources);

std::string rendered(AsText, const driver::ReplayProgramOutcome& outcome, const Sources& sources);
std::string rendered(AsJson, const driver::ReplayProgramOutcome& outcome, const Sources& sources);

std::string rendered(AsText, const driver::TrafficOutcome& outcome, const Sources& sources);
std::string rendered(AsJson, const driver::TrafficOutcome& outcome, const Sources& sources);

std::string rendered(AsText, const driver::ProveOutcome& outcome, const Sources& sources);
std::string rendered(AsJson, const driver::ProveOutcome& outcome, const Sources& sources);

std::string rendered(AsText, const driver::ProveShippedOutcome& outcome, const Sources& sources);
std::string rendered(AsJson, const driver::ProveShippedOutcome& outcome, const Sources& sources);
// What the last proof of an outcome so far adds to what is printed; rendered() adds the rest to what was told.
std::string newest(AsText, const driver::ProveShippedOutcome& so_far);
std::string newest(AsJson, const driver::ProveShippedOutcome& so_far);

std::string rendered(AsText, const driver::SizesOutcome& outcome, const Sources& sources);
std::string rendered(AsJson, const driver::SizesOutcome& outcome, const Sources& sources);

std::string rendered(AsText, const driver::BoundsOutcome& outcome, const Sources& sources);
std::string rendered(AsJson, const driver::BoundsOutcome& outcome, const Sources& sources);

std::string rendered(AsText, const driver::CompareOutcome& outcome, const Sources& sources);
std::string rendered(AsJson, const driver::CompareOutcome& outcome, const Sources& sources);

std::string rendered(AsText, const driver::SearchOutcome& outcome, const Sources& sources);
std::string rendered(AsJson, const driver::SearchOutcome& outcome, const Sources& sources);

std::string rendered(AsText, const driver::FrontierOutcome& outcome, const Sources& sources);
std::string rendered(AsJson, const driver::FrontierOutcome& outcome, const Sources& sources);

std::string rendered(AsText, const driver::CostSearchOutcome& outcome, const Sources& sources);
std::string rendered(AsJson, const driver::CostSearchOutcome& outcome, const Sources& sources);

std::string rendered(AsText, const driver::CertifyOutcome& outcome, const Sources& sources);
std::string rendered(AsJson, const driver::CertifyOutcome& outcome, const Sources& sources);

std::string rendered(AsText, const driver::CertifyProofOutcome& outcome, const Sources& sources);
std::string rendered(AsJson, const driver::CertifyProofOutcome& outcome, const Sources& sources);

std::string rendered(AsText, const driver::ListOutcome& outcome, const Sources& sources);
std::string rendered(AsJson, const driver::ListOutcome& outcome, const Sources& sources);

std::string rendered(AsText, const driver::FabricsOutcome& outcome, const Sources& sources);
std::string rendered(AsJson, const driver::FabricsOutcome& outcome, const Sources& sources);

std::string rendered(AsText, const driver::ShowOutcome& outcome, const Sources& sources);
std::string rendered(AsJson, const driver::ShowOutcome& outcome, const Sources& sources);

std::string rendered(AsText, const driver::DiffOutcome& outcome, const Sources& sources);
std::string rendered(AsJson, const driver::DiffOutcome& outcome, const Sources& sources);

// What stands on standard output; the files themselves are the outcome.
std::string rendered(AsText, const driver::LayoutOutcome& outcome, const Sources& sources);
std::string rendered(AsJson, const driver::LayoutOutcome& outcome, const Sources& sources);

// Nothing: the table is the outcome, and has been written.
std::string rendered(AsText, const driver::CompileOutcome& outcome, const Sources& sources);
std::string rendered(AsJson, const driver::CompileOutcome& outcome, const Sources& sources);
// Likewise.
inline std::string rendered(AsText, const driver::ExportOutcome&, const Sources&) { return {}; }
inline std::string rendered(AsJson, const driver::ExportOutcome&, const Sources&) { return {}; }
inline std::string rendered(AsText, const pages::DrawOutcome&, const Sources&) { return {}; }
inline std::string rendered(AsJson, const pages::DrawOutcome&, const Sources&) { return {}; }
inline std::string rendered(AsText, const driver::TraceOutcome&, const Sources&) { return {}; }
inline std::string rendered(AsJson, const driver::TraceOutcome&, const Sources&) { return {}; }

// What is wrong, on standard output; in text, it stands on standard error only. JSON: {"error": […], "status": …}.
inline std::string rendered_errors(AsText, const Diagnostics&, const Sources&, int) { return {}; }
std::string rendered_errors(AsJson, const Diagnostics& diagnostics, const Sources& sources, int status);

}  // namespace quadrille::cli
