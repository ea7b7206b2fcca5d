#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "model/containers/packet_table.h"
#include "model/fabric_notation.h"
#include "model/topologies/fat_tree.h"
#include "model/topologies/graph.h"
#include "model/topologies/grid.h"
#include "model/topologies/star.h"
#include "runtime/queue_meter.h"
#include "runtime/replay.h"
#include "tests/verifier/stopping_rows.h"

namespace {

using namespace quadrille;
using StepRow = StoredRows::StepRow;

// Hops are written as (step, "from", "to", lane, origin, target).
struct Hop {
  std::uint32_t step;
  const char* from;
  const char* to;
  std::uint32_t lane;
  std::uint32_t origin, target;
};

Fabric tree(std::vector<std::uint32_t> capacities, Rules rules = {}) {
  return *Fabric::make(FatTree(2, std::move(capacities)), rules);
}

Fabric ring(std::uint32_t n, Rules rules = {}) { return *Fabric::make(Grid("ring", {n}, 1), rules); }

Collective collective(CollectiveKind kind, std::uint32_t n, bool ordered = false) {
  CollectiveDescription description;
  description.kind = kind;
  description.operation = ordered ? Operation::ordered : Operation::commutative;
  return *Collective::make(description, n);
}

SendTable table(const Fabric& fabric, const Collective& what, const std::vector<Hop>& hops) {
  std::vector<StepRow> rows;
  for (const Hop& hop : hops) {
    const auto channel = fabric.channel_between(*fabric.node_named(hop.from), *fabric.node_named(hop.to));
    const bool for_everyone = what.kind() == CollectiveKind::broadcast || what.kind() == CollectiveKind::allgather;
    const auto chunk = what.chunk(for_everyone ? ChunkName{hop.origin, {}} : ChunkName{hop.origin, hop.target});
    rows.push_back({StepId(hop.step), Row{channel.value(), LaneId(hop.lane), chunk.value()}});
  }
  return {fabric, what, "test", {}, std::make_shared<StoredRows>(std::move(rows))};
}

// The two of a two-leaf tree change their packets.
std::vector<Hop> swap_of_two() {
  return {{1, "0", "1.0", 0, 0, 1}, {1, "1", "1.0", 0, 1, 0}, {2, "1.0", "1", 0, 0, 1}, {2, "1.0", "0", 0, 1, 0}};
}

Measurements replay_swap(std::vector<Hop> hops, Rules rules = {}) {
  return replay(table(tree({1}, rules), collective(CollectiveKind::total_exchange, 2), hops));
}

std::string first_fault(const Measurements& measured) {
  return measured.faults.empty() ? "" : measured.faults.front().message;
}

}  // namespace

TEST_CASE("rounds are replayed message by message") {
  const Fabric star = *parse_fabric({"", "star:3,ports=single,timing=rounds"}, 0);
  const auto replayed = [&](const std::vector<Hop>& hops, const std::vector<MessageId>& messages) {
    const SendTable in_rows = table(star, collective(CollectiveKind::broadcast, 3), hops);
    return replay({star, in_rows.collective, "test", {}, std::make_shared<StoredRows>(all_rows(in_rows), messages)});
  };
  const std::vector<Hop> tree{{1, "0", "1.0", 0, 0, 0}, {1, "1.0", "1", 0, 0, 0}, {1, "1.0", "2", 0, 0, 0}};
  const Measurements whole = replayed(tree, {MessageId(0), MessageId(0), MessageId(0)});
  CHECK(whole.verdict == Verdict::holds);
  CHECK(whole.volume == 1);
  CHECK(whole.hops == 2);
  CHECK(whole.messages == 1);
  CHECK(first_fault(replayed(tree, {MessageId(0), MessageId(1), MessageId(1)})) ==
        "packet 0->* is not at 1.0 when round 1 begins");
  CHECK(first_fault(replayed({{1, "0", "1.0", 0, 0, 0}, {1, "1.0", "0", 0, 0, 0}}, {MessageId(7), MessageId(7)})) ==
        "message 7 of round 1 is none: its packets do not cross the same channels, or these are no tree");
}

TEST_CASE("off trees the busiest links are named, the most rows a lane first") {
  const Fabric four = ring(4);
  const auto rows = [&](std::vector<Hop> hops) {
    return replay(table(four, collective(CollectiveKind::total_exchange, 4), std::move(hops)));
  };
  const Measurements measured = rows({{1, "1", "2", 0, 1, 2},
                                      {2, "0", "1", 0, 0, 1},
                                      {3, "0", "1", 0, 0, 2},
                                      {4, "1", "2", 0, 0, 2},
                                      {4, "2", "3", 0, 2, 3}});
  REQUIRE(measured.busiest_links.size() == 3);
  CHECK(four.name(measured.busiest_links[0].channel) == "0->1");
  CHECK(measured.busiest_links[0].rows == 2);
  CHECK(measured.busiest_links[0].lanes == 1);
  CHECK(four.name(measured.busiest_links[1].channel) == "1->2");
  CHECK(four.name(measured.busiest_links[2].channel) == "2->3");
  CHECK(replay_swap(swap_of_two()).busiest_links.empty());
}

TEST_CASE("a correct table is carried out and measured") {
  const Measurements measured = replay_swap(swap_of_two());
  CHECK(measured.verdict == Verdict::holds);
  CHECK(measured.steps == 2);
  CHECK(measured.rows == 4);
  CHECK(measured.messages == 2);
  CHECK(measured.delivered == 2);
  CHECK(measured.demanded == 2);
  CHECK(measured.max_queue == 0);
  REQUIRE(measured.use.size() == 2);
  CHECK(measured.use[0].level == 1);
  CHECK_FALSE(measured.use[0].down);
  CHECK(measured.use[0].lanes == 2);
  CHECK(measured.use[0].busiest == 2);
  CHECK(measured.use[0].over_time == std::vector<std::uint64_t>{2, 0});
  CHECK(measured.use[1].over_time == std::vector<std::uint64_t>{0, 2});
}

TEST_CASE("an empty table delivers nothing") {
  const Measurements measured = replay_swap({});
  CHECK(measured.verdict == Verdict::violated);
  CHECK(measured.steps == 0);
  CHECK(measured.fault_count == 2);
  CHECK(first_fault(measured) == "packet 0->1 is never delivered to 1");
}

TEST_CASE("each kind of fault is described") {
  auto hops = swap_of_two();
  SUBCASE("a packet that is not there yet") {
    hops[2].step = 1;
    CHECK(first_fault(replay_swap(hops)) == "packet 0->1 is not at 1.0 when step 1 begins");
  }
  SUBCASE("a lane that does not exist") {
    hops[0].lane = 1;
    CHECK(first_fault(replay_swap(hops)) == "channel 0->1.0 has no lane 1, its capacity is 1");
  }
  SUBCASE("two packets on one lane") {
    hops.push_back(hops[0]);
    CHECK(first_fault(replay_swap(hops)) == "lane 0 of channel 0->1.0 is taken already in step 1");
  }
  SUBCASE("half duplex") {
    hops[1].step = 2;
    hops[3].step = 3;
    CHECK(replay_swap(hops).verdict == Verdict::holds);
    Rules half;
    half.duplex = Duplex::half;
    CHECK(first_fault(replay_swap(hops, half)) == "half-duplex link 1->1.0 carries more than 1 packet in step 2");
  }
  SUBCASE("a queue that is too long") {
    hops[2].step = 3;
    Rules none;
    none.queue.limit = 0;
    CHECK(first_fault(replay_swap(hops, none)) == "switch 1.0 buffers 1 packet in step 2, 0 allowed");
  }
}

TEST_CASE("single ports send and receive once a step, in half duplex either") {
  const Collective exchange = collective(CollectiveKind::total_exchange, 3);
  const std::vector<Hop> shift = {{1, "0", "1", 0, 0, 1}, {1, "1", "2", 0, 1, 2}};
  const std::vector<Hop> fork = {{1, "0", "1", 0, 0, 1}, {1, "0", "2", 0, 0, 2}};
  Rules rules;
  const auto port_faults = [&](const std::vector<Hop>& hops) {
    const auto faults = replay(table(ring(3, rules), exchange, hops)).faults;
    return std::count_if(faults.begin(), faults.end(),
                         [](const Fault& fault) { return fault.message.find("single") != std::string::npos; });
  };
  CHECK(port_faults(fork) == 0);
  rules.ports = Ports::single;
  CHECK(port_faults(fork) == 1);
  CHECK(port_faults(shift) == 0);
  rules.duplex = Duplex::half;
  CHECK(port_faults(shift) == 1);
}

TEST_CASE("in half duplex a link that goes one way has its lanes to itself") {
  Graph graph{2, {}, {{NodeId(0), NodeId(1), 2}}};
  const Fabric fabric = Fabric::make(std::move(graph), {.duplex = Duplex::half}).value();
  const Collective two = parse_collective({"", "broadcast:parts=2"}, 0, 2).value();
  std::vector<StoredRows::StepRow> rows;
  for (std::uint32_t part = 0; part < 2; ++part) {
    rows.push_back({StepId(1), {ChannelId(0), LaneId(part), two.chunk({0, std::nullopt, part}).value()}});
  }
  CHECK(replay({fabric, two, "", {}, std::make_shared<StoredRows>(std::move(rows))}).verdict == Verdict::holds);
}

TEST_CASE("queues are measured at switches and at their channels") {
  // Both packets for 1 meet at 2.0's right child, one waits; the queue at 1.0 is that of the channel to leaf 1.
  const Fabric fabric = tree({1, 2});
  const Measurements measured = replay(table(fabric, collective(CollectiveKind::total_exchange, 4),
                                             {{1, "2", "1.1", 0, 2, 1},
                                              {1, "3", "1.1", 0, 3, 1},
                                              {2, "1.1", "2.0", 0, 2, 1},
                                              {2, "1.1", "2.0", 1, 3, 1},
                                              {3, "2.0", "1.0", 0, 2, 1},
                                              {3, "2.0", "1.0", 1, 3, 1},
                                              {4, "1.0", "1", 0, 2, 1},
                                              {7, "1.0", "1", 0, 3, 1}}));
  CHECK(measured.max_queue == 1);
  CHECK(measured.queue_by_level == std::vector<std::uint64_t>{0, 1, 0});
  CHECK(measured.channel_queue_by_level == std::vector<std::uint64_t>{0, 1, 0});
  CHECK(measured.delivered == 2);
}

TEST_CASE("a packet that is copied makes the replay begin again, exactly") {
  // 0->1 reaches 1 and then, copied by the switch, 0 again: nothing is wrong with it.
  auto hops = swap_of_two();
  hops.push_back({3, "1.0", "0", 0, 0, 1});
  const Measurements measured = replay_swap(hops);
  CHECK(measured.verdict == Verdict::holds);
  CHECK(measured.rows == 5);
  CHECK(measured.max_queue == 1);
}

TEST_CASE("a switch may send one arriving packet on through several channels") {
  const Fabric star = *Fabric::make(Star(3, 1), {});
  const Measurements measured =
      replay(table(star, collective(CollectiveKind::broadcast, 3),
                   {{1, "0", "1.0", 0, 0, 0}, {2, "1.0", "1", 0, 0, 0}, {4, "1.0", "2", 0, 0, 0}}));
  CHECK(measured.verdict == Verdict::holds);
  CHECK(measured.max_queue == 1);
  CHECK(measured.delivered == 2);
}

TEST_CASE("partial reductions are joined at their targets") {
  const Collective sum = collective(CollectiveKind::reduce, 3);
  CHECK(replay(table(ring(3), sum, {{1, "1", "0", 0, 1, 0}, {1, "2", "0", 0, 2, 0}})).verdict == Verdict::holds);
  CHECK(replay(table(ring(3), sum, {{1, "1", "2", 0, 1, 2}, {2, "2", "0", 0, 2, 0}})).verdict == Verdict::holds);
  const auto once = replay(table(ring(3), sum, {{1, "1", "0", 0, 1, 0}}));
  CHECK(first_fault(once) == "processor 0 does not end with the contributions 0 to 2 of value 0");
  const auto twice =
      replay(table(ring(3), sum, {{1, "1", "2", 0, 1, 2}, {2, "2", "0", 0, 2, 0}, {2, "1", "0", 0, 1, 0}}));
  CHECK(first_fault(twice) == "a contribution is counted twice: packet 2->0 at processor 0");
}

TEST_CASE("an ordered operation joins neighbours only") {
  const Collective product = collective(CollectiveKind::reduce, 3, true);
  const auto gap = replay(table(ring(3), product, {{1, "2", "0", 0, 2, 0}, {2, "1", "0", 0, 1, 0}}));
  CHECK(gap.fault_count == 1);
  CHECK(first_fault(gap) == "the partial reduction at processor 0 has a gap after step 1");
  CHECK(replay(table(ring(3), product, {{1, "2", "1", 0, 2, 1}, {2, "1", "0", 0, 1, 0}})).verdict == Verdict::holds);
}

TEST_CASE("time is cut into at most so many buckets") {
  auto hops = swap_of_two();
  hops[2].step = hops[3].step = 1000;
  ReplayOptions options;
  options.buckets = 10;
  const auto measured = replay(table(tree({1}), collective(CollectiveKind::total_exchange, 2), hops), options);
  CHECK(measured.steps_per_bucket == 128);
  CHECK(measured.use[0].over_time == std::vector<std::uint64_t>{2, 0, 0, 0, 0, 0, 0, 0});
  CHECK(measured.use[1].over_time == std::vector<std::uint64_t>{0, 0, 0, 0, 0, 0, 0, 2});
}

TEST_CASE("a table that needs more memory than allowed gets no verdict") {
  ReplayOptions options;
  options.limits.memory = 100;
  const auto measured = replay(table(tree({1}), collective(CollectiveKind::total_exchange, 2), swap_of_two()), options);
  CHECK(measured.verdict == Verdict::unknown);
  CHECK(measured.reason == Reason::limit);
  CHECK_FALSE(measured.why.empty());
}

TEST_CASE("what a replay costs follows the rows, not the parts that the collective declares") {
  for (const std::string text :
       {"gather:root=0,parts=4294967295", "allgather:parts=1000000000", "reduce:root=0,parts=4294967295",
        "allreduce:parts=1000000000", "prefix:parts=1000000000", "reduce_scatter:parts=1000000000"}) {
    CAPTURE(text);
    const auto fabric = parse_fabric({"", "ring:4"}, 0).value();
    const auto many = parse_collective({"", text}, 0, 4).value();
    const ChannelId channel = *fabric.channel_between(NodeId(1), NodeId(0));
    std::vector<StoredRows::StepRow> rows{{StepId(1), Row{channel, LaneId(0), *many.default_chunk(1, 0, 0)}}};
    ReplayOptions options;
    options.limits.memory = std::uint64_t{64} << 20;
    const auto measured = replay({fabric, many, "", {}, std::make_shared<StoredRows>(rows)}, options);
    CHECK(measured.verdict == Verdict::violated);
    const std::uint64_t met = !many.combining() ? 1 : text.starts_with("prefix") ? many.values() - 1 : 0;
    CHECK(measured.demanded == many.demands());
    CHECK(measured.delivered == met);
    CHECK(measured.fault_count == many.demands() - met);
  }
}

TEST_CASE("a replay that the time limit ends gets no verdict") {
  ReplayOptions options;
  options.limits.deadline = Limits::Clock::now();
  const auto measured = replay(table(tree({1}), collective(CollectiveKind::total_exchange, 2), swap_of_two()), options);
  CHECK(measured.verdict == Verdict::unknown);
  CHECK(measured.reason == Reason::timeout);
  CHECK_FALSE(measured.why.empty());
}

// The last row is wrong, and nobody gets there.
TEST_CASE("a stop ends the replay of one large step, whatever carries its packets") {
  for (const std::string what : {"total_exchange", "allgather:parts=2", "allreduce"}) {
    CAPTURE(what);
    const auto fabric = parse_fabric({"", "line:4,capacity=200000"}, 0).value();
    const auto collective = parse_collective({"", what}, 0, 4).value();
    const ChunkId chunk = collective.default_chunk(0, 1, 0).value();
    const ChannelId first = fabric.channels_from(NodeId(0)).front();
    std::vector<Row> rows;
    for (std::uint32_t lane = 0; lane < 200'000; ++lane) rows.push_back({first, LaneId(lane), chunk});
    rows.push_back({fabric.reverse(first).value(), LaneId(0), chunk});
    const std::stop_source stop;
    ReplayOptions options;
    options.limits.stop = stop.get_token();
    const auto measured =
        replay({fabric, collective, "", {}, std::make_shared<tests::StoppingRows>(std::move(rows), stop)}, options);
    CHECK(measured.reason == Reason::cancelled);
    CHECK(measured.fault_count == 0);
  }
}

TEST_CASE("a replay that is ended is unknown, whatever it found until then") {
  const auto fabric = parse_fabric({"", "line:4,capacity=200000"}, 0).value();
  const auto collective = parse_collective({"", "total_exchange"}, 0, 4).value();
  const ChannelId first = fabric.channels_from(NodeId(0)).front();
  // All on one lane.
  std::vector<Row> rows(200'000, Row{first, LaneId(0), collective.default_chunk(0, 1, 0).value()});
  const std::stop_source stop;
  ReplayOptions options;
  options.limits.stop = stop.get_token();
  const auto measured =
      replay({fabric, collective, "", {}, std::make_shared<tests::StoppingRows>(std::move(rows), stop)}, options);
  CHECK(measured.verdict == Verdict::unknown);
  CHECK(measured.reason == Reason::cancelled);
  CHECK(measured.fault_count > 0);
  CHECK_FALSE(measured.faults.empty());
  CHECK(measured.why.find("until then") != std::string::npos);
}

// --- parts ----------------------------------------------------------------------------------------------------------

TEST_CASE("the peak meter finds the step with the most waits") {
  replaying::PeakMeter meter;
  CHECK(meter.peak() == 0);
  meter.add(1, 2);
  meter.add(2, 3);
  CHECK(meter.peak() == 2);
  CHECK(meter.peak_step() == 2);
  meter.add(3, 3);
  CHECK(meter.peak() == 2);
  meter.add(3, 3);
  CHECK(meter.peak() == 3);
  CHECK(meter.peak_step() == 3);
}

TEST_CASE("the peak meter agrees with counting") {
  std::uint32_t random = 12345;
  const auto below = [&](std::uint32_t bound) { return (random = random * 1664525u + 1013904223u) / 65536u % bound; };
  for (int round = 0; round < 300; ++round) {
    replaying::PeakMeter meter;
    std::vector<std::uint64_t> waits(200);
    for (std::uint32_t last = 1; last < waits.size(); last += below(4)) {
      const std::uint32_t first = last - below(std::min(last, 40u));
      meter.add(first, last);
      for (std::uint32_t step = first; step <= last; ++step) ++waits[step];
      REQUIRE(meter.peak() == *std::max_element(waits.begin(), waits.end()));
      REQUIRE(waits[meter.peak_step()] == meter.peak());
    }
  }
}

TEST_CASE("the packet table keeps what is inserted and not erased") {
  const Limits limits;
  Work work(limits);
  PacketTable<PlaceKey, std::uint32_t> packets(work);
  const auto key = [](std::uint32_t i) { return PlaceKey{i * std::uint64_t{1} << 20, i % 3}; };
  for (std::uint32_t i = 0; i < 5000; ++i) *packets.insert(key(i)).first = i;
  CHECK(packets.size() == 5000);
  CHECK_FALSE(packets.insert(key(17)).second);
  for (std::uint32_t i = 0; i < 5000; i += 2) packets.erase(key(i));
  CHECK(packets.size() == 2500);
  for (std::uint32_t i = 0; i < 5000; ++i) {
    const std::uint32_t* value = packets.find(key(i));
    REQUIRE((value != nullptr) == (i % 2 == 1));
    if (value) REQUIRE(*value == i);
  }
}
