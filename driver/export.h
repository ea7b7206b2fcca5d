// `quadrille export`: writes a table for another system.
#pragma once

#include <string>

#include "driver/inputs/context.h"
#include "driver/inputs/input.h"
#include "export/targets.h"
#include "model/text/result.h"

namespace quadrille::driver {

struct ExportRequest {
  TableRequest input = {};    // a folder with best.json (best_index.h): each of its tables, for its sizes
  std::string target = {};    // a name among the targets of the context's world
  std::string output = {};    // a path; empty: standard output; of a folder: another one, which is needed
  std::string size = {};      // of a message, "64KiB"; empty: 1 KiB; only for targets that state sizes
  std::string consumer = {};  // "msccl" (also if empty), "azure" or "rccl"; only for targets for executors
  bool unfold = false;        // send apart what switches add up
  bool anyway = false;  // also of a table that is not well formed, causal or complete; where the target can say it
  exporting::PlanChoices plan = {};  // only for execution plans
  double deadline = 0;  // seconds that a processor waits in one step; 0: no limit; only for targets that wait
};

using exporting::ExportOutcome;

// Exports a table. Also an error if the file cannot be written; then the old one stays. So is a table that is not well
// formed, causal or complete, unless `anyway`. One that breaks other rules is exported: what it moves is right.
Result<ExportOutcome> run(const ExportRequest& request, Context& context);

}  // namespace quadrille::driver
