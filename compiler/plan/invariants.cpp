// An `invariant` is evaluated for one size: first its steps, then the statements of each step.
//
//   invariant after t in 0..2: for k in processors: held(k) == {k - t .. k} mod 4
//   the steps are 0, 1, 2; of step 1 and processor 0 it says that the origins are 0 and 3
//
// Cost: invariant_statements.cpp; who reads them in time, invariants_in_time.cpp.
#include "compiler/plan/invariants.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/plan/invariant_statements.h"
#include "compiler/plan/invariants_in_time.h"

namespace quadrille {
namespace {

using Slot = Evaluator::Slot;

// --- statements ---------------------------------------------------------------------------------------------------

// Calls visit() with the statements of one step.
class Speaker {
 public:
  Speaker(const Collective& collective, Evaluator& evaluator, Slot* frame, const TableInvariant::Visit& visit)
      : maker_(collective, evaluator, frame), evaluator_(evaluator), frame_(frame), visit_(visit) {}

  void say(const std::vector<ir::HeldItem>& items) {
    for (const ir::HeldItem& item : items) {
      if (item.origins) {
        say(item);
        continue;
      }
      evaluator_.for_each(item.bindings, frame_, [&] {
        if (ended_) return;
        if (!item.condition || evaluator_.truth(*item.condition, frame_)) say(item.items);
      });
    }
  }

 private:
  void say(const ir::HeldItem& item) {
    if (ended_) return;
    evaluator_.count_iteration(item.span);
    if (item.condition && !evaluator_.truth(*item.condition, frame_)) return;
    HeldOrigins statement = maker_.about(item);
    statement.origins = origins_of(*item.origins, evaluator_, frame_);
    ended_ = !visit_(statement);
  }

  StatementMaker maker_;
  Evaluator& evaluator_;
  Slot* frame_;
  const TableInvariant::Visit& visit_;
  bool ended_ = false;
};

// --- what is handed over ------------------------------------------------------------------------------------------

// One invariant of a plan.
class Spoken {
 public:
  Spoken(std::shared_ptr<const Plan> plan, std::size_t index) : plan_(std::move(plan)), index_(index) {}

  const ir::Invariant& invariant() const { return plan_->schedule().invariants[index_]; }

  Result<std::vector<std::uint32_t>> steps(const Limits& limits) const {
    std::vector<std::uint32_t> result;
    auto wrong = evaluate(limits, [&](Evaluator& evaluator, Slot* frame) {
      std::vector<std::int64_t> elements;
      evaluator.collect(invariant().step.set, frame, elements);
      std::sort(elements.begin(), elements.end());
      for (const std::int64_t step : elements) {
        if (step < 0 || step > max_step)
          fail(invariant().step.set.span, fmt::format("there is no step {}", step), Code::range);
        result.push_back(static_cast<std::uint32_t>(step));
      }
    });
    if (wrong) return *std::move(wrong);
    return result;
  }

  std::optional<Diagnostic> statements(std::uint32_t step, const Limits& limits,
                                       const TableInvariant::Visit& visit) const {
    return evaluate(limits, [&](Evaluator& evaluator, Slot* frame) {
      frame[invariant().step.variable.value] = step;
      Speaker(plan_->collectives[0], evaluator, frame, visit).say(invariant().items);
    });
  }

  std::unique_ptr<StatementsInTime> in_time(const Limits& limits) const {
    return statements_in_time(plan_, index_, limits);
  }

 private:
  template <class Evaluate>
  std::optional<Diagnostic> evaluate(const Limits& limits, const Evaluate& evaluate) const {
    return evaluate_invariant(*plan_, invariant(), limits, evaluate);
  }

  std::shared_ptr<const Plan> plan_;
  std::size_t index_;
};

}  // namespace

std::vector<TableInvariant> invariants_of(const std::shared_ptr<const Plan>& plan) {
  std::vector<TableInvariant> result;
  const bool left_rounds = plan->instance.in_rounds && !plan->fabric().in_rounds();
  for (std::size_t i = 0; i < plan->schedule().invariants.size(); ++i) {
    const Spoken spoken(plan, i);
    if (left_rounds) {
      const auto no_steps = [](const Limits&) { return std::vector<std::uint32_t>(); };
      const auto nothing = [](std::uint32_t, const Limits&, const TableInvariant::Visit&) { return std::nullopt; };
      const std::string text = spoken.invariant().text + " (not judged: this table counts steps)";
      result.push_back({text, spoken.invariant().span, no_steps, nothing});
      continue;
    }
    result.push_back({spoken.invariant().text, spoken.invariant().span,
                      [spoken](const Limits& limits) { return spoken.steps(limits); },
                      [spoken](std::uint32_t step, const Limits& limits, const TableInvariant::Visit& visit) {
                        return spoken.statements(step, limits, visit);
                      },
                      [spoken](const Limits& limits) { return spoken.in_time(limits); }});
  }
  return result;
}

}  // namespace quadrille
