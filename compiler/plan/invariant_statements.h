// What one line of an invariant says at one step and for one size.
#pragma once

#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/evaluate/evaluate.h"
#include "compiler/plan/plan.h"
#include "model/invariant.h"
#include "model/limits/memory_ceiling.h"

namespace quadrille {

// Returns the set as ranges: those of numbers, sorted and joined; of a set, which may be a range that is not listed.
std::vector<OriginRange> ranges(std::vector<std::int64_t> elements);
std::vector<OriginRange> origins_of(const ir::Expression& set, Evaluator& evaluator, Evaluator::Slot* frame);

class StatementMaker {
 public:
  // `frame`: in which the lines are evaluated.
  StatementMaker(const Collective& collective, Evaluator& evaluator, Evaluator::Slot* frame);

  // Returns the statement without its origins. Throws EvaluationError on the user's mistakes.
  HeldOrigins about(const ir::HeldItem& item);

 private:
  std::uint32_t number(const ir::Expression& e, std::uint32_t end, std::string_view what);
  std::optional<std::uint32_t> target(const ir::HeldItem& item, std::uint32_t part);

  const Collective& collective_;
  std::uint32_t parts_;
  Evaluator& evaluator_;
  Evaluator::Slot* frame_;
};

// Calls evaluate(evaluator, frame) with a new frame of the invariant, on the fabric that the table is for, as for
// claims. Returns the error, if there is one.
template <class Evaluate>
std::optional<Diagnostic> evaluate_invariant(const Plan& plan, const ir::Invariant& invariant, const Limits& limits,
                                             const Evaluate& evaluate) {
  Instance instance = plan.instance;
  instance.limits = limits;
  if (plan.retimed_for) {
    instance.fabric = plan.retimed_for;
    instance.router.emplace(*instance.fabric);
  }
  try {
    Evaluator evaluator(instance);
    const Evaluator::FrameGuard frame(evaluator, invariant.frame.size, invariant.span);
    evaluate(evaluator, frame.slots());
  } catch (const EvaluationError& error) {
    return error.diagnostic;
  } catch (const std::bad_alloc& refusal) {
    return error_at(invariant.span, std::string(why_no_memory(refusal)), Code::limit);
  }
  return std::nullopt;
}

}  // namespace quadrille
