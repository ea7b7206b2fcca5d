#include "compiler/evaluate/parameter_range.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "compiler/evaluate/progressions.h"

namespace quadrille {

ParameterRange::ParameterRange(Evaluator& evaluator, const ir::Expression& set, Evaluator::Slot* frame)
    : progression_(progression_of(evaluator, set, frame)) {
  if (!progression_) evaluator.collect(set, frame, elements_);
}

bool ParameterRange::contains(std::int64_t value) const {
  if (progression_) return quadrille::contains(*progression_, value);
  return std::find(elements_.begin(), elements_.end(), value) != elements_.end();
}

std::string ParameterRange::first() const {
  if (progression_) return fmt::to_string(progression_->first);
  return elements_.empty() ? "1" : fmt::to_string(elements_.front());
}

std::string ParameterRange::description() const {
  constexpr std::size_t most = 16;
  std::vector<std::int64_t> elements = elements_;
  if (progression_ && (progression_->step == 1 || progression_->step == -1))
    return fmt::format("{} to {}", progression_->first, last_of(*progression_));
  if (progression_) {
    const std::size_t shown = progression_->count > most ? most : progression_->count;
    for (std::size_t i = 0; i < shown; ++i) {
      elements.push_back(progression_->first + static_cast<std::int64_t>(i) * progression_->step);
    }
    if (progression_->count > most) elements.push_back(last_of(*progression_));
  }
  std::sort(elements.begin(), elements.end());
  if (elements.size() <= most) return fmt::format("one of {}", fmt::join(elements, ", "));
  const auto first = elements.begin();
  return fmt::format("one of {}, … {}", fmt::join(first, first + most - 1, ", "), elements.back());
}

}  // namespace quadrille
