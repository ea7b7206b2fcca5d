// `quadrille check` of an MSCCL++ execution plan: opens it, and judges it as the executor of MSCCL++ runs it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "driver/inputs/context.h"
#include "model/text/result.h"
#include "programs/mscclpp/plan.h"
#include "programs/order_graph.h"
#include "programs/report.h"

namespace quadrille::driver {

struct CheckPlanRequest {
  std::string file = {};                              // a path; `-`: standard input
  std::optional<std::uint32_t> multiprocessors = {};  // of a GPU: as many blocks run at once
  std::string collective = {};                        // "broadcast:2"; empty: the plan's own, of root 0
  bool alone = false;       // nothing else is launched on these GPUs, and this for one size of message
  bool agreement = false;   // whether agreement is required, too
  std::size_t listed = 3;   // number of findings of each property that are described
  bool operations = false;  // list the operations, and their order; costs memory
  bool order = false;       // find the order, but do not list it with the printed report: for pages
};

struct CheckPlanOutcome {
  programs::ExecutionPlan plan;
  programs::ProgramReport report;
  std::optional<std::uint32_t> multiprocessors = {};
  std::uint64_t blocks = 0;
  std::uint64_t operations = 0;                    // those in pipelines are counted, too
  bool order_listed = false;                       // in the printed report
  std::optional<programs::OrderGraph> order = {};  // if operations were wanted
};

// Whether the file is an execution plan; false if it cannot be read. Cost: its beginning, and the whole file only if
// that may be the beginning of a plan.
bool is_plan(const std::string& file, Context& context);

// Checks a plan. Errors: the request or the file is wrong.
Result<CheckPlanOutcome> run(const CheckPlanRequest& request, Context& context);

}  // namespace quadrille::driver
