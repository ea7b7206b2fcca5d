// Elaboration turns a schedule for all sizes into the send table of one. Each stage is a function of its own: bind the
// parameters, choose the fabric, name the collective, plan, retime if asked.
//
// For example, ring_multinode_broadcast with N = 8 on its own ring gives a table whose rows do not exist yet: it holds
// the plan (plan.h), and each reader makes them anew, step by step (rows.h). So memory is that of the plan. Claims
// (and invariants) go along as functions, for they are evaluated only when somebody reads the table to its end.
//
// The user's mistakes travel as exceptions inside of compiler/ and become diagnostics here, at its public face.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "compiler/compile.h"
#include "compiler/decompile/table_sends.h"
#include "compiler/evaluate/arguments.h"
#include "compiler/evaluate/lines.h"
#include "compiler/plan/expand.h"
#include "compiler/plan/invariants.h"
#include "compiler/plan/plan.h"
#include "compiler/plan/plan_reductions.h"
#include "compiler/plan/round_maker.h"
#include "compiler/rows/arrival_rows.h"
#include "compiler/rows/reduction_rows.h"
#include "compiler/rows/round_rows.h"
#include "compiler/rows/rows.h"
#include "dsl/format.h"
#include "model/described.h"
#include "model/limits/memory_ceiling.h"
#include "model/topologies/without_links.h"
#include "place/retime.h"
#include "place/rounds/retime_rounds.h"
#include "place/rounds/spread_rounds.h"
#include "place/rounds/unicasts.h"
#include "place/spread.h"

namespace quadrille {
namespace {

// Returns the numbers of a pattern; if there are many, the first ones and how many there are.
std::string pattern_text(const ir::Parameter& parameter, const Pattern& pattern) {
  constexpr std::size_t most = 24;
  const std::size_t shown = pattern.values.size() > most ? most / 2 : pattern.values.size();
  std::string numbers = fmt::format(
      "{}", fmt::join(pattern.values.begin(), pattern.values.begin() + static_cast<std::ptrdiff_t>(shown), ","));
  if (shown < pattern.values.size()) numbers += fmt::format(",... {} in all", pattern.values.size());
  if (parameter.set) return fmt::format("{{{}}}", numbers);
  if (parameter.list) return fmt::format("[{}]", numbers);
  return pattern.word.empty() ? fmt::format("{}", fmt::join(pattern.values, ",")) : pattern.word;
}

// "total_exchange L=4 capacity=exponential"
std::string title(const Instance& instance) {
  std::string text = instance.schedule->name;
  const auto& parameters = instance.schedule->parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].idle) continue;
    text += fmt::format(" {}={}", parameters[i].name,
                        parameters[i].pattern ? pattern_text(parameters[i], instance.patterns[i])
                                              : fmt::to_string(instance.parameters[i]));
  }
  return text;
}

// Returns the schedule's own fabric; without a line `fabric`, that is the fabric on which it is to run.
Fabric written_for(const Instance& instance, const ElaborateOptions& options) {
  const ir::FabricLine& line = instance.schedule->fabric;
  if (!line.kind.empty()) return own_fabric(instance);
  if (options.fabric) return *options.fabric;
  throw BadArguments{{error_at(line.span,
                               "the file names no fabric; expected a line such as 'fabric ring(8)', or one on the "
                               "command line, such as --on ring:8",
                               Code::missing)}};
}

Fabric with_timing(const Fabric& fabric, Timing timing) {
  Rules rules = fabric.rules();
  rules.timing = timing;
  if (timing == Timing::steps) rules.paths = Paths::held;
  return fabric.with_rules(rules);
}

// The fabric that the table is for.
Fabric target_of(const Fabric& own, const ElaborateOptions& options) {
  const auto target = without_links(options.fabric.value_or(own), options.without, options.limits);
  if (!target) throw BadArguments{target.diagnostics()};
  return options.timing ? with_timing(*target, *options.timing) : *target;
}

// Chooses the fabric on which the schedule is read: the target, unless the sends are to be placed anew on the target. A
// schedule in rounds is always placed anew on a target that counts steps: its messages become packets, which cannot all
// move at once.
void choose_fabric(Plan& plan, const Fabric& own, const ElaborateOptions& options) {
  Instance& instance = plan.instance;
  const Fabric target = target_of(own, options);
  if (target.processors() != own.processors()) {
    throw BadArguments{{error_at(instance.schedule->fabric.span,
                                 fmt::format("the schedule is for {} processors here; {} has {}", own.processors(),
                                             described(target), target.processors()),
                                 Code::range)}};
  }
  instance.in_rounds = own.in_rounds();
  const bool placed = options.retime || (own.in_rounds() && !target.in_rounds());
  if (placed) plan.retimed_for = target;
  instance.fabric = placed ? own : target;
  instance.router.emplace(*instance.fabric);
}

bool is_load(const ir::Expression& e) {
  const auto* call = std::get_if<ir::BuiltinCall>(&e.node);
  return call != nullptr && call->builtin == ir::Builtin::load;
}

std::pair<Verdict, std::string> evaluate_claim(const std::shared_ptr<const Plan>& plan, std::size_t index,
                                               const Measured& measured) {
  const ir::Claim& claim = plan->schedule().claims[index];
  Instance instance = plan->instance;
  instance.measured = measured;
  instance.limits = {};  // claims are judged when a table has been read
  // Functions such as `distance` are about the fabric that the table is for; a retimed table is for its target.
  if (plan->retimed_for) {
    instance.fabric = plan->retimed_for;
    instance.router.emplace(*instance.fabric);
  }
  Evaluator evaluator(instance);
  try {
    Evaluator::FrameGuard frame(evaluator, claim.frame.size, claim.span);
    if (claim.when && !evaluator.truth(*claim.when, frame.slots()))
      return {Verdict::holds, "its condition is not met here"};
    if (claim.optimal) {
      evaluator.value(claim.claim, frame.slots());  // fails if it is not measured here
      return {Verdict::unknown, "lower bounds and other schedules tell, not the table alone"};
    }
    if (evaluator.truth(claim.claim, frame.slots())) return {Verdict::holds, {}};
    // A comparison of numbers is explained by both sides' values; of anything else there is no more to say.
    const auto* sides = std::get_if<ir::Binary>(&claim.claim.node);
    if (sides != nullptr && (is_load(*sides->left) || is_load(*sides->right)))
      return {Verdict::violated, fmt::format("load is {}", to_string(measured.load.value()))};
    if (claim.sides[0].empty() || sides == nullptr || sides->left->type != ir::Type::integer)
      return {Verdict::violated, "it is false"};
    return {Verdict::violated,
            fmt::format("{} is {}; {} is {}", claim.sides[0], evaluator.value(*sides->left, frame.slots()),
                        claim.sides[1], evaluator.value(*sides->right, frame.slots()))};
  } catch (const EvaluationError& error) {
    return {Verdict::unknown, error.diagnostic.message};
  }
}

bool speaks_of(const ir::Claim& claim, std::initializer_list<ir::Builtin> measures) {
  return ir::any_part(claim.claim, [&](const ir::Expression& part) {
    const auto* call = std::get_if<ir::BuiltinCall>(&part.node);
    return call != nullptr && std::find(measures.begin(), measures.end(), call->builtin) != measures.end();
  });
}

// Returns the claims of the table. The claims of a schedule in rounds do not apply to the packets that its messages
// became in a table of steps; these claims are listed, and marked as not judged.
std::vector<TableClaim> claims_of(const std::shared_ptr<const Plan>& plan) {
  std::vector<TableClaim> claims;
  const bool left_rounds = plan->instance.in_rounds && !plan->fabric().in_rounds();
  for (std::size_t i = 0; i < plan->schedule().claims.size(); ++i) {
    const ir::Claim& claim = plan->schedule().claims[i];
    if (left_rounds &&
        speaks_of(claim, {ir::Builtin::rounds, ir::Builtin::volume, ir::Builtin::load, ir::Builtin::hops})) {
      const auto not_judged = [](const Measured&) { return std::pair(Verdict::holds, std::string()); };
      claims.push_back({claim.text + " (not judged: this table counts steps)", claim.span, not_judged});  // nor optimal
      continue;
    }
    claims.push_back({claim.text, claim.span, [plan, i](const Measured& m) { return evaluate_claim(plan, i, m); },
                      claim.optimal, speaks_of(claim, {ir::Builtin::max_buffer})});
  }
  return claims;
}

// The plan's messages as they are written. Each reading of them notes their last round in the plan.
WrittenRounds noted_rounds(Plan& plan) {
  WrittenRounds written = written_rounds(plan);
  written.each_message = [&plan, each_message = written.each_message](const WrittenRounds::Visit& visit) {
    plan.last_step = 0;
    each_message([&](const MadeMessage& message) {
      if (!message.channels.empty() && !message.chunks.empty()) plan.last_step = message.round;
      visit(message);
    });
  };
  return written;
}

// Places the sends anew on the plan's target.
void retime(Plan& plan) {
  const Fabric& target = *plan.retimed_for;
  const Collective& collective = plan.collectives[0];
  PlanReductions sends(plan);
  ReductionsOfSends* reductions = plan.partial_reductions ? &sends : nullptr;
  const Limits& limits = plan.instance.limits;
  RetimedFlights now;
  if (!plan.instance.in_rounds) {
    now = retimed(all_flights(plan, collective.combining()), *plan.instance.fabric, collective, target, limits,
                  reductions);
  } else if (target.in_rounds()) {
    RetimedRounds placed = retime_rounds(noted_rounds(plan), target, limits, reductions);
    plan.placed = std::move(placed.messages);
    now.as = std::move(placed.as);
  } else {
    Unicasts unicasts = unicasts_of(noted_rounds(plan), limits);
    plan.placed.reset();
    now = retimed(std::move(unicasts.flights), unicasts.fabric, collective, target, limits, reductions);
  }
  const FlightsExtent extent = now.extent ? *now.extent : extent_of(now.flights, target);
  plan.flights = std::move(now.flights);
  // All rows are those of the flights from here on: regions would start in the steps that were written.
  plan.launches.clear();
  plan.longest_route = 0;
  plan.retiming = Retiming{plan.last_step, 0, extent.waits, now.detours, now.as};
  if (plan.placed) {
    try_rounds(plan);
  } else {
    plan.last_step = extent.last_step;
    plan.rows = extent.hops;
  }
  plan.retiming->steps = plan.last_step;
}

// Puts the messages themselves in the place of the sends that make them, if there is memory for them.
void keep_messages(Plan& plan) {
  MessageList messages;
  const std::uint64_t most = plan.instance.limits.memory / 4;
  bool all = true;
  written_rounds(plan).each_message([&](const MadeMessage& message) {
    all = all && messages.bytes() <= most;
    if (all) messages.add(message);
  });
  if (!all) return;
  plan.placed = std::move(messages);
  plan.flights = {};
  plan.launches.clear();
  plan.longest_route = 0;
}

// Gives sends without a route of their own the routes of least load, at the same times.
void spread_routes(Plan& plan) {
  const Collective& collective = plan.collectives[0];
  const Limits& limits = plan.instance.limits;
  if (plan.instance.in_rounds) {
    auto messages = spread_rounds(written_rounds(plan), limits, plan.partial_reductions);
    if (!messages) return try_rounds(plan);
    plan.placed = *std::move(messages);
    plan.flights = {};
    try_rounds(plan);
  } else {
    PlanReductions sends(plan);
    ReductionsOfSends* reductions = plan.partial_reductions ? &sends : nullptr;
    auto flights = spread(all_flights(plan, true), plan.fabric(), collective, limits, reductions);
    if (!flights) return;
    plan.flights = *std::move(flights);
  }
  plan.launches.clear();
  plan.longest_route = 0;
}

std::shared_ptr<const RowSource> rows_of(const std::shared_ptr<Plan>& plan, const ElaborateOptions& options) {
  const bool rounds = plan->fabric().in_rounds() && plan->instance.in_rounds;
  auto rows = rounds ? round_rows(plan) : plan_rows(plan);
  const bool arrivals = options.arrivals && plan->collectives[0].combining();
  return plan->partial_reductions || arrivals ? reduction_rows(plan, std::move(rows)) : rows;
}

SendTable table_of(const std::shared_ptr<Plan>& plan, const ElaborateOptions& options) {
  return {plan->fabric(),         plan->collectives[0], title(plan->instance), claims_of(plan),
          rows_of(plan, options), invariants_of(plan),  plan->retiming};
}

// Returns the schedule's collective, with the operation that is asked for.
Collective collective_of(const Instance& instance, const ElaborateOptions& options) {
  Collective own = own_collective(instance);
  if (!options.operation || !own.combining()) return own;
  CollectiveDescription description = own.description();
  description.operation = *options.operation;
  const Result<Collective> relabelled = Collective::make(std::move(description), own.processors());
  return relabelled ? *relabelled : own;
}

// The plan of a schedule that a table makes again, as far as retiming reads it.
Plan plan_of(const SendTable& table, const ElaborateOptions& options) {
  Result<TableSends> sends = table_sends(table);
  if (!sends) {
    Diagnostics why = sends.diagnostics();
    why.front().message = fmt::format("the table cannot be placed anew: {}", why.front().message);
    throw BadArguments{std::move(why)};
  }
  auto schedule = std::make_shared<ir::Schedule>();
  schedule->name = table.schedule;
  Plan plan;
  plan.instance.schedule = std::move(schedule);
  plan.instance.limits = options.limits;
  choose_fabric(plan, table.fabric, options);
  plan.collectives.push_back(table.collective);
  plan.flights = std::move(sends->flights);
  plan.said = std::move(sends->reductions);
  plan.partial_reductions = !plan.said.empty();
  if (plan.instance.in_rounds) plan.placed = std::move(sends->messages);
  const auto cursor = table.rows->open();
  while (const auto step = cursor->next()) plan.last_step = step->step.value;
  return plan;
}

// Makes a table; the user's mistakes become diagnostics.
template <class Make>
Result<SendTable> diagnosed(const Make& make) {
  try {
    return make();
  } catch (const EvaluationError& error) {
    return error.diagnostic;
  } catch (const BadArguments& bad) {
    return bad.diagnostics;
  } catch (const std::bad_alloc& refusal) {
    return error_at({}, std::string(why_no_memory(refusal)), Code::limit);
  }
}

}  // namespace

Result<SendTable> elaborate(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments,
                            const ElaborateOptions& options) {
  return diagnosed([&] {
    auto plan = std::make_shared<Plan>();
    plan->instance = bind_parameters(schedule, arguments, options);
    choose_fabric(*plan, written_for(plan->instance, options), options);
    plan->collectives.push_back(collective_of(plan->instance, options));
    plan->instance.parts = parts_of(plan->collectives[0]);
    make_plan(*plan);
    // What places messages anew reads them all, and so tries them.
    if (plan->instance.in_rounds && !plan->retimed_for) {
      if (options.keep_messages) keep_messages(*plan);
      if (!options.spread) try_rounds(*plan);
    }
    if (plan->retimed_for) {
      retime(*plan);
    } else if (options.spread) {
      spread_routes(*plan);
    } else if (options.spread_later != nullptr && plan->placed) {
      *options.spread_later = [plan, options] {
        return diagnosed([&] {
          const auto spread = std::make_shared<Plan>(*plan);
          spread_routes(*spread);
          return table_of(spread, options);
        });
      };
    }
    return table_of(plan, options);
  });
}

Result<SendTable> retimed(const SendTable& table, ElaborateOptions options) {
  options.retime = true;
  return diagnosed([&] {
    const auto plan = std::make_shared<Plan>(plan_of(table, options));
    retime(*plan);
    const bool arrivals = std::exchange(options.arrivals, false);
    SendTable placed{plan->fabric(), table.collective, table.schedule, {}, rows_of(plan, options), {}, plan->retiming};
    return arrivals ? with_arrivals(std::move(placed)) : placed;
  });
}

Result<Collective> collective_at(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments,
                                 const ElaborateOptions& options) {
  try {
    Plan plan;
    plan.instance = bind_parameters(schedule, arguments, options);
    choose_fabric(plan, written_for(plan.instance, options), options);
    return collective_of(plan.instance, options);
  } catch (const EvaluationError& error) {
    return error.diagnostic;
  } catch (const BadArguments& bad) {
    return bad.diagnostics;
  }
}

Result<std::string> title_at(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments,
                             const ElaborateOptions& options) {
  try {
    return title(bind_parameters(schedule, arguments, options));
  } catch (const EvaluationError& error) {
    return error.diagnostic;
  } catch (const BadArguments& bad) {
    return bad.diagnostics;
  }
}

std::string parameters_of(const ir::Schedule& schedule) {
  std::string text;
  for (const ir::Parameter& parameter : schedule.parameters) {
    if (parameter.idle) continue;
    if (!text.empty()) text += ", ";
    text += parameter.name;
    if (parameter.set || parameter.list) text += parameter.set ? ": set" : ": list";
    if (parameter.pattern && parameter.range_text.empty()) {
      text += parameter.default_word ? " = " + *parameter.default_word : "";
    } else if (!parameter.range_text.empty()) {
      text += " in " + parameter.range_text;
    }
  }
  return text;
}

}  // namespace quadrille
