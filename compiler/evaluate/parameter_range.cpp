#include "compiler/evaluate/parameter_range.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "compiler/evaluate/progressions.h"

namespace quadrille {

ParameterRange::ParameterRange(Evaluator& evaluator, const ir::Expression& set, Evaluator::Slot* frame)
    : progressions_(progressions_of(evaluator, set, frame)) {
  if (!progressions_) {
    evaluator.collect(set, frame, elements_);
    return;
  }
  for (Evaluator::Progression& all : *progressions_) {
    if (all.step < 0) all = {last_of(all), -all.step, all.count};
  }
}

bool ParameterRange::contains(std::int64_t value) const {
  if (!progressions_) return std::find(elements_.begin(), elements_.end(), value) != elements_.end();
  return std::any_of(progressions_->begin(), progressions_->end(),
                     [&](const Evaluator::Progression& all) { return quadrille::contains(all, value); });
}

std::string ParameterRange::first() const {
  if (progressions_ && progressions_->size() == 1) return fmt::to_string(progressions_->front().first);
  const std::vector<std::int64_t> elements = progressions_ ? least(1) : elements_;
  return elements.empty() ? "1" : fmt::to_string(elements.front());
}

// The least elements, at least as many as are asked for, if there are so many, and the greatest; sorted.
std::vector<std::int64_t> ParameterRange::least(std::size_t most) const {
  std::vector<std::int64_t> elements = elements_;
  if (progressions_) {
    for (const Evaluator::Progression& all : *progressions_) {
      for (std::size_t i = 0; i < std::min<std::uint64_t>(most, all.count); ++i)
        elements.push_back(all.first + static_cast<std::int64_t>(i) * all.step);
      if (all.count > most) elements.push_back(last_of(all));
    }
  }
  std::sort(elements.begin(), elements.end());
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
  return elements;
}

std::string ParameterRange::description() const {
  constexpr std::size_t most = 16;
  if (progressions_ && progressions_->size() == 1 && progressions_->front().step == 1)
    return fmt::format("{} to {}", progressions_->front().first, last_of(progressions_->front()));
  const std::vector<std::int64_t> elements = least(most);
  if (elements.size() <= most) return fmt::format("one of {}", fmt::join(elements, ", "));
  const auto first = elements.begin();
  return fmt::format("one of {}, … {}", fmt::join(first, first + most - 1, ", "), elements.back());
}

}  // namespace quadrille
