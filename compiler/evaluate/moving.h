// MovingEvaluator evaluates expressions at a step and says for how long the outcome lasts, so that what has not changed
// need not be evaluated again.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "compiler/evaluate/evaluate.h"

namespace quadrille {

// A number that is value + slope·d at d steps after this one, up to and including the step `until`.
struct MovingValue {
  static constexpr std::int64_t for_ever = std::numeric_limits<std::int64_t>::max();
  std::int64_t value = 0;
  std::int64_t slope = 0;
  std::int64_t until = for_ever;
};

class MovingEvaluator {
 public:
  using Slot = Evaluator::Slot;

  // Of frames of `size` slots in which `step` alone moves. Requires that steps stay below 2^31.
  MovingEvaluator(Evaluator& evaluator, std::uint32_t size, ir::VariableId step);

  // Returns the number, truth value or node at the frame's step. Where nothing better is known, it lasts for that step
  // only. May fail as an evaluation does, and is of no further use then; it never lasts beyond a step that would fail.
  MovingValue moving(const ir::Expression& e, Slot* frame);
  // Returns the same as a number that does not change: until it would.
  MovingValue lasting(const ir::Expression& e, Slot* frame);
  // Whether the expression, which may be a set, speaks of anything that moves.
  bool moves(const ir::Expression& e) const;

 private:
  // How a slot's value changes.
  struct Drift {
    std::int64_t slope = 0;
    std::int64_t until = MovingValue::for_ever;
    bool still() const { return slope == 0 && until == MovingValue::for_ever; }
  };

  const Drift& drift(ir::VariableId variable) const { return drifts_[base_ + variable.value]; }
  MovingValue unary(const ir::Unary& node, const ir::Expression& e, Slot* frame);
  MovingValue binary(const ir::Binary& node, const ir::Expression& e, Slot* frame);
  MovingValue call(const ir::FunctionCall& node, const ir::Expression& e, Slot* frame);
  MovingValue anything(const ir::Expression& e, Slot* frame);
  MovingValue for_now(std::int64_t value) const { return {value, 0, now_}; }

  Evaluator& evaluator_;
  std::uint32_t step_;
  std::vector<Drift> drifts_;  // of the frames on the way, one behind the other
  std::size_t base_ = 0;       // of the innermost frame's
  std::uint32_t depth_ = 0;    // of calls
  std::int64_t now_ = 0;
};

}  // namespace quadrille
