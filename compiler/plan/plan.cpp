// The planner runs the schedule's body once, and notes the step in which each family of sends starts.
//
// Running a statement gives the last step in which something of it arrives; parts and turns start from there. A family
// of sends is not taken apart: it becomes a region, with the values of the variables around it, and is run again when
// its rows are wanted. For example, `for d in 1..3: at d: for k in processors: send k -> (k + d) mod n` becomes three
// regions, which start in the steps 1, 2 and 3, however many processors there are. Blocks whose times are worked on
// (`by fifo:`, `reverse:`) are planned on a clock of their own, expanded into flights, and placed.
//
// Cost: time, each send's expressions once, and its route; memory, the regions' variables (regions.h).
#include "compiler/plan/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "compiler/plan/expand.h"
#include "compiler/plan/regions.h"
#include "compiler/plan/reversal.h"
#include "compiler/plan/settings.h"
#include "place/steps/queues.h"

namespace quadrille {
namespace {

constexpr std::uint32_t dual_collective = 1;

// Evaluates the core (core.h) for one size.
class Planner {
 public:
  explicit Planner(Plan& plan)
      : plan_(plan),
        memory_(plan.instance.limits.memory),
        main_(plan.instance),
        evaluators_(plan, main_),
        regions_(plan, main_, evaluators_),
        settings_(plan) {}

  void run() {
    const ir::Schedule& schedule = plan_.schedule();
    Evaluator::FrameGuard frame(main_, schedule.frame.size, {});
    Collected all;
    run(schedule.body, {.shape = &schedule.frame, .frame = frame.slots(), .out = &all}, 0);
    regions_.finish(std::move(all));
  }

 private:
  using Context = PlanContext;

  Evaluator& evaluator(const Context& context) { return evaluators_.of(context.setting); }

  // `origin` is the step before a block's first; every run() returns the last step in which something arrives (at least
  // `origin`).
  std::uint32_t run(const ir::Block& block, const Context& context, std::uint32_t origin) {
    std::uint32_t done = origin;
    for (const ir::Statement& statement : block) {
      if (&statement != block.data()) main_.count_iteration(statement.span);  // whoever runs the block counts one
      done = std::max(done, run(statement, context, origin));
    }
    return done;
  }

  // The outermost statements are those of the parts into which `then` divides the schedule.
  std::uint32_t run(const ir::Statement& statement, const Context& context, std::uint32_t origin) {
    if (context.outermost != nullptr || std::holds_alternative<ir::Parts>(statement.node)) {
      return run_located(statement, context, origin);
    }
    Context inner = context;
    inner.outermost = &statement;
    return run_located(statement, inner, origin);
  }

  std::uint32_t run_located(const ir::Statement& statement, const Context& context, std::uint32_t origin) {
    try {
      if (statement.family && !std::holds_alternative<ir::Let>(statement.node))
        return regions_.add(statement, context, origin);
      return std::visit([&](const auto& node) { return run_node(node, statement, context, origin); }, statement.node);
    } catch (EvaluationError& error) {
      if (!error.located) locate(error, statement, context);
      throw;
    }
  }

  // The numbers that the statement sees, outermost first.
  static std::vector<std::pair<std::string, std::int64_t>> values_at(const ir::Statement& statement,
                                                                     const Context& context) {
    std::vector<std::pair<std::string, std::int64_t>> values;
    ir::for_each_in_scope(*context.shape, statement, [&](ir::VariableId id, const ir::Variable& variable) {
      if (variable.type == ir::Type::integer) values.emplace_back(variable.name, context.frame[id.value]);
    });
    std::reverse(values.begin(), values.end());
    return values;
  }

  // "with v = 3, i = 0"; nothing if there are none.
  static std::string text_of(const std::vector<std::pair<std::string, std::int64_t>>& values) {
    std::string text;
    for (const auto& [name, value] : values)
      text += fmt::format("{}{} = {}", text.empty() ? "with " : ", ", name, value);
    return text;
  }

  // Says which values the variables had.
  void locate(EvaluationError& error, const ir::Statement& statement, const Context& context) {
    auto values = regions_.variables();
    if (values.empty() || !statement.family) values = values_at(statement, context);
    if (const std::string text = text_of(values); !text.empty()) error.diagnostic.notes.emplace_back(Span{}, text);
    error.located = true;
  }

  // --- clocks ------------------------------------------------------------------------------------------------------

  std::uint32_t run_node(const ir::At& at, const ir::Statement&, const Context& context, std::uint32_t origin) {
    const std::int64_t step = evaluator(context).value(at.step, context.frame);
    if (step < 1) fail(at.step.span, fmt::format("step {}; steps are numbered from 1", step), Code::range);
    if (step > static_cast<std::int64_t>(max_step - origin)) {
      fail(at.step.span, fmt::format("step {}; the last step that a table may have is {}", step, max_step),
           Code::range);
    }
    const std::uint32_t before = origin + static_cast<std::uint32_t>(step - 1);
    const std::uint32_t done = run(at.body, context, before);
    return done == before ? origin : done;  // where nothing is sent, nothing arrives
  }

  std::uint32_t run_node(const ir::Parts& parts, const ir::Statement&, const Context& context, std::uint32_t origin) {
    std::uint32_t done = origin;
    for (const ir::Block& part : parts.parts) done = run(part, context, done);
    return done;
  }

  std::uint32_t run_node(const ir::Turns& turns, const ir::Statement& statement, const Context& context,
                         std::uint32_t origin) {
    if (const auto* times = std::get_if<ir::Expression>(&turns.over))
      return repeat(*times, turns.body, statement.span, context, origin);
    std::uint32_t done = origin;
    evaluator(context).for_each(std::get<std::vector<ir::Binding>>(turns.over), context.frame,
                                [&] { done = run(turns.body, context, done); });
    return done;
  }

  std::uint32_t repeat(const ir::Expression& count, const ir::Block& body, Span span, const Context& context,
                       std::uint32_t origin) {
    const std::int64_t times = evaluator(context).value(count, context.frame);
    if (times < 0) fail(count.span, fmt::format("repeat {} times; expected at least 0", times), Code::range);
    std::uint32_t done = origin;
    const std::size_t kept = evaluator(context).kept_sets();
    for (std::int64_t i = 0; i < times; ++i) {
      main_.count_iteration(span);
      const std::uint32_t before = std::exchange(done, run(body, context, done));
      evaluator(context).drop_sets(kept);
      if (done == before) break;  // nothing was sent, and nothing is different the next time
    }
    return done;
  }

  // The block's sends, all expanded, on a clock of their own.
  Flights expanded(const ir::Block& body, Context context) {
    Collected collected;
    context.out = &collected;
    run(body, context, 0);
    return regions_.expanded(std::move(collected));
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
    if (plan_.instance.in_rounds)
      fail(statement.span, "there are no queues in rounds: this needs a fabric with `timing: steps`", Code::invalid);
    const Flights flights = expanded(discipline.body, context);
    const QueueOrder order =
        discipline.kind == ir::DisciplineKind::fifo ? QueueOrder::fifo : QueueOrder::farthest_first;
    limit_queues(flights, statement.span);
    return place(queued(flights, *plan_.instance.fabric, order, plan_.instance.limits), origin, statement.span,
                 *context.out);
  }

  std::uint32_t run_node(const ir::Reverse& reverse, const ir::Statement& statement, const Context& context,
                         std::uint32_t origin) {
    // Inside, packets are those of the dual collective; in a `reverse:` within it, the schedule's own again.
    settings_.add_duals(context, statement.span);
    Context inner = context;
    inner.collective = context.collective == 0 ? dual_collective : 0;
    inner.own_collective = context.own_collective == 0 ? dual_collective : 0;
    const bool reductions_before = std::exchange(plan_.partial_reductions, false);
    const Flights flights = expanded(reverse.body, inner);
    if (std::exchange(plan_.partial_reductions, reductions_before)) {
      fail(statement.span, "`keeping` and `carrying sum` cannot be reversed in time, however often", Code::unsupported);
    }
    const Flights turned = reversed(flights, *plan_.instance.fabric, plan_.collectives[inner.collective],
                                    plan_.collectives[context.collective], statement.span);
    return place(turned, origin, statement.span, *context.out);
  }

  // Queues need some 120 bytes for each hop, and for each flight.
  void limit_queues(const Flights& flights, Span span) const {
    if ((flights.hops.size() + flights.list.size()) * 120 > memory_) times_too_large(memory_, span);
  }

  // --- scopes ------------------------------------------------------------------------------------------------------

  std::uint32_t run_node(const ir::For& loop, const ir::Statement&, const Context& context, std::uint32_t origin) {
    std::uint32_t done = origin;
    evaluator(context).for_each(loop.bindings, context.frame,
                                [&] { done = std::max(done, run(loop.body, context, origin)); });
    return done;
  }

  std::uint32_t run_node(const ir::If& branch, const ir::Statement&, const Context& context, std::uint32_t origin) {
    return run(evaluator(context).truth(branch.condition, context.frame) ? branch.then : branch.otherwise, context,
               origin);
  }

  std::uint32_t run_node(const ir::Let& let, const ir::Statement&, const Context& context, std::uint32_t origin) {
    context.frame[let.variable.value] = evaluator(context).value(let.value, context.frame);
    return origin;
  }

  std::uint32_t run_node(const ir::Send&, const ir::Statement& statement, const Context& context,
                         std::uint32_t origin) {
    return regions_.add(statement, context, origin);
  }

  std::uint32_t run_node(const ir::Relabel& relabel, const ir::Statement& statement, const Context& context,
                         std::uint32_t origin) {
    // The relabelling outlives this frame: regions under it are run again when their rows are wanted.
    regions_.share_sets(statement, context);
    Context inner = context;
    inner.relabelling = static_cast<std::uint32_t>(plan_.relabellings.size());
    const bool plain = !relabel.parts && (!relabel.packets || !ir::is_set(relabel.packets->image.type));
    plan_.relabellings.push_back({.relabel = &relabel,
                                  .frame = {context.frame, context.frame + context.shape->size},
                                  .setting = context.setting,
                                  .collective = 0,
                                  .outer = context.relabelling,
                                  .one_to_one = plain && plan_.relabellings[context.relabelling].one_to_one});
    if (relabel.count)
      inner.setting =
          settings_.block(relabel, evaluator(context).value(*relabel.count, context.frame), context.setting);
    const std::size_t kept = evaluator(inner).kept_sets();
    const std::uint32_t done = run(relabel.body, inner, origin);
    if (inner.setting != context.setting) evaluator(inner).drop_sets(kept);
    return done;
  }

  std::uint32_t run_node(const ir::Run& node, const ir::Statement& statement, const Context& context,
                         std::uint32_t origin) {
    main_.count_iteration(statement.span);
    evaluator(context).guard_depth(statement.span);
    Context inner = context;
    inner.setting = settings_.run(node, statement.span, context, evaluator(context));
    inner.own_collective = 0;
    inner.relabelling = static_cast<std::uint32_t>(plan_.relabellings.size());
    plan_.relabellings.push_back({.relabel = nullptr,
                                  .frame = {},
                                  .setting = context.setting,
                                  .collective = context.own_collective,
                                  .outer = context.relabelling,
                                  .one_to_one = false});
    const ir::Schedule& schedule = *plan_.instance_of(inner.setting).schedule;
    Evaluator::FrameGuard frame(evaluator(inner), schedule.frame.size, statement.span);
    inner.shape = &schedule.frame;
    inner.frame = frame.slots();
    try {
      return run(schedule.body, inner, origin);
    } catch (EvaluationError& error) {
      const std::string values = text_of(values_at(statement, context));
      error.diagnostic.notes.emplace_back(
          statement.span, fmt::format("'{}' is run here{}{}", schedule.name, values.empty() ? "" : ", ", values));
      throw;
    }
  }

  const ir::Procedure& callee(const ir::Call& call, const Context& context) const {
    const auto* named = std::get_if<ir::ProcedureId>(&call.callee);
    const auto index = named != nullptr
                           ? std::size_t{named->value}
                           : static_cast<std::size_t>(context.frame[std::get<ir::VariableId>(call.callee).value]);
    return plan_.instance_of(context.setting).schedule->procedures[index];
  }

  std::uint32_t run_node(const ir::Call& call, const ir::Statement& statement, const Context& context,
                         std::uint32_t origin) {
    evaluator(context).guard_depth(statement.span);
    main_.count_iteration(statement.span);
    // A procedure that came as an argument was not known to the resolver, so number and types of arguments are checked
    // now.
    const ir::Procedure& procedure = callee(call, context);
    if (procedure.formals.size() != call.arguments.size()) {
      fail(statement.span,
           fmt::format("'{}' is given {} arguments; expected {}", procedure.name, call.arguments.size(),
                       procedure.formals.size()),
           Code::type);
    }
    Evaluator::FrameGuard own(evaluator(context), procedure.frame.size, statement.span);
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      if (call.arguments[i].type != procedure.formals[i]) {
        fail(call.arguments[i].span,
             fmt::format("this is {}; '{}' expects {}", to_string(call.arguments[i].type), procedure.name,
                         to_string(procedure.formals[i])),
             Code::type);
      }
      own.slots()[i] = evaluator(context).value(call.arguments[i], context.frame);
    }
    Context inner = context;
    inner.shape = &procedure.frame;
    inner.frame = own.slots();
    return run_body(procedure, inner, origin);
  }

  // Remembers which costly calls send nothing: they do not the next time either, wherever they stand.
  std::uint32_t run_body(const ir::Procedure& procedure, const Context& context, std::uint32_t origin) {
    // A set is a handle, which says nothing of what is in it.
    if (std::any_of(procedure.formals.begin(), procedure.formals.end(), ir::is_set))
      return run(procedure.body, context, origin);
    const auto& procedures = plan_.instance_of(context.setting).schedule->procedures;
    const auto number = static_cast<std::uint32_t>(&procedure - procedures.data());
    const std::span<const Evaluator::Slot> arguments(context.frame, procedure.formals.size());
    RememberedCalls& silent = silent_calls_[context.setting];
    if (silent.find(number, arguments) != nullptr) return origin;
    const std::uint64_t before = main_.iterations();
    const std::uint32_t done = run(procedure.body, context, origin);
    if (done == origin && RememberedCalls::worth_keeping(main_.iterations() - before)) silent.add(number, arguments, 0);
    return done;
  }

  Plan& plan_;
  std::uint64_t memory_;
  Evaluator main_;
  SettingEvaluators evaluators_;
  Regions regions_;
  PlanSettings settings_;
  std::map<std::uint32_t, RememberedCalls> silent_calls_;  // of procedures, by setting: those that send nothing
};

}  // namespace

void make_plan(Plan& plan) {
  plan.relabellings.resize(1);
  plan.settings.resize(1);
  Planner(plan).run();
}

}  // namespace quadrille
