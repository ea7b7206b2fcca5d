// A family whose packets take default routes, without waits, is kept as a region: the statement and the values of the
// variables around it, to be run again when its rows are wanted. The sends of any other family are expanded at once.
//
// For example, `for k in processors: send k -> (k + d) mod n` with d = 2 around it is one region with one slot, however
// many processors there are. Cost: time, each send's expressions once, and its route or its length; memory, the
// variables of each region, or all hops of what is expanded.
#include "compiler/plan/regions.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/plan/expand.h"
#include "model/topology.h"

namespace quadrille {
namespace {

using SlotSet = std::vector<Evaluator::Slot>;
std::size_t bytes_of(const SlotSet& set) { return sizeof(SlotSet) + set.size() * sizeof(Evaluator::Slot); }

}  // namespace

Regions::Regions(Plan& plan, Evaluator& main, SettingEvaluators& evaluators)
    : plan_(plan),
      evaluators_(evaluators),
      memory_(plan.instance.limits.memory),
      runner_(plan, main),
      routes_(plan.instance),
      shortest_(routes_.fabric().topology().shortest_by_default()),
      single_messages_(plan.instance, false) {}

std::uint32_t Regions::add(const ir::Statement& family, const PlanContext& context, std::uint32_t origin) {
  if (origin >= max_step)
    fail(family.span, fmt::format("this starts after step {}; that is the limit", max_step), Code::limit);
  const auto number = static_cast<std::uint32_t>(plan_.regions.size());
  // The region is added first and measured by running it, as it will be run for its rows; an empty one is taken back.
  share_sets(family, context);
  plan_.regions.push_back({.statement = &family,
                           .frame = context.shape,
                           .slots = plan_.slots.size(),
                           .relabelling = context.relabelling,
                           .collective = context.collective,
                           .outermost = context.outermost,
                           .setting = context.setting,
                           .own_collective = context.own_collective});
  plan_.slots.insert(plan_.slots.end(), context.frame, context.frame + context.shape->size);
  limit_memory(family.span);
  const Measure measure = launch_or_fly(number, origin, *context.out);
  if (measure.length == 0) {  // no send at all
    plan_.slots.resize(plan_.regions.back().slots);
    plan_.regions.pop_back();
    return origin;
  }
  if (measure.length > max_step - origin)
    fail(family.span, fmt::format("this ends after step {}; that is the limit", max_step), Code::limit);
  measures_.resize(plan_.regions.size());
  measures_[number] = measure;
  return origin + measure.length;
}

void Regions::share_sets(const ir::Statement& statement, const PlanContext& context) {
  Evaluator::Slot* frame = context.frame;
  const auto& sets = *plan_.instance.sets;
  const Evaluator& evaluator = evaluators_.of(context.setting);
  ir::for_each_in_scope(*context.shape, statement, [&](ir::VariableId id, const ir::Variable& variable) {
    if (!ir::is_set(variable.type)) return;
    const std::size_t before = sets.size();
    frame[id.value] = evaluator.share(frame[id.value]);
    if (sets.size() > before) set_bytes_ += bytes_of(sets.back());
  });
}

// Sends on default routes are launched together; if the region has others, all its sends become flights.
Regions::Measure Regions::launch_or_fly(std::uint32_t number, std::uint32_t origin, Collected& out) {
  Measure measure;
  bool launchable = true;
  runner_.run(number, [&](const ResolvedSend& send) { launchable = measure_send(send, measure) && launchable; });
  if (measure.length == 0) return measure;
  if (launchable) {
    out.launches.push_back({origin + 1, number});
  } else {
    expand_launch({origin + 1, number}, out.flights);
  }
  return measure;
}

void Regions::expand_launch(const Launch& launch, Flights& flights) {
  if (plan_.instance.in_rounds) {
    expand_round(launch, runner_, single_messages_, memory_, flights);
  } else {
    expand(launch, runner_, routes_, memory_, flights);
  }
}

// Counts one round, if there is a message. Its rows are counted later, when the packets that processors hold are known.
void Regions::measure_message(const ResolvedSend& send, Measure& measure) {
  const bool of_copies = send.held && !plan_.collectives[0].combining();
  plan_.carries_held = plan_.carries_held || of_copies;
  if (send.chunks.empty() && !of_copies) return;
  if (!single_messages_.of(send).empty()) measure.length = 1;
}

// Adds the send to the measure. Returns whether it can be launched.
bool Regions::measure_send(const ResolvedSend& send, Measure& measure) {
  plan_.partial_reductions = plan_.partial_reductions || send.keeping || !send.sum.empty();
  if (plan_.instance.in_rounds) {
    measure_message(send, measure);
    return true;
  }
  if (send.held) {
    fail(send.span, "`carrying held` is for messages: it needs a fabric with `timing: rounds`", Code::invalid);
  }
  if (send.chunks.empty()) return true;
  if (SendRoutes::is_default(send)) {
    const auto distance = shortest_ ? plan_.instance.router->distance(send.source, send.targets[0]) : std::nullopt;
    // default_route reports it if there is no route.
    const auto hops = distance ? *distance : static_cast<std::uint32_t>(routes_.default_route(send).size());
    measure.rows += hops * send.chunks.size();
    measure.length = std::max(measure.length, hops);
    return true;
  }
  for (const auto& timed : routes_.route(send)) {
    measure.rows += send.chunks.size();
    measure.length = std::max(measure.length, timed.offset + 1);
  }
  return send.waits.empty();
}

Flights Regions::expanded(Collected collected) {
  for (const Launch& launch : collected.launches) expand_launch(launch, collected.flights);
  std::stable_sort(collected.flights.list.begin(), collected.flights.list.end(),
                   [](const Flight& a, const Flight& b) { return a.serial < b.serial; });
  return std::move(collected.flights);
}

void Regions::finish(Collected all) {
  std::stable_sort(all.launches.begin(), all.launches.end(),
                   [](const Launch& a, const Launch& b) { return a.step < b.step; });
  // In order of steps, as rows are made; equal ones stay in the order of the sends, which is that of the lanes.
  plan_.launches = std::move(all.launches);
  plan_.flights = std::move(all.flights);
  for (const Launch& launch : plan_.launches) {
    const Measure& measure = measures_[launch.region];
    plan_.rows += measure.rows;
    plan_.longest_route = std::max(plan_.longest_route, measure.length);
    if (measure.length > 0) plan_.last_step = std::max(plan_.last_step, launch.step + measure.length - 1);
  }
  plan_.rows += plan_.flights.hops.size();
  plan_.last_step = std::max(plan_.last_step, plan_.flights.last_step());
}

void Regions::limit_memory(Span span) const {
  const std::uint64_t used = plan_.regions.size() * (sizeof(Region) + sizeof(Launch) + sizeof(Measure)) +
                             plan_.slots.size() * sizeof(Evaluator::Slot) + set_bytes_;
  if (used > memory_) times_too_large(memory_, span);
}

}  // namespace quadrille
