// Regions turns families of sends into regions of the plan, or into flights, while the plan is being made.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/evaluate/evaluate.h"
#include "compiler/plan/plan.h"
#include "compiler/plan/region_runner.h"
#include "compiler/plan/round_messages.h"
#include "compiler/plan/send_routes.h"

namespace quadrille {

// The result of planning a block: regions that start at a step, and flights.
struct Collected {
  std::vector<Launch> launches;
  Flights flights;
};

// The surroundings of a statement. They are passed by value, since each block has a context of its own.
struct PlanContext {
  const ir::Frame* shape = nullptr;
  Evaluator::Slot* frame = nullptr;  // the values of its variables
  std::uint32_t relabelling = 0;     // index into Plan::relabellings
  std::uint32_t collective = 0;      // index into Plan::collectives
  std::uint32_t setting = 0;         // index into Plan::settings
  std::uint32_t own_collective = 0;  // index into the collectives of the setting's home
  Collected* out = nullptr;
  const ir::Statement* outermost = nullptr;  // the schedule's own statement around it; null: there is none
};

// Adds regions to a plan. `main` must belong to the plan's instance, `evaluators` to its settings.
class Regions {
 public:
  Regions(Plan& plan, Evaluator& main, SettingEvaluators& evaluators);

  // Adds a family (ir::Statement::family) that starts after step `origin` to context.out. Returns its last step;
  // `origin` if it sends nothing. Throws EvaluationError.
  std::uint32_t add(const ir::Statement& family, const PlanContext& context, std::uint32_t origin);

  // Makes the sets that are values of the statement's variables outlive the evaluator, before its frame is copied into
  // the plan.
  void share_sets(const ir::Statement& statement, const PlanContext& context);

  // Returns all that was collected as flights, in the order of the sends.
  Flights expanded(Collected collected);

  // Puts the result of the whole schedule into the plan.
  void finish(Collected all);

  // Returns the variables in scope at the last send that was run, outermost first.
  std::vector<std::pair<std::string, std::int64_t>> variables() const { return runner_.variables(); }

 private:
  struct Measure {
    std::uint64_t rows = 0;
    std::uint32_t length = 0;  // steps from its first to its last
  };
  Measure launch_or_fly(std::uint32_t number, std::uint32_t origin, Collected& out);
  bool measure_send(const ResolvedSend& send, Measure& measure);
  void measure_message(const ResolvedSend& send, Measure& measure);
  void expand_launch(const Launch& launch, Flights& flights);
  void limit_memory(Span span) const;

  Plan& plan_;
  SettingEvaluators& evaluators_;
  std::uint64_t memory_;
  RegionRunner runner_;
  SendRoutes routes_;
  bool shortest_;                  // default routes are
  RoundMessages single_messages_;  // in rounds, for what is expanded: one for each receiver
  std::vector<Measure> measures_;  // by region
  std::uint64_t set_bytes_ = 0;    // of the instance's sets
};

}  // namespace quadrille
