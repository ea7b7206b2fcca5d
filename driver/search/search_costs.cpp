// The cost of a schedule is a·T_s + d·T_h + b·T_c (model/MODEL.md, Rounds), b times the bytes of a chunk. Rounds and
// hops do not depend on the message's size, but b does. So short messages need few rounds, and long ones little
// volume or load.
//
//   allreduce on complete:8,ports=single of 1 KiB: recursive doubling, 3 rounds of 1 KiB; of 16 MiB: Rabenseifner's, 6
//   rounds of 14 eighths
//
// Cost: for each choice of arguments, a compilation and a check of the schedule as written, and with its messages
// placed anew.
#include "driver/search/search_costs.h"

#include <algorithm>
#include <utility>

#include "compiler/compile.h"
#include "compiler/ir.h"
#include "driver/inputs/bandwidth.h"
#include "driver/inputs/input.h"
#include "driver/inputs/message_time.h"
#include "driver/inputs/notations.h"
#include "driver/search/fit.h"
#include "driver/search/known_arguments.h"
#include "driver/search/least_time.h"
#include "dsl/load.h"
#include "verifier/check.h"

namespace quadrille::driver {
namespace {

constexpr double rounding = 1e-9;  // of the time, that sums of a few numbers may be off
constexpr std::uint64_t most_demands = std::uint64_t{1} << 22;

void consider(CostSearchOutcome& outcome, SendTable table, Context& context) {
  table.claims.clear();
  table.invariants.clear();
  const Report report = check(table, {.listed_per_property = 0, .limits = remaining(context)});
  if (report.verdict != Verdict::holds || !report.volume || !report.hops) return;
  const auto seconds =
      message_time(table, measures_of(table.fabric, report), outcome.costs, outcome.size, remaining(context));
  if (!seconds || (outcome.found && outcome.found->seconds <= *seconds)) return;
  outcome.found = {std::move(table), report.steps, *report.volume, report.load, *report.hops, *seconds};
}

}  // namespace

bool CostSearchOutcome::optimal() const { return found && found->seconds <= at_least * (1 + rounding); }

Result<CostSearchOutcome> run(const CostSearchRequest& request, Context& context) {
  Result<CollectiveOnFabric> asked = collective_on(request.on, request.without, request.collective, context);
  if (!asked) return asked.diagnostics();
  const Result<Costs> costs = parse_costs(request.costs);
  if (!costs) return costs.diagnostics();
  const Result<std::uint64_t> size = parse_size(request.size);
  if (!size) return size.diagnostics();
  const auto sizes = message_sizes({*size}, request.size_of, asked->collective);
  if (!sizes) return sizes.diagnostics();
  CostSearchOutcome outcome{asked_for(request.on, request.without), timed(asked->fabric, Timing::rounds),
                            asked->collective, *costs, sizes->front()};
  outcome.at_least = least_time(outcome.fabric, outcome.collective, outcome.costs, remaining(context)).of(outcome.size);
  if (outcome.collective.demands() > most_demands) return outcome;
  for (const ShippedFile& shipped : shipped_schedules()) {
    Context apart{context.environment, context.limits, {}, context.world};  // its sources are of no use later
    const auto schedule = open_shipped_schedule(std::string(shipped.name), apart);
    outcome.reason = context.limits.reached();
    if (outcome.reason != Reason::none) return outcome;
    if (!schedule || !may_serve((*schedule)->collective.kind, outcome.collective)) continue;
    if (!suits(**schedule, outcome.fabric)) continue;
    for (const Arguments& arguments :
         arguments_of_any_parts(**schedule, outcome.fabric, outcome.collective, remaining(context))) {
      for (const bool retimed : {false, true}) {
        outcome.reason = context.limits.reached();
        if (outcome.reason != Reason::none) return outcome;
        Result<SendTable> table =
            elaborate_serving(*schedule, arguments, outcome.collective, ChunkCount::any,
                              {.fabric = outcome.fabric, .retime = retimed, .limits = remaining(context)});
        if (table && table->rows->has_messages()) consider(outcome, std::move(*table), context);
      }
    }
  }
  outcome.reason = context.limits.reached();
  return outcome;
}

}  // namespace quadrille::driver
