#include "compiler/parameter_range.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace quadrille {

ParameterRange::ParameterRange(Evaluator& evaluator, const ir::Expression& set, Evaluator::Slot* frame) {
  if (const auto range = evaluator.progression(set, frame)) {
    first_ = range->first;
    last_ = range->first + (static_cast<std::int64_t>(range->count) - 1) * range->step;
    empty_ = range->count == 0;
    return;
  }
  listed_ = true;
  evaluator.collect(set, frame, elements_);
}

bool ParameterRange::contains(std::int64_t value) const {
  if (listed_) return std::find(elements_.begin(), elements_.end(), value) != elements_.end();
  return !empty_ && value >= std::min(first_, last_) && value <= std::max(first_, last_);
}

std::string ParameterRange::first() const {
  if (!listed_) return fmt::to_string(first_);
  return elements_.empty() ? "1" : fmt::to_string(elements_.front());
}

std::string ParameterRange::description() const {
  if (!listed_) return fmt::format("{} to {}", first_, last_);
  std::vector<std::int64_t> elements = elements_;
  std::sort(elements.begin(), elements.end());
  constexpr std::size_t most = 16;
  if (elements.size() <= most) return fmt::format("one of {}", fmt::join(elements, ", "));
  const auto first = elements.begin();
  return fmt::format("one of {}, … {}", fmt::join(first, first + most - 1, ", "), elements.back());
}

}  // namespace quadrille
