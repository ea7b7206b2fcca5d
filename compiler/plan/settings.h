// PlanSettings adds to a plan what names stand for in its blocks of processors, and in the schedules that it runs.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include "compiler/compile.h"
#include "compiler/plan/plan.h"
#include "compiler/plan/regions.h"

namespace quadrille {

class PlanSettings {
 public:
  explicit PlanSettings(Plan& plan) : plan_(plan) {}

  // Each returns an index into Plan::settings; of what was asked for before, the same one. They throw EvaluationError.
  // That of a block `of count`, in the setting `outer`.
  std::uint32_t block(const ir::Relabel& relabel, std::int64_t count, std::uint32_t outer);
  // That of a schedule that is run, its arguments being evaluated in the context.
  std::uint32_t run(const ir::Run& run, Span span, const PlanContext& context, Evaluator& evaluator);

  // Gives each collective whose packets are named in the context its dual, if it has none yet.
  void add_duals(const PlanContext& context, Span span);

 private:
  std::uint32_t add(Setting setting, Span span);
  Setting bound(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments,
                const PlanContext& context, Span span) const;

  Plan& plan_;
  std::map<std::tuple<std::uint32_t, std::int64_t, bool>, std::uint32_t> blocks_;  // by outer setting, count, and parts
  std::map<std::tuple<const ir::Schedule*, Arguments, std::uint32_t>, std::uint32_t> runs_;
};

}  // namespace quadrille
