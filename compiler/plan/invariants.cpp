// An `invariant` is evaluated for one size: first its steps, then the statements of each step.
//
//   invariant after t in 0..2: for k in processors: held(k) == {k - t .. k} mod 4
//   the steps are 0, 1, 2; of step 1 and processor 0 it says that the origins are 0 and 3
//
// Ranges, and ranges `mod` a number, become one or two ranges of origins without being listed. Cost: one evaluation of
// the set a statement; other sets are listed and sorted.
#include "compiler/plan/invariants.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/evaluate/arithmetic.h"
#include "compiler/evaluate/lines.h"
#include "compiler/ir_remainders.h"
#include "model/limits/memory_ceiling.h"

namespace quadrille {
namespace {

using Slot = Evaluator::Slot;

// --- sets as ranges -----------------------------------------------------------------------------------------------

std::vector<OriginRange> range(const Evaluator::Progression& all) {
  if (all.count == 0) return {};
  const auto distance = static_cast<std::int64_t>(all.count - 1);
  return {all.step > 0 ? OriginRange{all.first, all.first + distance} : OriginRange{all.first - distance, all.first}};
}

std::vector<OriginRange> ranges(std::vector<std::int64_t> elements) {
  std::sort(elements.begin(), elements.end());
  std::vector<OriginRange> result;
  for (const std::int64_t x : elements) {
    if (!result.empty() && (x == result.back().last || x - 1 == result.back().last)) {
      result.back().last = x;
    } else {
      result.push_back({x, x});
    }
  }
  return result;
}

// {x mod m for x in first..last}, m > 0
std::vector<OriginRange> remainders(const OriginRange& of, std::int64_t m, Span span) {
  if (of.last - of.first >= m - 1) return {{0, m - 1}};
  const std::int64_t first = checked_modulo(of.first, m, span);
  const std::int64_t last = checked_modulo(of.last, m, span);
  if (first <= last) return {{first, last}};
  return {{0, last}, {first, m - 1}};
}

std::optional<std::vector<OriginRange>> cyclic(const ir::Expression& set, Evaluator& evaluator, Slot* frame) {
  const auto parts = ir::remainders_of(set);
  if (!parts) return std::nullopt;
  const auto all = evaluator.progression(*parts->range, frame);
  const std::int64_t m = evaluator.value(*parts->divisor, frame);
  constexpr std::uint64_t countable = std::uint64_t{1} << 62;
  if (!all || m <= 0 || all->count > countable) return std::nullopt;
  return all->count == 0 ? std::vector<OriginRange>() : remainders(range(*all).front(), m, set.span);
}

std::vector<OriginRange> origins_of(const ir::Expression& set, Evaluator& evaluator, Slot* frame) {
  if (const auto* choice = std::get_if<ir::Conditional>(&set.node))
    return origins_of(evaluator.truth(*choice->condition, frame) ? *choice->then : *choice->otherwise, evaluator,
                      frame);
  if (const auto all = evaluator.progression(set, frame)) return range(*all);
  if (auto all = cyclic(set, evaluator, frame)) return *std::move(all);
  std::vector<std::int64_t> elements;
  evaluator.collect(set, frame, elements);
  return ranges(std::move(elements));
}

// --- statements ---------------------------------------------------------------------------------------------------

// Calls visit() with the statements of one step.
class Speaker {
 public:
  Speaker(const Collective& collective, Evaluator& evaluator, Slot* frame, const TableInvariant::Visit& visit)
      : collective_(collective), parts_(parts_of(collective)), evaluator_(evaluator), frame_(frame), visit_(visit) {}

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
    HeldOrigins statement;
    const std::int64_t processor = evaluator_.value(*item.processor, frame_);
    if (processor >= collective_.processors()) fail(item.processor->span, "a switch holds nothing", Code::type);
    statement.processor = NodeId(static_cast<std::uint32_t>(processor));
    if (item.part) statement.part = number(*item.part, parts_, "part");
    statement.target = target(item, statement.part);
    statement.at_least = item.at_least;
    statement.span = item.span;
    statement.origins = origins_of(*item.origins, evaluator_, frame_);
    ended_ = !visit_(statement);
  }

  std::uint32_t number(const ir::Expression& e, std::uint32_t end, std::string_view what) {
    const std::int64_t value = evaluator_.value(e, frame_);
    if (value < 0 || value >= end) fail(e.span, fmt::format("there is no {} {}", what, value), Code::range);
    return static_cast<std::uint32_t>(value);
  }

  // Returns the target of the chunks that the statement is about; where it names none, the collective implies it.
  std::optional<std::uint32_t> target(const ir::HeldItem& item, std::uint32_t part) {
    if (collective_.combining()) {
      if (item.target || item.everyone)
        fail(item.span, fmt::format("a partial reduction has no addressee; {} combines", to_string(collective_.kind())),
             Code::invalid);
      return std::nullopt;
    }
    if (item.target) return number(*item.target, collective_.processors(), "processor");
    if (item.everyone || collective_.listed()) return std::nullopt;
    for (const std::uint32_t source : {0U, 1U, collective_.description().root}) {
      if (source >= collective_.processors()) continue;
      if (const auto usual = collective_.default_chunk(source, std::nullopt, part))
        return collective_.name(*usual).target;
    }
    fail(item.span, "expected for whom the chunks are, as in held(k, -> d)", Code::missing);
  }

  const Collective& collective_;
  std::uint32_t parts_;
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

 private:
  // Evaluates on the fabric that the table is for, as for claims.
  template <class Evaluate>
  std::optional<Diagnostic> evaluate(const Limits& limits, const Evaluate& evaluate) const {
    Instance instance = plan_->instance;
    instance.limits = limits;
    if (plan_->retimed_for) {
      instance.fabric = plan_->retimed_for;
      instance.router.emplace(*instance.fabric);
    }
    try {
      Evaluator evaluator(instance);
      Evaluator::FrameGuard frame(evaluator, invariant().frame.size, invariant().span);
      evaluate(evaluator, frame.slots());
    } catch (const EvaluationError& error) {
      return error.diagnostic;
    } catch (const std::bad_alloc& refusal) {
      return error_at(invariant().span, std::string(why_no_memory(refusal)), Code::limit);
    }
    return std::nullopt;
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
                      }});
  }
  return result;
}

}  // namespace quadrille
