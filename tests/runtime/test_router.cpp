// The router and its traffic on networks small enough to be followed by hand.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/language_families.h"
#include "model/fabric_notation.h"
#include "runtime/router/router.h"
#include "runtime/router/traffic.h"
#include "tests/reference/last_first.h"

namespace {

using namespace quadrille;
using Messages = std::vector<RoutedMessage>;

Fabric named(const std::string& notation) {
  return parse_fabric({"--on", notation}, 0, {}, language_families()).value();
}

// useful_dimension, dimension_order, random_order.
const RoutingPolicy& policy(std::size_t index) {
  static const PolicyList all = standard_policies();
  return *all.at(index);
}

RouterRun routed(const std::string& fabric, const Messages& messages, const RouterOptions& options = {},
                 std::size_t which = 0) {
  return route_messages(named(fabric), messages, policy(which), options).value();
}

std::string refused(const std::string& fabric, const Messages& messages) {
  return route_messages(named(fabric), messages, policy(0)).diagnostics().front().message;
}

class Idle final : public RoutingPolicy {
 public:
  std::string_view name() const override { return "idle"; }
  std::string_view purpose() const override { return "nothing moves"; }
  std::optional<std::size_t> choose(std::span<const UsefulWire>, RandomNumbers&) const override { return 7; }
};

}  // namespace

TEST_CASE("a message alone takes as many cycles as wires, and one to its own router takes one") {
  const RouterRun far = routed("hypercube:4", {{0, 15}});
  CHECK(far.cycles == 4);
  CHECK(far.hops == 4);
  CHECK(far.referrals == 0);
  CHECK(far.least.cycles == 4);
  CHECK(far.least.reason == "0 to 15 takes 4 wires");
  CHECK(routed("hypercube:4", {{3, 3}}).cycles == 1);
  CHECK(routed("star:4", {{0, 3}}).cycles == 1);
  CHECK(routed("ring:8", {{0, 4}}).cycles == 4);
  CHECK(routed("connection_machine:dimensions=3", {{0, 127}}).cycles == 3);
  CHECK(routed("ring:1", {{0, 0}}).cycles == 1);
}

TEST_CASE("a wire carries a message a cycle, a lane more another one") {
  const Messages both{{0, 1}, {0, 1}};
  RouterOptions options;
  options.inject = 2;
  options.deliver = 2;
  CHECK(routed("line:2", both, options).cycles == 2);
  CHECK(routed("line:2,capacity=2", both, options).cycles == 1);
  CHECK(routed("line:2", both, options).buffered == 1);
}

TEST_CASE("what a router injects and delivers in a cycle is bounded, and so is what a processor's channel carries") {
  const Messages crowd{{0, 7}, {1, 7}, {2, 7}, {3, 7}, {4, 7}, {5, 7}, {6, 7}};
  RouterOptions options;
  CHECK(routed("complete:8", crowd, options).cycles == 7);
  CHECK(routed("complete:8", crowd, options).least.cycles == 7);
  options.deliver = 3;
  CHECK(routed("complete:8", crowd, options).cycles == 3);
  options.inject = 7;
  options.deliver = 7;
  const RouterRun star = routed("star:8", crowd, options);
  CHECK(star.cycles == 7);
  CHECK(star.least.reason == "7 messages for processor 7, 1 a cycle");
  CHECK(routed("star:8,capacity=4", crowd, options).cycles == 2);
}

TEST_CASE("with its buffers full, a router refers a message, which arrives all the same") {
  RouterOptions options;
  options.buffers = 1;
  options.deliver = 3;
  options.inject = 3;
  const RouterRun run = routed("line:3", {{0, 2}, {0, 2}, {2, 0}, {2, 0}, {1, 2}, {1, 2}, {1, 0}}, options);
  CHECK(run.delivered == 7);
  CHECK(run.peak_buffered == 1);
  RouterOptions crowded;
  crowded.buffers = 1;
  Messages hot;
  for (std::uint32_t p = 1; p < 16; ++p) hot.push_back({p, 0});
  const RouterRun spot = routed("hypercube:4", hot, crowded);
  CHECK(spot.delivered == 15);
  CHECK(spot.referrals > 0);
  CHECK(spot.cycles <= 15 * 4);
}

TEST_CASE("where links go one way, messages wait for room instead, and a way back that is missing is refused") {
  const Messages all = make_traffic("bit_reversal", named("omega:dimensions=4"), 1).value();
  RouterOptions options;
  options.buffers = 1;
  const RouterRun run = routed("omega:dimensions=4", all, options);
  CHECK_FALSE(run.refers);
  CHECK(run.delivered == 16);
  CHECK(run.referrals == 0);
  CHECK(run.hops == 16 * 3);
  // From 0 to 1 and back to 0, with two lanes one way only.
  CHECK(
      refused(R"(graph:{"processors":2,"channels":[[0,1,2],[1,0,1]]})", {{0, 1}}) ==
      "0 has 1 lanes in from routers and 2 out: with all buffers full, a message might find no wire; expected as many "
      "in as out everywhere, or wires that form no cycle");
  CHECK(refused(R"(graph:{"processors":3,"links":[[0,1]]})", {{0, 2}}) == "no way leads from 0 to 2");
  CHECK(refused("line:2", {{0, 2}}) == "there is no processor 2; the fabric has 2");
}

TEST_CASE("the same seed gives the same run, another seed another permutation") {
  const Fabric fabric = named("connection_machine:dimensions=5,processors=8");
  const Messages first = make_traffic("random_permutation", fabric, 7).value();
  CHECK(first == make_traffic("random_permutation", fabric, 7).value());
  CHECK(first != make_traffic("random_permutation", fabric, 8).value());
  RouterOptions options;
  options.seed = 3;
  const RouterRun one = routed("connection_machine:dimensions=5,processors=8", first, options, 2);
  const RouterRun two = routed("connection_machine:dimensions=5,processors=8", first, options, 2);
  CHECK(one.delays == two.delays);
  CHECK(one.hops == two.hops);
  CHECK(RandomNumbers(0).next() == 0xe220a8397b1dcdaf);  // SplitMix64's first value for 0
}

TEST_CASE("what a policy draws has nothing to do with how the messages were drawn") {
  // From the same numbers, messages that go to one place would draw the same middle switches: 17 cycles.
  const std::string clos = "clos:m=127,n=64,r=64";
  RouterOptions options;
  options.buffers = options.inject = options.deliver = 4096;
  const Messages all = make_traffic("random_permutation", named(clos), options.seed).value();
  CHECK(routed(clos, all, options, 2).cycles <= 8);
}

TEST_CASE("a policy of one's own routes, and one that never moves ends at the bound on cycles") {
  const Messages all = make_traffic("bit_reversal", named("hypercube:6"), 1).value();
  CHECK(route_messages(named("hypercube:6"), all, reference::LastFirst()).value().delivered == 64);
  RouterOptions options;
  options.most_cycles = 100;
  const RouterRun idle = route_messages(named("hypercube:6"), all, Idle(), options).value();
  CHECK(idle.reason == Reason::limit);
  CHECK(idle.cycles == 100);
  CHECK(idle.delivered == 8);  // those whose number reads the same backwards
}

TEST_CASE("a deadline ends a run, and a memory limit refuses distances that are too many") {
  RouterOptions options;
  options.limits.deadline = Limits::Clock::now();
  const auto late = route_messages(named("ring:64"), {{0, 32}}, policy(0), options);
  CHECK_FALSE(late.ok());
  CHECK(late.diagnostics().front().code == Code::timeout);
  RouterOptions small;
  small.limits.memory = 1 << 20;
  const Fabric ring = named("ring:4096");
  const auto large = route_messages(ring, make_traffic("random_permutation", ring, 1).value(), policy(0), small);
  CHECK_FALSE(large.ok());
  CHECK(large.diagnostics().front().code == Code::limit);
}

TEST_CASE("65,536 messages cross the Connection Machine in the order of its dimensions or any other") {
  const Fabric fabric = named("connection_machine:dimensions=12,processors=16");
  CHECK(fabric.processors() == 65536);
  const Messages all = make_traffic("random_permutation", fabric, 1).value();
  RouterOptions options;
  options.inject = 4;
  options.deliver = 4;
  for (std::size_t which = 0; which < 3; ++which) {
    const RouterRun run = route_messages(fabric, all, policy(which), options).value();
    CHECK(run.routers == 4096);
    CHECK(run.wires == 4096 * 12);
    CHECK(run.delivered == 65536);
    CHECK(run.peak_buffered <= 8);
    CHECK(run.cycles >= run.least.cycles);
  }
}

TEST_CASE("patterns send a message of every processor where their names say") {
  const Fabric fabric = named("hypercube:6");
  const auto target = [&](const char* pattern, std::uint32_t from) {
    const Messages all = make_traffic(pattern, fabric, 1).value();
    CHECK(all.size() == 64);
    CHECK(all[from].from == from);
    return all[from].to;
  };
  CHECK(target("bit_reversal", 1) == 32);
  CHECK(target("bit_reversal", 6) == 24);
  CHECK(target("transpose", 10) == 17);  // (1, 2) of 8 x 8
  std::set<std::uint32_t> targets;
  const Messages random_permutation = make_traffic("random_permutation", fabric, 5).value();
  for (const RoutedMessage& it : random_permutation) targets.insert(it.to);
  CHECK(targets.size() == 64);
  const Messages local = make_traffic("local", fabric, 5).value();
  for (const RoutedMessage& it : local) {
    CHECK(std::popcount(it.from ^ it.to) == 1);
  }
  std::map<std::uint32_t, int> arrivals;
  const Messages hot_spot = make_traffic("hot_spot:4", fabric, 5).value();
  for (const RoutedMessage& it : hot_spot) ++arrivals[it.to];
  int most = 0;
  for (const auto& [processor, count] : arrivals) most = std::max(most, count);
  CHECK(most >= 16);
  CHECK(most <= 17);
  CHECK(make_traffic("local", named("star:1"), 1).value() == Messages{{0, 0}});
  CHECK(make_traffic("total_exchange", named("ring:3"), 1).value() ==
        Messages{{0, 1}, {1, 2}, {2, 0}, {0, 2}, {1, 0}, {2, 1}});
  CHECK(make_traffic("total_exchange", named("star:1"), 1).value().empty());
}

TEST_CASE("patterns that make no sense are refused") {
  const auto wrong = [](const std::string& pattern, const std::string& fabric) {
    return make_traffic(pattern, named(fabric), 1).diagnostics().front().message;
  };
  CHECK(wrong("bit_reversal", "ring:6") == "bit_reversal: 6 processors; expected a power of two");
  CHECK(wrong("transpose", "ring:8") == "transpose: 8 processors; expected a square number");
  CHECK(wrong("total_exchange", "hypercube:13") == "total_exchange: 8192 processors; expected at most 4096");
  CHECK(wrong("hot_spot:0", "ring:8") == "--pattern: hot_spot:0; expected a number behind the colon, 1 to 8");
  CHECK(wrong("hot_spot:9", "ring:8") == "--pattern: hot_spot:9; expected a number behind the colon, 1 to 8");
  CHECK(wrong("hot_spot:", "ring:8") == "--pattern: hot_spot:; expected a number behind the colon, 1 to 8");
  CHECK(wrong("local:3", "ring:8") == "--pattern: local:3; local has no number");
  CHECK(wrong("locl", "ring:8") == "there is neither a file nor a pattern named 'locl'; did you mean 'local'?");
}

TEST_CASE("a list of messages is read line by line, and a bad line is told with its place") {
  const auto read = [](const std::string& text) { return read_traffic({"list.csv", text}, 0, 8); };
  CHECK(read("from,to\n1,2\n\n# three to four\n 3  4 \r\n5,5").value() == Messages{{1, 2}, {3, 4}, {5, 5}});
  CHECK(read("").value().empty());
  const auto told = [&](const std::string& text) { return render(read(text).diagnostics(), {{"list.csv", text}}); };
  CHECK(told("1,2\n1,8\n") == "list.csv:2:3: error: there is no processor 8; expected 0 to 7\n1,8\n  ^\n");
  CHECK(told("1,2\n1\n").starts_with("list.csv:2:1: error: met '1', expected two processors, such as '3,5'\n"));
  CHECK(told("1,2,3\n").starts_with("list.csv:1:1: error: met '1,2,3', expected two"));
  CHECK(told("-1,2\n").starts_with("list.csv:1:1: error: met '-1,2'"));
  CHECK(told("99999999999,2\n").starts_with("list.csv:1:1: error: met '99999999999,2'"));
  CHECK(told("1,2\nfrom,to\n").starts_with("list.csv:2:1: error: met 'from,to'"));
}
