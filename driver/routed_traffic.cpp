// The command `replay --pattern`: reads fabric, policy and messages, makes a run for each seed, and compares the
// first with the compiler's schedule.
#include "driver/routed_traffic.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "driver/inputs/input.h"
#include "driver/inputs/notations.h"
#include "runtime/router/traffic.h"

namespace quadrille::driver {
namespace {

using Messages = std::vector<RoutedMessage>;

Result<std::shared_ptr<const RoutingPolicy>> policy_named(const std::string& name, const PolicyList& policies) {
  std::vector<std::string> names;
  for (const auto& policy : policies) {
    if (policy->name() == name) return policy;
    names.emplace_back(policy->name());
  }
  return error_at({}, fmt::format("--policy: {} is not one of {}", name, fmt::join(names, ", ")), Code::name);
}

// The messages of a file; nothing if the pattern is no file's name.
Result<std::optional<Messages>> listed_messages(const std::string& pattern, const Fabric& fabric, Context& context) {
  if (names_traffic_pattern(pattern)) return std::optional<Messages>();
  std::optional<std::string> text = context.environment.read_file(pattern);
  if (!text) {
    const bool path = pattern.find_first_of("/.") != std::string::npos;
    if (path || context.environment.why_unreadable(pattern)) return cannot_read(pattern, context.environment);
    return std::optional<Messages>();
  }
  context.sources.push_back({pattern, std::move(*text)});
  const auto number = static_cast<std::uint32_t>(context.sources.size() - 1);
  Result<Messages> messages = read_traffic(context.sources.back(), number, fabric.processors());
  if (!messages) return messages.diagnostics();
  return std::optional(std::move(*messages));
}

void add_to(Delays& all, const Delays& more) {
  for (const auto& [delay, messages] : more) all[delay] += messages;
}

// Makes the first run once more, for the history of each message. It is the same run, and its hops are known to be
// few.
OffLine off_line_of(const TrafficOutcome& outcome, const Messages& messages, const RoutingPolicy& policy,
                    bool asked_for, Context& context) {
  const RouterRun& first = outcome.runs.front().measured;
  if (first.reason != Reason::none) return {{}, {}, "the run was ended early"};
  if (!may_be_scheduled(first.messages, first.hops, asked_for)) {
    return {
        {}, {}, asked_for ? "there are too many messages, or hops" : "there are many messages, or hops (--off-line)"};
  }
  std::vector<RouterEvent> events;
  RouterOptions options = outcome.router;
  options.trace = &events;
  options.limits = remaining(context);
  const Result<RouterRun> again = route_messages(outcome.fabric, messages, policy, options);
  if (!again || again->reason != Reason::none) return {{}, {}, "no time is left"};
  return scheduled_off_line(outcome.fabric, messages, events, context);
}

Diagnostics run_seeds(const TrafficRequest& request, const RoutingPolicy& policy, const std::optional<Messages>& listed,
                      TrafficOutcome& outcome, Context& context) {
  for (std::uint32_t i = 0; i < request.seeds; ++i) {
    const std::uint64_t seed = request.router.seed + i;
    const Result<Messages> messages = listed ? *listed : make_traffic(request.pattern, outcome.fabric, seed);
    if (!messages) return messages.diagnostics();
    if (messages->empty()) {
      return {error_at({}, fmt::format("{} lists no message; expected one at least", request.pattern), Code::missing)};
    }
    RouterOptions options = request.router;
    options.seed = seed;
    options.limits = remaining(context);
    tell_stage(context, "routing");
    Result<RouterRun> measured = route_messages(outcome.fabric, *messages, policy, options);
    if (!measured) {
      outcome.cut = reason_of(measured.diagnostics());
      if (outcome.cut == Reason::none || outcome.runs.empty()) return measured.diagnostics();
      return {};  // what was measured before is known
    }
    add_to(outcome.delays, measured->delays);
    add_to(outcome.delays_inside, measured->delays_inside);
    outcome.runs.push_back({seed, std::move(*measured)});
    if (i == 0) outcome.off_line = off_line_of(outcome, *messages, policy, request.off_line, context);
    if (outcome.reason() != Reason::none) return {};
  }
  return {};
}

}  // namespace

Result<TrafficOutcome> run(const TrafficRequest& request, Context& context) {
  const auto policy = policy_named(request.policy, context.world->policies);
  if (!policy) return policy.diagnostics();
  const Result<Fabric> fabric = fabric_on(request.on, request.without, context);
  if (!fabric) return fabric.diagnostics();
  const auto listed = listed_messages(request.pattern, *fabric, context);
  if (!listed) return listed.diagnostics();
  TrafficOutcome outcome{*fabric, asked_for(request.on, request.without), request.pattern, request.policy,
                         request.router};
  if (Diagnostics wrong = run_seeds(request, **policy, *listed, outcome, context); !wrong.empty()) return wrong;
  if (outcome.cut == Reason::none) outcome.cut = context.limits.reached();
  return outcome;
}

std::uint32_t quantile(const Delays& delays, double share) {
  std::uint64_t messages = 0;
  for (const auto& [delay, count] : delays) messages += count;
  const auto wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(messages) - 1e-9));
  std::uint64_t seen = 0;
  for (const auto& [delay, count] : delays) {
    seen += count;
    if (seen >= wanted) return delay;
  }
  return delays.rbegin()->first;
}

double mean(const Delays& delays) {
  double sum = 0;
  double messages = 0;
  for (const auto& [delay, count] : delays) {
    sum += static_cast<double>(delay) * static_cast<double>(count);
    messages += static_cast<double>(count);
  }
  return sum / messages;
}

Histogram histogram(const Delays& delays, std::uint32_t most_spans) {
  Histogram result;
  if (delays.empty()) return result;
  const std::uint32_t most = delays.rbegin()->first;
  result.span = (most + most_spans - 1) / most_spans;
  result.messages.assign((most + result.span - 1) / result.span, 0);
  for (const auto& [delay, count] : delays) result.messages[(delay - 1) / result.span] += count;
  return result;
}

}  // namespace quadrille::driver
