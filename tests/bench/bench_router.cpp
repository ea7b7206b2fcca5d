// How many wires messages cross in a second, referrals included, by the router of the Connection Machine.
#include <benchmark/benchmark.h>

#include "compiler/language_families.h"
#include "model/fabric_notation.h"
#include "runtime/router/router.h"
#include "runtime/router/traffic.h"

namespace quadrille {
namespace {

void route(benchmark::State& state, const char* fabric_name, const char* pattern, std::size_t policy) {
  const Fabric fabric = parse_fabric({"bench", fabric_name}, 0, {}, language_families()).value();
  const auto messages = make_traffic(pattern, fabric, 1).value();
  const PolicyList policies = standard_policies();
  RouterOptions options;
  options.inject = 4;
  options.deliver = 4;
  std::uint64_t hops = 0;
  for (auto _ : state) {
    const RouterRun run = route_messages(fabric, messages, *policies[policy], options).value();
    if (run.delivered != messages.size()) state.SkipWithError("a message was lost");
    hops += run.hops;
  }
  state.counters["hops/s"] = benchmark::Counter(static_cast<double>(hops), benchmark::Counter::kIsRate);
}

constexpr const char* machine = "connection_machine:dimensions=12,processors=16";

BENCHMARK_CAPTURE(route, useful_dimension, machine, "random_permutation", 0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(route, dimension_order, machine, "random_permutation", 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(route, random_order, machine, "random_permutation", 2)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(route, hot_spot, machine, "hot_spot:64", 0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(route, torus, "torus:64x64", "random_permutation", 0)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace quadrille
