// The router on random small networks: whatever the policy, buffers and rates, each message is delivered exactly once.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "compiler/language_families.h"
#include "model/fabric_notation.h"
#include "runtime/router/router.h"
#include "runtime/router/traffic.h"
#include "tests/environment.h"
#include "tests/reference/random_tables.h"
#include "tests/reference/router_judge.h"

namespace {

using namespace quadrille;

Fabric named(const std::string& notation) {
  return parse_fabric({"--on", notation}, 0, {}, language_families()).value();
}

Fabric random_network(reference::Dice& dice) {
  switch (dice.below(9)) {
    case 0:
      return named(fmt::format("hypercube:{},capacity={}", dice.from_to(1, 4), dice.from_to(1, 2)));
    case 1:
      return named(fmt::format("torus:{}x{}", dice.from_to(2, 5), dice.from_to(2, 4)));
    case 2:
      return named(fmt::format("ring:{}", dice.from_to(1, 9)));
    case 3:
      return named(fmt::format("star:{}", dice.from_to(1, 9)));
    case 4:
      return named(
          fmt::format("connection_machine:dimensions={},processors={}", dice.from_to(1, 3), dice.from_to(1, 6)));
    case 5:
      return named(fmt::format("omega:dimensions={}", dice.from_to(1, 4)));
    case 6:
      return named(fmt::format("clos:m={},n={},r={}", dice.from_to(1, 3), dice.from_to(1, 3), dice.from_to(1, 3)));
    case 7:
      return named(fmt::format("fat_tree:levels={},capacity=exponential", dice.from_to(1, 4)));
    default:
      return reference::random_fabric(dice);
  }
}

std::vector<RoutedMessage> random_messages(reference::Dice& dice, std::uint32_t processors) {
  std::vector<RoutedMessage> messages(dice.from_to(1, 40));
  const bool hot = dice.one_in(4);
  for (RoutedMessage& it : messages) it = {dice.below(processors), hot ? 0 : dice.below(processors)};
  return messages;
}

RouterOptions random_options(reference::Dice& dice) {
  RouterOptions options;
  options.buffers = dice.one_in(3) ? 1 : dice.from_to(1, 16);
  options.inject = dice.from_to(1, 5);
  options.deliver = dice.from_to(1, 5);
  options.seed = dice.below(1000);
  return options;
}

}  // namespace

TEST_CASE("each message is delivered once, to its target, by a trace that keeps every rule of the router") {
  const std::uint64_t first = reference::first_seed();
  const std::uint64_t count = tests::long_run() ? 40000 : tests::share(4000);
  std::uint64_t judged = 0;
  std::uint64_t referred = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    reference::Dice dice(seed);
    const Fabric fabric = random_network(dice);
    const auto messages = random_messages(dice, fabric.processors());
    RouterOptions options = random_options(dice);
    const PolicyList policies = standard_policies();
    const RoutingPolicy& policy = *dice.pick(policies);
    CAPTURE(seed);
    CAPTURE(fabric.notation());
    CAPTURE(policy.name());
    std::vector<RouterEvent> trace;
    options.trace = &trace;
    const Result<RouterRun> run = route_messages(fabric, messages, policy, options);
    if (!run) {  // no way to the target, or referrals that might find no wire
      const Code code = run.diagnostics().front().code;
      REQUIRE((code == Code::route || code == Code::unsupported));
      continue;
    }
    const bool ready = policy.name() == "useful_dimension";
    REQUIRE(reference::judge_router(fabric, messages, options, *run, trace, ready) == "");
    ++judged;
    referred += run->referrals;

    std::vector<RouterEvent> again;
    options.trace = &again;
    REQUIRE(route_messages(fabric, messages, policy, options).ok());
    REQUIRE(again == trace);
  }
  CHECK(judged > count * 2 / 3);
  CHECK(referred > count / 100);
}

TEST_CASE("every pattern, policy and number of buffers is judged on a small Connection Machine") {
  const Fabric fabric = named("connection_machine:dimensions=4,processors=4");
  for (const char* pattern :
       {"random_permutation", "bit_reversal", "transpose", "local", "hot_spot:4", "total_exchange"}) {
    for (const auto& policy : standard_policies()) {
      for (std::uint32_t buffers = 1; buffers <= 16; ++buffers) {
        CAPTURE(pattern);
        CAPTURE(policy->name());
        CAPTURE(buffers);
        std::vector<RouterEvent> trace;
        RouterOptions options;
        options.buffers = buffers;
        options.inject = 1 + buffers % 4;
        options.trace = &trace;
        const auto messages = make_traffic(pattern, fabric, buffers).value();
        const RouterRun run = route_messages(fabric, messages, *policy, options).value();
        const bool ready = policy->name() == "useful_dimension";
        REQUIRE(reference::judge_router(fabric, messages, options, run, trace, ready) == "");
      }
    }
  }
}

TEST_CASE("the judge of traces sees an event that is dropped, doubled, moved to another cycle or wire") {
  const Fabric fabric = named("connection_machine:dimensions=3,processors=4");
  RouterOptions options;
  options.buffers = 2;
  options.inject = 2;
  options.deliver = 2;
  std::vector<RouterEvent> trace;
  options.trace = &trace;
  const std::vector<RoutedMessage> messages = make_traffic("hot_spot:2", fabric, 1).value();
  const RouterRun run = route_messages(fabric, messages, *standard_policies().front(), options).value();
  const auto judged = [&](const std::vector<RouterEvent>& told) {
    return reference::judge_router(fabric, messages, options, run, told, true);
  };
  REQUIRE(judged(trace) == "");
  REQUIRE(run.referrals > 0);
  reference::Dice dice(1);
  for (int i = 0; i < 400; ++i) {
    std::vector<RouterEvent> changed = trace;
    const std::uint32_t at = dice.below(trace.size());
    CAPTURE(at);
    switch (dice.below(4)) {
      case 0:
        changed.erase(changed.begin() + at);
        break;
      case 1:
        changed.insert(changed.begin() + at, trace[at]);
        break;
      case 2:
        changed[at].cycle += 1;
        break;
      default:
        if (trace[at].kind == RouterEvent::Kind::injected || trace[at].kind == RouterEvent::Kind::delivered) continue;
        changed[at].channel =
            ChannelId((trace[at].channel.value + 1 + dice.below(fabric.channels() - 1)) % fabric.channels());
    }
    CHECK(judged(changed) != "");
  }
}
