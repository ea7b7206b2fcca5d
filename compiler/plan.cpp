// Planning: runs the schedule's body once, and notes what starts when.
//
// Every block has a clock of its own. Running a statement gives the last step in which something of it arrives; `then`
// and `in turn` start from there. A statement whose sends all start together (ir::Statement::uniform) is not taken
// apart: it becomes a region, with the values of the variables around it, and is run again when its rows are wanted.
// For example, `for d in 1..3: at d: for k in processors: send k -> (k + d) mod n` becomes three regions, which start
// in the steps 1, 2 and 3, however many processors there are. Blocks whose times are worked on (`by fifo:`, `reverse:`)
// are planned on a clock of their own, expanded into flights, and placed.
//
// Cost: time, each send's expressions once, and its route; memory, the regions' variables.
#include "compiler/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compiler/expand.h"
#include "compiler/region_runner.h"
#include "compiler/reversal.h"
#include "compiler/send_routes.h"

namespace quadrille {
namespace {

constexpr std::uint32_t dual_collective = 1;

class Planner {
 public:
  explicit Planner(Plan& plan)
      : plan_(plan),
        memory_(plan.instance.limits.memory),
        evaluator_(plan.instance),
        runner_(plan, evaluator_),
        routes_(plan.instance) {}

  void run() {
    const ir::Schedule& schedule = plan_.schedule();
    Evaluator::FrameGuard frame(evaluator_, schedule.frame.size, {});
    Collected all;
    run(schedule.body, {.shape = &schedule.frame, .frame = frame.slots(), .out = &all}, 0);
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

  // Where a statement stands.
  struct Context {
    const ir::Frame* shape = nullptr;
    Slot* frame = nullptr;          // the values of its variables
    std::uint32_t relabelling = 0;  // index into Plan::relabellings
    std::uint32_t collective = 0;   // index into Plan::collectives
    Collected* out = nullptr;
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

  // `origin` is the step before a block's first; every run() returns the last step in which something arrives (at least
  // `origin`).
  std::uint32_t run(const ir::Block& block, const Context& context, std::uint32_t origin) {
    std::uint32_t clock = origin;
    std::uint32_t done = origin;
    for (const ir::Statement& statement : block) {
      if (statement.then) clock = done;
      done = std::max(done, run(statement, context, clock));
    }
    return done;
  }

  std::uint32_t run(const ir::Statement& statement, const Context& context, std::uint32_t origin) {
    try {
      if (statement.uniform && !std::holds_alternative<ir::Let>(statement.node))
        return region(statement, context, origin);
      return std::visit([&](const auto& node) { return run_node(node, statement, context, origin); }, statement.node);
    } catch (EvaluationError& error) {
      if (!error.located) locate(error, statement, context);
      throw;
    }
  }

  // Says which values the variables had.
  void locate(EvaluationError& error, const ir::Statement& statement, const Context& context) {
    std::string text;
    auto values = runner_.variables();
    if (values.empty() || !statement.uniform) {
      values.clear();
      ir::for_each_in_scope(*context.shape, statement, [&](const ir::Variable& variable) {
        if (variable.type == ir::Type::integer) values.emplace_back(variable.name, context.frame[variable.slot]);
      });
      std::reverse(values.begin(), values.end());
    }
    for (const auto& [name, value] : values)
      text += fmt::format("{}{} = {}", text.empty() ? "with " : ", ", name, value);
    if (!text.empty()) error.diagnostic.notes.emplace_back(Span{}, text);
    error.located = true;
  }

  // --- sends -----------------------------------------------------------------------------------------------------

  std::uint32_t region(const ir::Statement& statement, const Context& context, std::uint32_t origin) {
    if (origin >= max_step)
      fail(statement.span, fmt::format("this starts after step {}; that is the limit", max_step), Code::limit);
    const auto number = static_cast<std::uint32_t>(plan_.regions.size());
    share_sets(statement, context);
    plan_.regions.push_back({&statement, context.shape, plan_.slots.size(), context.relabelling, context.collective});
    plan_.slots.insert(plan_.slots.end(), context.frame, context.frame + context.shape->size);
    limit_memory(statement.span);
    const Measure measure = launch_or_fly(number, origin, *context.out);
    if (measure.length == 0) {  // no send at all
      plan_.slots.resize(plan_.regions.back().slots);
      plan_.regions.pop_back();
      return origin;
    }
    if (measure.length > max_step - origin)
      fail(statement.span, fmt::format("this ends after step {}; that is the limit", max_step), Code::limit);
    measures_.resize(plan_.regions.size());
    measures_[number] = measure;
    return origin + measure.length;
  }

  // The frame is about to be copied into the plan; the sets in scope must be there, too.
  void share_sets(const ir::Statement& statement, const Context& context) {
    Slot* frame = context.frame;
    auto& sets = plan_.instance.sets;
    ir::for_each_in_scope(*context.shape, statement, [&](const ir::Variable& variable) {
      if (!ir::is_set(variable.type)) return;
      const std::size_t before = sets.size();
      frame[variable.slot] = evaluator_.share(frame[variable.slot], sets);
      if (sets.size() > before) set_bytes_ += sizeof(std::vector<Slot>) + sets.back().size() * sizeof(Slot);
    });
  }

  // Sends on default routes are launched together; if the region has others, all its sends become flights.
  Measure launch_or_fly(std::uint32_t number, std::uint32_t origin, Collected& out) {
    Measure measure;
    bool launchable = true;
    const Router& router = *plan_.instance.router;
    const std::size_t flights = out.flights.list.size();
    const std::size_t hops = out.flights.hops.size();
    runner_.run(number, [&](const ResolvedSend& send) {
      if (SendRoutes::is_default(send)) {
        const auto distance = router.distance(send.source, send.targets[0]);
        if (!distance) routes_.default_route(send);  // says why
        measure.rows += *distance;
        measure.length = std::max(measure.length, *distance);
        return;
      }
      launchable = launchable && send.waits.empty();
      for (const auto& timed : routes_.route(send)) {
        ++measure.rows;
        measure.length = std::max(measure.length, timed.offset + 1);
      }
    });
    if (measure.length == 0) return measure;
    if (launchable) {
      out.launches.push_back({origin + 1, number});
      return measure;
    }
    out.flights.list.resize(flights);
    out.flights.hops.resize(hops);
    expand({origin + 1, number}, runner_, routes_, memory_, out.flights);
    return measure;
  }

  // --- statements --------------------------------------------------------------------------------------------------

  std::uint32_t run_node(const ir::At& at, const ir::Statement&, const Context& context, std::uint32_t origin) {
    const std::int64_t step = evaluator_.value(at.step, context.frame);
    if (step < 1) fail(at.step.span, fmt::format("step {}; steps are numbered from 1", step));
    if (step > static_cast<std::int64_t>(max_step - origin)) {
      fail(at.step.span, fmt::format("step {}; the last step that a table may have is {}", step, max_step));
    }
    const std::uint32_t before = origin + static_cast<std::uint32_t>(step - 1);
    const std::uint32_t done = run(at.body, context, before);
    return done == before ? origin : done;  // where nothing is sent, nothing arrives
  }

  std::uint32_t run_node(const ir::For& loop, const ir::Statement&, const Context& context, std::uint32_t origin) {
    std::uint32_t done = origin;
    evaluator_.for_each(loop.bindings, context.frame,
                        [&] { done = std::max(done, run(loop.body, context, loop.in_turn ? done : origin)); });
    return done;
  }

  std::uint32_t run_node(const ir::If& branch, const ir::Statement&, const Context& context, std::uint32_t origin) {
    return run(evaluator_.truth(branch.condition, context.frame) ? branch.then : branch.otherwise, context, origin);
  }

  std::uint32_t run_node(const ir::Let& let, const ir::Statement&, const Context& context, std::uint32_t origin) {
    context.frame[let.slot] = evaluator_.value(let.value, context.frame);
    return origin;
  }

  std::uint32_t run_node(const ir::Send&, const ir::Statement& statement, const Context& context,
                         std::uint32_t origin) {
    return region(statement, context, origin);
  }

  std::uint32_t run_node(const ir::Repeat& repeat, const ir::Statement& statement, const Context& context,
                         std::uint32_t origin) {
    const std::int64_t times = evaluator_.value(repeat.times, context.frame);
    if (times < 0) fail(repeat.times.span, fmt::format("repeat {} times; expected at least 0", times));
    std::uint32_t done = origin;
    const std::size_t kept = evaluator_.kept_sets();
    for (std::int64_t i = 0; i < times; ++i) {
      evaluator_.count_iteration(statement.span);
      const std::uint32_t before = std::exchange(done, run(repeat.body, context, done));
      evaluator_.drop_sets(kept);
      if (done == before) break;  // nothing was sent, and nothing is different the next time
    }
    return done;
  }

  std::uint32_t run_node(const ir::Relabel& relabel, const ir::Statement& statement, const Context& context,
                         std::uint32_t origin) {
    share_sets(statement, context);
    Context inner = context;
    inner.relabelling = static_cast<std::uint32_t>(plan_.relabellings.size());
    plan_.relabellings.push_back({&relabel, {context.frame, context.frame + context.shape->size}, context.relabelling});
    return run(relabel.body, inner, origin);
  }

  std::uint32_t run_node(const ir::Call& call, const ir::Statement& statement, const Context& context,
                         std::uint32_t origin) {
    evaluator_.guard_depth(statement.span);
    evaluator_.count_iteration(statement.span);
    const std::size_t index = call.procedure ? *call.procedure : static_cast<std::size_t>(context.frame[call.slot]);
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
      callee.slots()[i] = evaluator_.value(call.arguments[i], context.frame);
    }
    Context inner = context;
    inner.shape = &procedure.frame;
    inner.frame = callee.slots();
    return run(procedure.body, inner, origin);
  }

  // --- blocks whose times are worked on ------------------------------------------------------------------------------

  // The block's sends, all expanded, on a clock of their own.
  Flights expanded(const ir::Block& body, Context context) {
    Collected collected;
    context.out = &collected;
    run(body, context, 0);
    for (const Launch& launch : collected.launches) expand(launch, runner_, routes_, memory_, collected.flights);
    std::stable_sort(collected.flights.list.begin(), collected.flights.list.end(),
                     [](const Flight& a, const Flight& b) { return a.serial < b.serial; });
    return std::move(collected.flights);
  }

  std::uint32_t place(Flights flights, std::uint32_t origin, Span span, Collected& out) {
    const std::uint32_t length = flights.last_step();
    if (length > max_step - origin)
      fail(span, fmt::format("this ends after step {}; that is the limit", max_step), Code::limit);
    flights.shift(origin);
    out.flights.append(flights);
    return origin + length;
  }

  std::uint32_t run_node(const ir::Discipline& discipline, const ir::Statement& statement, const Context& context,
                         std::uint32_t origin) {
    const Flights flights = expanded(discipline.body, context);
    const QueueOrder order =
        discipline.kind == ir::DisciplineKind::fifo ? QueueOrder::fifo : QueueOrder::farthest_first;
    limit_queues(flights, statement.span);
    return place(queued(flights, *plan_.instance.fabric, order, plan_.instance.limits), origin, statement.span,
                 *context.out);
  }

  std::uint32_t run_node(const ir::Reverse& reverse, const ir::Statement& statement, const Context& context,
                         std::uint32_t origin) {
    if (plan_.collectives.size() == 1) plan_.collectives.push_back(dual(plan_.collectives[0], statement.span));
    Context inner = context;
    inner.collective = context.collective == 0 ? dual_collective : 0;
    const Flights flights = expanded(reverse.body, inner);
    const Flights turned = reversed(flights, *plan_.instance.fabric, plan_.collectives[inner.collective],
                                    plan_.collectives[context.collective], statement.span);
    return place(turned, origin, statement.span, *context.out);
  }

  // Queues need some 120 bytes for each hop, and for each flight.
  void limit_queues(const Flights& flights, Span span) const {
    if ((flights.hops.size() + flights.list.size()) * 120 > memory_) times_too_large(memory_, span);
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
  std::vector<Measure> measures_;
  std::uint64_t set_bytes_ = 0;  // of the instance's sets
};

}  // namespace

void make_plan(Plan& plan) {
  plan.relabellings.resize(1);
  Planner(plan).run();
}

}  // namespace quadrille
