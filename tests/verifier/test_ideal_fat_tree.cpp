// The ideal fat tree of Bilardi, Codenotti, Del Corso, Pinotti and Resta, Broadcast and Associative Operations on
// Fat-Trees, §2, is our fat tree with single ports, switches that forward, and no queues: "in one period a processor
// can submit one message to the network, and receive one message"; "the message arrives 2h steps after it is sent,
// where h is the height of the lowest common ancestor of source and destination". With as many lanes as leaves below,
// messages that are sent in different processors, and received in different ones, are never in each other's way.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "model/fabric_notation.h"
#include "verifier/check.h"
#include "verifier/search.h"

namespace quadrille::tests {
namespace {

constexpr std::uint32_t never = 99;

// When each processor gets the message; `never` where nobody has sent it there yet.
using Arrivals = std::vector<std::uint32_t>;

std::uint32_t latency(std::uint32_t from, std::uint32_t to) {
  return 2 * static_cast<std::uint32_t>(std::bit_width(from ^ to));
}

// In period t, processors from p on each send to one that nobody has sent to yet, or to none.
void send(const Arrivals& arrivals, std::uint32_t t, std::uint32_t p, std::uint32_t T, std::set<Arrivals>& after) {
  if (p == arrivals.size()) {
    after.insert(arrivals);
    return;
  }
  send(arrivals, t, p + 1, T, after);
  if (arrivals[p] > t) return;
  for (std::uint32_t to = 0; to < arrivals.size(); ++to) {
    const std::uint32_t arrival = t + latency(p, to);
    if (arrivals[to] != never || arrival > T) continue;
    Arrivals more = arrivals;
    more[to] = arrival;
    send(more, t, p + 1, T, after);
  }
}

// By trying everything: whether processor 0 can broadcast in T periods.
bool broadcast_takes(std::uint32_t processors, std::uint32_t T) {
  Arrivals first(processors, never);
  first[0] = 0;
  std::set<Arrivals> states{first};
  for (std::uint32_t t = 0; t < T; ++t) {
    std::set<Arrivals> after;
    for (const Arrivals& state : states) send(state, t, 0, T, after);
    states = std::move(after);
  }
  return std::any_of(states.begin(), states.end(),
                     [](const Arrivals& state) { return std::find(state.begin(), state.end(), never) == state.end(); });
}

SearchResult broadcast_on(std::uint32_t levels, const std::string& switches) {
  const std::string notation = "fat_tree:levels=" + std::to_string(levels) +
                               ",capacity=exponential,ports=single,queue=none,switches=" + switches;
  const Fabric fabric = parse_fabric({"", notation}, 0).value();
  return search(fabric, parse_collective({"", "broadcast"}, 0, fabric.processors()).value(), {}, {});
}

TEST_CASE("a broadcast takes as long as on the ideal fat tree, and less where switches copy") {
  const std::vector<std::uint32_t> expected{2, 5, 8};
  for (std::uint32_t levels = 1; levels <= 3; ++levels) {
    CAPTURE(levels);
    const std::uint32_t steps = expected[levels - 1];
    CHECK(broadcast_takes(1U << levels, steps));
    CHECK_FALSE(broadcast_takes(1U << levels, steps - 1));
    const SearchResult result = broadcast_on(levels, "forward");
    REQUIRE(result.verdict == SearchVerdict::optimal);
    CHECK(result.steps == steps);
    CHECK(check(*result.table).verdict == Verdict::holds);
  }
  CHECK(broadcast_on(3, "copy").steps == 6);
}

}  // namespace
}  // namespace quadrille::tests
