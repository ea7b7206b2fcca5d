// Which arrival at a switch a departure continues, under each rule of switches.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "model/collective.h"
#include "model/fabric_notation.h"
#include "model/limits/work.h"
#include "motion/packets_in_switches.h"

namespace {

using namespace quadrille;

struct SwitchStep {
  std::vector<std::uint64_t> out;  // packets
  std::vector<std::uint64_t> in;
};

// The arrivals that departures continue, in their order; 0: the switch does not have the packet.
std::vector<std::uint32_t> continued(const std::string& rule, const char* collective,
                                     const std::vector<SwitchStep>& steps, bool keep = true) {
  const Fabric fabric = parse_fabric({"test", "star:4" + rule}, 0).value();
  const Collective kind = parse_collective({"test", collective}, 0, 4).value();
  const Limits limits;
  Work work(limits);
  PacketsInSwitches<std::uint32_t> packets(fabric, kind, work, keep);
  const NodeId hub(4);
  std::vector<std::uint32_t> result;
  std::uint32_t now = 1;
  for (const SwitchStep& step : steps) {
    for (const std::uint64_t packet : step.out) {
      const std::uint32_t* arrival = packets.leave(hub, ChunkId(packet));
      result.push_back(arrival == nullptr ? 0 : *arrival);
    }
    packets.end_departures();
    for (const std::uint64_t packet : step.in) {
      const auto [arrival, is_new] = packets.arrive(hub, ChunkId(packet));
      if (is_new || packets.copy()) *arrival = now;
    }
    ++now;
  }
  return result;
}

using Continued = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("switches that copy continue the latest arrival, as often as they like") {
  const std::vector<SwitchStep> steps = {{{}, {7}}, {{7, 8}, {}}, {{7}, {7}}, {{7}, {}}};
  CHECK(continued("", "allgather", steps) == Continued{1, 0, 1, 3});
  CHECK(continued(",switches=reduce", "allgather", steps) == Continued{1, 0, 1, 3});
}

TEST_CASE("a packet that is not kept leaves in one step alone") {
  CHECK(continued("", "allgather", {{{}, {7}}, {{7, 7}, {}}, {{7}, {}}}, false) == Continued{1, 1, 0});
}

TEST_CASE("switches that forward continue each arrival once, the first first") {
  CHECK(continued(",switches=forward", "allgather",
                  {{{}, {7, 8}}, {{7}, {7}}, {{}, {7, 7}}, {{7, 8, 7, 7, 7}, {8}}, {{8}, {}}}) ==
        Continued{1, 2, 1, 3, 3, 0, 4});
}

TEST_CASE("switches that reduce continue what has joined for a target and part, until it has left") {
  const Collective sum = parse_collective({"test", "allreduce"}, 0, 4).value();
  const std::uint64_t zero = sum.chunk({0, 3, 0})->value;
  const std::uint64_t one = sum.chunk({1, 3, 0})->value;
  CHECK(continued(",switches=reduce", "allreduce",
                  {{{}, {zero}}, {{}, {one}}, {{one, zero}, {zero}}, {{one, one}, {}}, {{one}, {}}}) ==
        Continued{1, 1, 3, 3, 0});
}
