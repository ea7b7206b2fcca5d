// Idea: what is evaluated at a step is known to last until some later one (moving.h), and waits in a calendar until
// then. A set that only grows is kept, and each element waits for the step in which it enters.
//
//   held(k) == {x for x in 0..3 if (k - x) mod 4 <= t}: of k = 3 the element 1 enters after step 2, which is known from
//   the beginning; after that nothing of it is looked at again
//
// Cost: two or three evaluations for each statement, and for each element of a listed set, in all steps together, where
// a comparison of linear functions, remainders and quotients of the step decides; else one a step, as without it.
// Memory: some 200 bytes a statement and 40 an element, of a quarter of the limit.
#include "compiler/plan/invariants_in_time.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "compiler/evaluate/moving.h"
#include "compiler/ir_remainders.h"
#include "compiler/plan/invariant_statements.h"

namespace quadrille {
namespace {

using Slot = Evaluator::Slot;

bool speaks_of(const ir::Expression& e, ir::VariableId variable) {
  return ir::any_part(e, [&](const ir::Expression& part) {
    const auto* use = std::get_if<ir::VariableUse>(&part.node);
    return use != nullptr && use->variable == variable;
  });
}

// Whether the same numbers speak of the same processors, targets and parts in all steps.
bool numbered(const std::vector<ir::HeldItem>& items, ir::VariableId step) {
  const auto still = [&](const std::optional<ir::Expression>& e) { return !e || !speaks_of(*e, step); };
  return std::all_of(items.begin(), items.end(), [&](const ir::HeldItem& item) {
    if (item.origins) return still(item.processor) && still(item.target) && still(item.part);
    return std::none_of(item.bindings.begin(), item.bindings.end(),
                        [&](const ir::Binding& binding) { return speaks_of(binding.set, step); }) &&
           still(item.condition) && numbered(item.items, step);
  });
}

// Adds an element to ranges that are sorted and do not touch.
void enter(std::int64_t x, std::vector<OriginRange>& ranges) {
  const auto at = std::lower_bound(ranges.begin(), ranges.end(), x,
                                   [](const OriginRange& range, std::int64_t y) { return range.last < y - 1; });
  if (at == ranges.end() || at->first - 1 > x) {
    ranges.insert(at, {x, x});
    return;
  }
  at->first = std::min(at->first, x);
  at->last = std::max(at->last, x);
  if (const auto next = at + 1; next != ranges.end() && next->first - 1 == at->last) {
    at->last = next->last;
    ranges.erase(next);
  }
}

struct LastingStatement {
  const ir::HeldItem* item = nullptr;
  HeldOrigins held = {};
  bool said = false;
  std::uint32_t version = 0;  // how often it was evaluated; what waits for an earlier version has no more to say
};

// What is looked at again in a step: a statement, or an element that may enter its set.
struct Due {
  std::uint32_t number;
  std::uint32_t version;
  std::vector<Slot> element;  // the values of its set's variables; empty: the whole statement
};

class InTime final : public StatementsInTime {
 public:
  InTime(std::shared_ptr<const Plan> plan, std::size_t index, const Limits& limits)
      : plan_(std::move(plan)), invariant_(plan_->schedule().invariants[index]), limits_(limits) {}

  bool go_to(std::uint32_t step, std::vector<std::uint32_t>& changed) override;
  std::uint32_t numbers() const override { return static_cast<std::uint32_t>(statements_.size()); }
  const HeldOrigins* said(std::uint32_t number) const override {
    return statements_[number].said ? &statements_[number].held : nullptr;
  }

 private:
  friend class StepReading;

  bool take(std::size_t bytes) {
    if (taken_ + bytes > limits_.memory / 4) return false;
    taken_ += bytes;
    return true;
  }

  std::shared_ptr<const Plan> plan_;
  const ir::Invariant& invariant_;
  const Limits& limits_;
  bool listed_ = false;
  bool too_many_ = false;
  std::vector<LastingStatement> statements_;
  std::vector<Slot> frames_;  // of the statements
  std::map<std::int64_t, std::vector<Due>> due_;
  std::size_t taken_ = 0;
};

// The work of one step.
class StepReading {
 public:
  StepReading(InTime& all, Evaluator& evaluator, Slot* frame, std::uint32_t step, std::vector<std::uint32_t>& changed)
      : all_(all),
        evaluator_(evaluator),
        moving_(evaluator, all.invariant_.frame.size, all.invariant_.step.variable),
        maker_(all.plan_->collectives[0], evaluator, frame),
        frame_(frame),
        size_(all.invariant_.frame.size),
        step_(step),
        changed_(changed) {}

  // Lists the statements, all of which are to be looked at.
  void list(const std::vector<ir::HeldItem>& items) {
    for (const ir::HeldItem& item : items) {
      if (item.origins) {
        add(item);
        continue;
      }
      evaluator_.for_each(item.bindings, frame_, [&] {
        if (all_.too_many_) return;
        if (!item.condition || evaluator_.truth(*item.condition, frame_)) list(item.items);
      });
    }
  }

  void look_at_all() {
    for (std::uint32_t number = 0; number < all_.statements_.size(); ++number) look_at(number);
  }

  void look_at_due() {
    while (!all_.due_.empty() && all_.due_.begin()->first <= step_) {
      const auto entry = all_.due_.extract(all_.due_.begin());
      for (const Due& due : entry.mapped()) {
        all_.taken_ -= bytes_of(due);
        if (due.version != all_.statements_[due.number].version) continue;
        due.element.empty() ? look_at(due.number) : look_at(due);
      }
    }
  }

 private:
  static std::size_t bytes_of(const Due& due) { return sizeof(Due) + due.element.size() * sizeof(Slot); }

  void add(const ir::HeldItem& item) {
    constexpr std::size_t list_of_ranges = 64;
    all_.too_many_ = all_.too_many_ || all_.statements_.size() >= std::uint32_t(-1) ||
                     !all_.take(sizeof(LastingStatement) + size_ * sizeof(Slot) + list_of_ranges);
    if (all_.too_many_) return;
    all_.statements_.push_back({&item});
    all_.frames_.insert(all_.frames_.end(), frame_, frame_ + size_);
  }

  void enter_frame(std::uint32_t number) {
    std::copy_n(all_.frames_.begin() + static_cast<std::ptrdiff_t>(std::size_t{number} * size_), size_, frame_);
    frame_[all_.invariant_.step.variable.value] = step_;
  }

  void look_at(std::uint32_t number) {
    LastingStatement& it = all_.statements_[number];
    evaluator_.count_iteration(it.item->span);
    ++it.version;
    changed_.push_back(number);
    enter_frame(number);
    std::int64_t until = MovingValue::for_ever;
    it.said = true;
    if (it.item->condition) {
      const MovingValue when = moving_.lasting(*it.item->condition, frame_);
      it.said = when.value != 0;
      until = when.until;
    }
    if (it.said) {
      it.held = maker_.about(*it.item);
      until = std::min(until, set_origins(*it.item->origins, number, until));
    }
    wait(until, {number, it.version, {}});
  }

  // An element that has not been in its statement's set so far.
  void look_at(const Due& due) {
    LastingStatement& it = all_.statements_[due.number];
    enter_frame(due.number);
    const ir::Iteration& each = *std::get<ir::Comprehension>(set_of(it)->node).each;
    for (std::size_t i = 0; i < each.bindings.size(); ++i) frame_[each.bindings[i].variable.value] = due.element[i];
    evaluator_.count_iteration(it.item->span);
    const MovingValue in = moving_.lasting(*each.condition, frame_);
    if (in.value == 0) return wait(in.until, Due(due));
    const MovingValue element = moving_.lasting(each.element, frame_);
    enter(element.value, it.held.origins);
    changed_.push_back(due.number);
    wait(std::min(in.until, element.until), {due.number, it.version, {}});
  }

  // The set that the statement's choices come to.
  const ir::Expression* set_of(const LastingStatement& statement) {
    const ir::Expression* set = &*statement.item->origins;
    while (const auto* choice = std::get_if<ir::Conditional>(&set->node))
      set = evaluator_.truth(*choice->condition, frame_) ? &*choice->then : &*choice->otherwise;
    return set;
  }

  // Until when the origins remain, but for elements that enter; at most `last`.
  std::int64_t set_origins(const ir::Expression& set, std::uint32_t number, std::int64_t last) {
    if (const auto* choice = std::get_if<ir::Conditional>(&set.node)) {
      const MovingValue condition = moving_.lasting(*choice->condition, frame_);
      return set_origins(condition.value != 0 ? *choice->then : *choice->otherwise, number,
                         std::min(last, condition.until));
    }
    if (const auto until = list_elements(set, number, last)) return *until;
    all_.statements_[number].held.origins = origins_of(set, evaluator_, frame_);
    return std::min(last, lasts(set));
  }

  // For sets that are no choices.
  std::int64_t lasts(const ir::Expression& set) {
    if (!moving_.moves(set)) return MovingValue::for_ever;
    std::int64_t until = MovingValue::for_ever;
    const auto also = [&](const ir::Expression& e) { until = std::min(until, moving_.lasting(e, frame_).until); };
    if (const auto* range = std::get_if<ir::Range>(&set.node)) {
      also(*range->first), also(*range->last);
    } else if (const auto* listed = std::get_if<ir::SetLiteral>(&set.node)) {
      for (const ir::Expression& element : listed->elements) also(element);
    } else if (const auto cyclic = ir::remainders_of(set)) {
      also(*cyclic->divisor);
      until = std::min(until, lasts(*cyclic->range));
    } else {
      return step_;
    }
    return until;
  }

  // Of {e for x in S if c}, where S does not change. Else, and where there is no condition, nothing.
  std::optional<std::int64_t> list_elements(const ir::Expression& set, std::uint32_t number, std::int64_t last) {
    const auto* comprehension = std::get_if<ir::Comprehension>(&set.node);
    if (comprehension == nullptr || !comprehension->each->condition) return std::nullopt;
    const ir::Iteration& each = *comprehension->each;
    for (const ir::Binding& binding : each.bindings) {
      if (moving_.moves(binding.set)) return std::nullopt;
    }
    std::vector<std::int64_t> elements;
    std::vector<std::pair<std::int64_t, std::vector<Slot>>> waiting;
    evaluator_.for_each(each.bindings, frame_, [&] {
      const MovingValue in = moving_.lasting(*each.condition, frame_);
      if (in.value != 0) {
        const MovingValue element = moving_.lasting(each.element, frame_);
        elements.push_back(element.value);
        last = std::min({last, in.until, element.until});
      } else if (in.until < last) {
        std::vector<Slot>& values = waiting.emplace_back(in.until, std::vector<Slot>()).second;
        for (const ir::Binding& binding : each.bindings) values.push_back(frame_[binding.variable.value]);
      }
    });
    LastingStatement& it = all_.statements_[number];
    it.held.origins = ranges(std::move(elements));
    for (auto& [until, values] : waiting) {
      if (until >= last) continue;  // the whole is looked at before
      Due due{number, it.version, std::move(values)};
      if (all_.taken_ + bytes_of(due) > all_.limits_.memory / 4) {
        last = until;
        continue;
      }
      wait(until, std::move(due));
    }
    return last;
  }

  void wait(std::int64_t until, Due due) {
    if (until == MovingValue::for_ever) return;
    all_.taken_ += bytes_of(due);
    all_.due_[until + 1].push_back(std::move(due));
  }

  InTime& all_;
  Evaluator& evaluator_;
  MovingEvaluator moving_;
  StatementMaker maker_;
  Slot* frame_;
  std::size_t size_;
  std::uint32_t step_;
  std::vector<std::uint32_t>& changed_;
};

bool InTime::go_to(std::uint32_t step, std::vector<std::uint32_t>& changed) {
  if (too_many_) return false;
  const auto wrong = evaluate_invariant(*plan_, invariant_, limits_, [&](Evaluator& evaluator, Slot* frame) {
    StepReading reading(*this, evaluator, frame, step, changed);
    if (listed_) return reading.look_at_due();
    listed_ = true;
    reading.list(invariant_.items);
    if (!too_many_) reading.look_at_all();
  });
  // What went wrong is said by the statements, in their order.
  too_many_ = too_many_ || wrong.has_value();
  return !too_many_;
}

}  // namespace

std::unique_ptr<StatementsInTime> statements_in_time(std::shared_ptr<const Plan> plan, std::size_t invariant,
                                                     const Limits& limits) {
  const ir::Invariant& it = plan->schedule().invariants[invariant];
  if (!numbered(it.items, it.step.variable)) return nullptr;
  return std::make_unique<InTime>(std::move(plan), invariant, limits);
}

}  // namespace quadrille
