// A setting is an instance beside the plan's own: of the same schedule with another n, or of another schedule.
//
// For example, `for v in 0..3: relabel x -> 8*v + x of 8: run ring(N: 8)` has two settings for all four blocks: this
// schedule with n = 8, and ring with N = 8 on its own fabric. What is asked of a fabric (`distance`, `neighbours`) is
// asked of the one that the setting's schedule is written for; sends go over the fabric of the plan. Cost: of each
// schedule that is run with other arguments, its fabric and its collective.
#include "compiler/plan/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "compiler/evaluate/arguments.h"
#include "compiler/evaluate/lines.h"
#include "compiler/plan/reversal.h"
#include "model/fabric_notation.h"

namespace quadrille {
namespace {

constexpr std::size_t most_settings = 4096;

// The argument as the command line would have it.
std::string text_of(const ir::Argument& argument, Evaluator& evaluator, Evaluator::Slot* frame) {
  if (argument.word) return *argument.word;
  if (argument.pattern) {
    const Pattern& pattern = evaluator.instance().patterns[argument.pattern->value];
    return pattern.word.empty() ? fmt::format("{}", fmt::join(pattern.values, ",")) : pattern.word;
  }
  std::vector<std::int64_t> values;
  if (argument.values.size() == 1 && ir::is_set(argument.values[0].type)) {
    evaluator.collect(argument.values[0], frame, values);
    return fmt::format("{{{}}}", fmt::join(values, ","));
  }
  for (const ir::Expression& value : argument.values) values.push_back(evaluator.value(value, frame));
  return fmt::format("{}", fmt::join(values, ","));
}

// A schedule without a line `fabric` has all channels.
Fabric complete(std::uint32_t processors, Timing timing, const Instance& instance) {
  FabricDescription description;
  description.kind = "complete";
  description.arguments.insert({"", {std::vector<std::int64_t>{processors}, Span{}}});
  description.arguments.insert({"timing", {std::string(timing == Timing::rounds ? "rounds" : "steps"), Span{}}});
  auto fabric = build_fabric(description, instance.schedule->read_file, *instance.schedule->families, instance.limits);
  if (!fabric) throw BadArguments{fabric.diagnostics()};
  return *std::move(fabric);
}

}  // namespace

std::uint32_t PlanSettings::add(Setting setting, Span span) {
  if (plan_.settings.size() >= most_settings)
    fail(span, fmt::format("more than {} different blocks and runs", most_settings), Code::limit);
  plan_.settings.push_back(std::make_shared<Setting>(std::move(setting)));
  return static_cast<std::uint32_t>(plan_.settings.size() - 1);
}

std::uint32_t PlanSettings::block(const ir::Relabel& relabel, std::int64_t count, std::uint32_t outer) {
  const Span span = relabel.count->span;
  const Instance& around = plan_.instance_of(outer);
  const std::int64_t most = around.count != 0 ? around.count : around.fabric->processors();
  if (count < 1 || count > most)
    fail(span, fmt::format("a block of {} processors; expected 1 to {}", count, most), Code::range);
  const auto [place, fresh] = blocks_.emplace(std::tuple(outer, count, relabel.parts.has_value()), 0);
  if (!fresh) return place->second;
  Setting setting{around, plan_.home(outer), {}};
  setting.instance.count = static_cast<std::uint32_t>(count);
  // Its parts are those that the relabelling maps: one for each processor.
  if (relabel.parts) setting.instance.parts = setting.instance.count;
  return place->second = add(std::move(setting), span);
}

Setting PlanSettings::bound(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments,
                            const PlanContext& context, Span span) const {
  const Instance& around = plan_.instance_of(context.setting);
  try {
    ElaborateOptions options;
    options.limits = plan_.instance.limits;
    options.iterations = plan_.instance.iterations;
    Setting setting{bind_parameters(schedule, arguments, options), 0, {}};
    Instance& instance = setting.instance;
    instance.sets = plan_.instance.sets;
    const std::uint32_t here = around.count != 0 ? around.count : around.fabric->processors();
    const Timing timing = plan_.instance.in_rounds ? Timing::rounds : Timing::steps;
    instance.fabric = schedule->fabric.kind.empty() ? complete(here, timing, instance) : own_fabric(instance);
    instance.router.emplace(*instance.fabric);
    instance.in_rounds = plan_.instance.in_rounds;
    const Collective collective = own_collective(instance);
    instance.parts = parts_of(collective);
    setting.collectives.push_back(collective);
    return setting;
  } catch (const BadArguments& bad) {
    Diagnostic first = bad.diagnostics.front();
    if (!first.span.known()) first.span = span;
    throw EvaluationError{std::move(first)};
  }
}

std::uint32_t PlanSettings::run(const ir::Run& run, Span span, const PlanContext& context, Evaluator& evaluator) {
  const Instance& around = plan_.instance_of(context.setting);
  const auto& schedule = around.schedule->runs[run.schedule];
  Arguments arguments;
  for (const ir::Argument& argument : run.arguments)
    arguments[argument.key] = text_of(argument, evaluator, context.frame);
  const bool block = around.count != 0;
  const std::uint32_t here = block ? around.count : around.fabric->processors();
  const auto [place, fresh] = runs_.emplace(std::tuple(schedule.get(), arguments, context.setting), 0);
  if (!fresh) return place->second;
  Setting setting = bound(schedule, arguments, context, span);
  const std::uint32_t n = setting.instance.fabric->processors();
  if (block ? n != here : n > here) {
    fail(span,
         fmt::format("{} is for {} processors, and {} {}", schedule->name, n, block ? "this block has" : "here are",
                     here),
         Code::range);
  }
  if (setting.instance.fabric->in_rounds() && !plan_.instance.in_rounds) {
    fail(span,
         fmt::format("{} counts rounds, and this schedule counts steps; expected `timing: rounds` in its line `fabric`",
                     schedule->name),
         Code::invalid);
  }
  setting.home = static_cast<std::uint32_t>(plan_.settings.size());
  return place->second = add(std::move(setting), span);
}

void PlanSettings::add_duals(const PlanContext& context, Span span) {
  const auto add = [&](std::vector<Collective>& collectives) {
    if (collectives.size() == 1) collectives.push_back(dual(collectives[0], span));
  };
  add(plan_.collectives);
  const auto add_to = [&](std::uint32_t setting) {
    if (const std::uint32_t home = plan_.home(setting); home != 0) add(plan_.settings[home]->collectives);
  };
  add_to(context.setting);
  for (std::uint32_t next = context.relabelling; next != 0; next = plan_.relabellings[next].outer)
    add_to(plan_.relabellings[next].setting);
}

}  // namespace quadrille
