// A ParameterRange is the set of values that a parameter may have, for one size.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/evaluate/evaluate.h"

namespace quadrille {

// A range such as `in 1..n-1`, evaluated with the values of the parameters in it. Numbers at equal distances are not
// listed.
class ParameterRange {
 public:
  // `set` is an integer set, in this frame.
  ParameterRange(Evaluator& evaluator, const ir::Expression& set, Evaluator::Slot* frame);

  bool contains(std::int64_t value) const;
  std::string first() const;        // "1" if there is none
  std::string description() const;  // "1 to 3", "one of 1, 2, 4"

 private:
  std::vector<std::int64_t> least(std::size_t most) const;

  std::optional<std::vector<Evaluator::Progression>> progressions_;  // ascending
  std::vector<std::int64_t> elements_;                               // otherwise
};

}  // namespace quadrille
