#include "compiler/plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/region_runner.h"
#include "compiler/reversal.h"
#include "compiler/send_routes.h"
#include "compiler/spell_out.h"

namespace quadrille {
namespace {

constexpr std::uint32_t dual_collective = 1;

// Runs the schedule's body once. Times: `origin` is the step before a block's first; every run() returns the last step
// in which something arrives (at least `origin`).
class Planner {
 public:
  Planner(Plan& plan, std::uint64_t memory)
      : plan_(plan), memory_(memory), evaluator_(plan.instance), runner_(plan, evaluator_), routes_(plan.instance) {}

  void run() {
    const ir::Schedule& schedule = plan_.schedule();
    Evaluator::FrameGuard frame(evaluator_, schedule.frame.size, {});
    frame_shape_ = &schedule.frame;
    Collected all;
    out_ = &all;
    run(schedule.body, frame.slots(), 0);
    std::stable_sort(all.launches.begin(), all.launches.end(),
                     [](const Launch& a, const Launch& b) { return a.step < b.step; });
    plan_.launches = std::move(all.launches);
    plan_.flights = std::move(all.flights);
    for (const Launch& launch : plan_.launches) note_last(launch);
    plan_.rows += plan_.flights.hops.size();
    plan_.last_step = std::max(plan_.last_step, plan_.flights.last_step());
  }

 private:
  using Slot = Evaluator::Slot;

  // What a block comes to: regions that start at a step, and flights.
  struct Collected {
    std::vector<Launch> launches;
    Flights flights;
  };

  // A region's measure, by region.
  struct Measure {
    std::uint64_t rows = 0;
    std::uint32_t length = 0;  // steps from its first to its last
  };

  void note_last(const Launch& launch) {
    const Measure& measure = measures_[launch.region];
    plan_.rows += measure.rows;
    plan_.longest_route = std::max(plan_.longest_route, measure.length);
    if (measure.length > 0) plan_.last_step = std::max(plan_.last_step, launch.step + measure.length - 1);
  }

  std::uint32_t run(const ir::Block& block, Slot* frame, std::uint32_t origin) {
    std::uint32_t clock = origin;
    std::uint32_t done = origin;
    for (const ir::Statement& statement : block) {
      if (statement.then) clock = done;
      done = std::max(done, run(statement, frame, clock));
    }
    return done;
  }

  std::uint32_t run(const ir::Statement& statement, Slot* frame, std::uint32_t origin) {
    try {
      if (statement.uniform && !std::holds_alternative<ir::Let>(statement.node))
        return region(statement, frame, origin);
      return std::visit([&](const auto& node) { return run_node(node, statement, frame, origin); }, statement.node);
    } catch (EvaluationError& error) {
      if (!error.located) locate(error, statement, frame);
      throw;
    }
  }

  // Says which values the variables had.
  void locate(EvaluationError& error, const ir::Statement& statement, const Slot* frame) {
    std::string text;
    auto values = runner_.variables();
    if (values.empty() || !statement.uniform) {
      values.clear();
      for (const ir::Variable& variable : frame_shape_->variables) {
        if (variable.type == ir::Type::integer && ir::in_sight(statement, variable))
          values.emplace_back(variable.name, frame[variable.slot]);
      }
    }
    for (const auto& [name, value] : values)
      text += fmt::format("{}{} = {}", text.empty() ? "with " : ", ", name, value);
    if (!text.empty()) error.diagnostic.notes.emplace_back(Span{}, text);
    error.located = true;
  }

  // --- sends -----------------------------------------------------------------------------------------------------

  std::uint32_t region(const ir::Statement& statement, Slot* frame, std::uint32_t origin) {
    if (origin >= max_step) fail(statement.span, fmt::format("this starts after step {}; that is the limit", max_step));
    const auto number = static_cast<std::uint32_t>(plan_.regions.size());
    share_sets(statement, frame);
    plan_.regions.push_back({&statement, frame_shape_, plan_.slots.size(), relabelling_, collective_});
    plan_.slots.insert(plan_.slots.end(), frame, frame + frame_shape_->size);
    limit_memory(statement.span);
    const Measure measure = launch_or_fly(number, origin);
    if (measure.length == 0) {  // no send at all
      plan_.slots.resize(plan_.regions.back().slots);
      plan_.regions.pop_back();
      return origin;
    }
    if (measure.length > max_step - origin)
      fail(statement.span, fmt::format("this ends after step {}; that is the limit", max_step));
    measures_.resize(plan_.regions.size());
    measures_[number] = measure;
    return origin + measure.length;
  }

  // The frame is about to be copied into the plan; the sets in sight must be there, too.
  void share_sets(const ir::Statement& statement, Slot* frame) {
    auto& sets = plan_.instance.sets;
    for (const ir::Variable& variable : frame_shape_->variables) {
      if (!ir::is_set(variable.type) || !ir::in_sight(statement, variable)) continue;
      const std::size_t before = sets.size();
      frame[variable.slot] = evaluator_.share(frame[variable.slot], sets);
      if (sets.size() > before) set_bytes_ += sizeof(std::vector<Slot>) + sets.back().size() * sizeof(Slot);
    }
  }

  // Sends on natural routes are launched together; if the region has others, all its sends become flights.
  Measure launch_or_fly(std::uint32_t number, std::uint32_t origin) {
    Measure measure;
    bool natural = true;
    const Router& router = *plan_.instance.router;
    const std::size_t flights = out_->flights.list.size();
    const std::size_t hops = out_->flights.hops.size();
    runner_.run(number, [&](const ResolvedSend& send) {
      if (SendRoutes::is_natural(send)) {
        const auto distance = router.distance(send.source, send.targets[0]);
        if (!distance) routes_.natural(send);  // says why
        measure.rows += *distance;
        measure.length = std::max(measure.length, *distance);
        return;
      }
      natural = natural && send.waits.empty();
      for (const auto& timed : routes_.route(send)) {
        ++measure.rows;
        measure.length = std::max(measure.length, timed.offset + 1);
      }
    });
    if (measure.length == 0) return measure;
    if (natural) {
      out_->launches.push_back({origin + 1, number});
      return measure;
    }
    out_->flights.list.resize(flights);
    out_->flights.hops.resize(hops);
    spell_out({origin + 1, number}, runner_, routes_, memory_, out_->flights);
    return measure;
  }

  // --- statements --------------------------------------------------------------------------------------------------

  std::uint32_t run_node(const ir::At& at, const ir::Statement&, Slot* frame, std::uint32_t origin) {
    const std::int64_t step = evaluator_.value(at.step, frame);
    if (step < 1) fail(at.step.span, fmt::format("step {}; steps are numbered from 1", step));
    if (step > static_cast<std::int64_t>(max_step - origin)) {
      fail(at.step.span, fmt::format("step {}; the last step that a table may have is {}", step, max_step));
    }
    const std::uint32_t before = origin + static_cast<std::uint32_t>(step - 1);
    const std::uint32_t done = run(at.body, frame, before);
    return done == before ? origin : done;  // where nothing is sent, nothing arrives
  }

  std::uint32_t run_node(const ir::For& loop, const ir::Statement&, Slot* frame, std::uint32_t origin) {
    std::uint32_t done = origin;
    evaluator_.for_each(loop.bindings, frame,
                        [&] { done = std::max(done, run(loop.body, frame, loop.in_turn ? done : origin)); });
    return done;
  }

  std::uint32_t run_node(const ir::If& branch, const ir::Statement&, Slot* frame, std::uint32_t origin) {
    return run(evaluator_.truth(branch.condition, frame) ? branch.then : branch.otherwise, frame, origin);
  }

  std::uint32_t run_node(const ir::Let& let, const ir::Statement&, Slot* frame, std::uint32_t origin) {
    frame[let.slot] = evaluator_.value(let.value, frame);
    return origin;
  }

  std::uint32_t run_node(const ir::Send&, const ir::Statement& statement, Slot* frame, std::uint32_t origin) {
    return region(statement, frame, origin);
  }

  std::uint32_t run_node(const ir::Repeat& repeat, const ir::Statement& statement, Slot* frame, std::uint32_t origin) {
    const std::int64_t times = evaluator_.value(repeat.times, frame);
    if (times < 0) fail(repeat.times.span, fmt::format("repeat {} times; expected at least 0", times));
    std::uint32_t done = origin;
    const std::size_t kept = evaluator_.kept_sets();
    for (std::int64_t i = 0; i < times; ++i) {
      evaluator_.count_iteration(statement.span);
      done = run(repeat.body, frame, done);
      evaluator_.drop_sets(kept);
    }
    return done;
  }

  std::uint32_t run_node(const ir::Relabel& relabel, const ir::Statement& statement, Slot* frame,
                         std::uint32_t origin) {
    share_sets(statement, frame);
    Relabelling context{&relabel, {frame, frame + frame_shape_->size}, relabelling_};
    const std::uint32_t outer = relabelling_;
    relabelling_ = static_cast<std::uint32_t>(plan_.relabellings.size());
    plan_.relabellings.push_back(std::move(context));
    const std::uint32_t done = run(relabel.body, frame, origin);
    relabelling_ = outer;
    return done;
  }

  std::uint32_t run_node(const ir::Call& call, const ir::Statement& statement, Slot* frame, std::uint32_t origin) {
    evaluator_.guard_depth(statement.span);
    evaluator_.count_iteration(statement.span);
    const std::size_t index = call.procedure ? *call.procedure : static_cast<std::size_t>(frame[call.slot]);
    const ir::Procedure& procedure = plan_.schedule().procedures[index];
    if (procedure.formals.size() != call.arguments.size()) {
      fail(statement.span, fmt::format("'{}' is given {} arguments; expected {}", procedure.name, call.arguments.size(),
                                       procedure.formals.size()));
    }
    Evaluator::FrameGuard callee(evaluator_, procedure.frame.size, statement.span);
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      if (call.arguments[i].type != procedure.formals[i]) {
        fail(call.arguments[i].span, fmt::format("this is {}; '{}' expects {}", to_string(call.arguments[i].type),
                                                 procedure.name, to_string(procedure.formals[i])));
      }
      callee.slots()[i] = evaluator_.value(call.arguments[i], frame);
    }
    const ir::Frame* outer = frame_shape_;
    frame_shape_ = &procedure.frame;
    const std::uint32_t done = run(procedure.body, callee.slots(), origin);
    frame_shape_ = outer;
    return done;
  }

  // --- blocks whose times are worked on ------------------------------------------------------------------------------

  // The block's sends, all spelled out, on a clock of their own.
  Flights inner(const ir::Block& body, Slot* frame) {
    Collected collected;
    Collected* outer = out_;
    out_ = &collected;
    run(body, frame, 0);
    out_ = outer;
    for (const Launch& launch : collected.launches) spell_out(launch, runner_, routes_, memory_, collected.flights);
    std::stable_sort(collected.flights.list.begin(), collected.flights.list.end(),
                     [](const Flight& a, const Flight& b) { return a.serial < b.serial; });
    return std::move(collected.flights);
  }

  std::uint32_t place(Flights flights, std::uint32_t origin, Span span) {
    const std::uint32_t length = flights.last_step();
    if (length > max_step - origin) fail(span, fmt::format("this ends after step {}; that is the limit", max_step));
    flights.shift(origin);
    out_->flights.append(flights);
    return origin + length;
  }

  std::uint32_t run_node(const ir::Discipline& discipline, const ir::Statement& statement, Slot* frame,
                         std::uint32_t origin) {
    const Flights flights = inner(discipline.body, frame);
    const QueueOrder order =
        discipline.kind == ir::DisciplineKind::fifo ? QueueOrder::fifo : QueueOrder::farthest_first;
    return place(queued(flights, *plan_.instance.fabric, order), origin, statement.span);
  }

  std::uint32_t run_node(const ir::Reverse& reverse, const ir::Statement& statement, Slot* frame,
                         std::uint32_t origin) {
    if (plan_.collectives.size() == 1) plan_.collectives.push_back(dual(plan_.collectives[0], statement.span));
    const std::uint32_t outer = collective_;
    collective_ = outer == 0 ? dual_collective : 0;
    const Flights flights = inner(reverse.body, frame);
    const Collective& from = plan_.collectives[collective_];
    collective_ = outer;
    return place(reversed(flights, *plan_.instance.fabric, from, plan_.collectives[outer], statement.span), origin,
                 statement.span);
  }

  // --- limits --------------------------------------------------------------------------------------------------------

  void limit_memory(Span span) const {
    const std::uint64_t used = plan_.regions.size() * (sizeof(Region) + sizeof(Launch) + sizeof(Measure)) +
                               plan_.slots.size() * sizeof(Slot) + set_bytes_;
    if (used > memory_) times_too_large(memory_, span);
  }

  Plan& plan_;
  std::uint64_t memory_;
  Evaluator evaluator_;
  RegionRunner runner_;
  SendRoutes routes_;
  const ir::Frame* frame_shape_ = nullptr;
  Collected* out_ = nullptr;
  std::uint32_t relabelling_ = 0;
  std::uint32_t collective_ = 0;
  std::vector<Measure> measures_;
  std::uint64_t set_bytes_ = 0;  // of the instance's sets
};

}  // namespace

void make_plan(Plan& plan, std::uint64_t memory) {
  plan.relabellings.resize(1);
  Planner(plan, memory).run();
}

}  // namespace quadrille
