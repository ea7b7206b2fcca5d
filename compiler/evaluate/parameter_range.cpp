#include "compiler/evaluate/parameter_range.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "compiler/evaluate/evaluate.h"

namespace quadrille {
namespace {

// --- progressions --------------------------------------------------------------------------------------------------

// Progressions are sets of numbers at equal distances. They need not be listed: 2..10, and {2*i + 1 for i in 1..2^61}.
// The products {s*g for s in 2..9, g in 2..2^61} are eight of them.
//
// Of {2*i + 1 for i in 1..1000} the element is a linear function of i, 2 and 1: so the set begins with 3, and goes on
// in steps of 2. Cost: one walk over the element's expression.

// factor * variable + constant.
struct Linear {
  std::int64_t factor = 0;
  std::int64_t constant = 0;
};

class LinearIn {
 public:
  LinearIn(ir::VariableId variable, Evaluator& evaluator, Evaluator::Slot* frame)
      : variable_(variable), evaluator_(evaluator), frame_(frame) {}

  // Nothing if it is none, or its numbers are too large.
  std::optional<Linear> of(const ir::Expression& e) const {
    const auto uses = [&](const ir::Expression& part) {
      const auto* use = std::get_if<ir::VariableUse>(&part.node);
      return use != nullptr && use->variable.value == variable_.value;
    };
    if (!ir::any_part(e, uses)) return Linear{0, evaluator_.value(e, frame_)};
    if (uses(e)) return Linear{1, 0};
    const auto* binary = std::get_if<ir::Binary>(&e.node);
    if (binary == nullptr) return std::nullopt;
    if (binary->op != ir::BinaryOperator::add && binary->op != ir::BinaryOperator::subtract &&
        binary->op != ir::BinaryOperator::multiply)
      return std::nullopt;
    const auto left = of(*binary->left);
    const auto right = of(*binary->right);
    if (!left || !right) return std::nullopt;
    if (binary->op == ir::BinaryOperator::add) return sum(*left, *right);
    if (binary->op == ir::BinaryOperator::subtract) {
      const auto less = times(*right, -1);
      return less ? sum(*left, *less) : std::nullopt;
    }
    if (left->factor == 0) return times(*right, left->constant);
    if (right->factor == 0) return times(*left, right->constant);
    return std::nullopt;
  }

 private:
  static std::optional<Linear> sum(const Linear& a, const Linear& b) {
    Linear result;
    if (__builtin_add_overflow(a.factor, b.factor, &result.factor) ||
        __builtin_add_overflow(a.constant, b.constant, &result.constant))
      return std::nullopt;
    return result;
  }

  static std::optional<Linear> times(const Linear& a, std::int64_t b) {
    Linear result;
    if (__builtin_mul_overflow(a.factor, b, &result.factor) || __builtin_mul_overflow(a.constant, b, &result.constant))
      return std::nullopt;
    return result;
  }

  ir::VariableId variable_;
  Evaluator& evaluator_;
  Evaluator::Slot* frame_;
};

std::optional<std::int64_t> at(const Linear& element, std::int64_t value) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(element.factor, value, &result) ||
      __builtin_add_overflow(result, element.constant, &result))
    return std::nullopt;
  return result;
}

constexpr std::size_t most_progressions = std::size_t{1} << 20;

// Returns the last element. Requires that there is one.
std::int64_t last_of(const Evaluator::Progression& all) {
  return all.first + (static_cast<std::int64_t>(all.count) - 1) * all.step;
}

bool contains(const Evaluator::Progression& all, std::int64_t value) {
  if (all.count == 0 || value < std::min(all.first, last_of(all)) || value > std::max(all.first, last_of(all)))
    return false;
  // Unsigned: the distance is below 2^63 times the step, and may not fit into 63 bits.
  const bool up = all.step > 0;
  const auto distance = up ? static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(all.first)
                           : static_cast<std::uint64_t>(all.first) - static_cast<std::uint64_t>(value);
  const auto step = up ? static_cast<std::uint64_t>(all.step) : 0 - static_cast<std::uint64_t>(all.step);
  return distance % step == 0;
}

// {element for variable in set}, if it is one.
std::optional<Evaluator::Progression> progression_over(const ir::Binding& binding, const ir::Expression& element_of,
                                                       Evaluator& evaluator, Evaluator::Slot* frame) {
  const auto values = evaluator.progression(binding.set, frame);
  if (!values) return std::nullopt;
  if (values->count == 0) return values;
  const auto element = LinearIn(binding.variable, evaluator, frame).of(element_of);
  if (!element || element->factor == 0) return std::nullopt;
  const auto first = at(*element, values->first);
  const auto last = at(*element, last_of(*values));
  std::int64_t step = 0;
  if (!first || !last || __builtin_mul_overflow(element->factor, values->step, &step)) return std::nullopt;
  return Evaluator::Progression{*first, step, values->count};
}

// Returns progressions that together have the set's elements, one for each value of all its variables but the last;
// nothing where it does not recognise equal distances. No step is 0. May fail as an evaluation does.
std::optional<std::vector<Evaluator::Progression>> progressions_of(Evaluator& evaluator, const ir::Expression& set,
                                                                   Evaluator::Slot* frame) {
  if (const auto all = evaluator.progression(set, frame)) return std::vector{*all};
  const auto* comprehension = std::get_if<ir::Comprehension>(&set.node);
  if (comprehension == nullptr || comprehension->each->condition) return std::nullopt;
  const ir::Iteration& each = *comprehension->each;
  std::vector<ir::Binding> outer = each.bindings;
  const ir::Binding inner = std::move(outer.back());
  outer.pop_back();
  std::vector<Evaluator::Progression> result;
  bool all = true;
  evaluator.for_each(outer, frame, [&] {
    const auto one = all ? progression_over(inner, each.element, evaluator, frame) : std::nullopt;
    all = one && result.size() < most_progressions;
    if (all && one->count > 0) result.push_back(*one);
  });
  return all ? std::optional(std::move(result)) : std::nullopt;
}

}  // namespace

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
