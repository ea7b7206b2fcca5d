// Retiming in rounds, of messages that no language made.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/fabric_notation.h"
#include "place/rounds/branching_messages.h"
#include "place/rounds/retime_rounds.h"
#include "place/rounds/unicasts.h"

namespace {

using namespace quadrille;

Fabric fabric_of(const std::string& text) { return parse_fabric({"test", text}, 0).value(); }

// The messages of an all-gather, each with a packet of one processor.
class Written {
 public:
  explicit Written(const Fabric& fabric)
      : fabric_(fabric), collective_(parse_collective({"test", "allgather"}, 0, fabric.processors()).value()) {}

  void add(std::uint32_t round, std::uint32_t from, std::uint32_t to, std::uint32_t origin) {
    const NodeId target(to);
    const ChunkId chunk = collective_.chunk({origin, std::nullopt, 0}).value();
    std::vector<ChannelId> path;
    Router(fabric_).append_route(NodeId(from), target, path);
    messages_.add({round, NodeId(from), std::span(&target, 1), path, std::span(&chunk, 1)});
  }

  WrittenRounds rounds() const {
    return {fabric_, collective_, [this](const WrittenRounds::Visit& visit) {
              for (std::size_t i = 0; i < messages_.size(); ++i) visit(messages_.at(i));
            }};
  }

 private:
  const Fabric& fabric_;
  Collective collective_;
  MessageList messages_;
};

// "1,2: 3" for each message: its receivers, and how many channels it has.
std::string branches(const std::string& text, const std::vector<NodeId>& targets) {
  const Fabric fabric = fabric_of(text);
  const Router router(fabric);
  BranchingMessages messages(fabric, router, true);
  std::string result;
  for (const BranchingMessage& message : messages.of(NodeId(0), targets)) {
    for (const NodeId receiver : message.receivers) result += fmt::format("{} ", receiver.value);
    result += fmt::format("by {}\n", message.channels.size());
  }
  return result;
}

}  // namespace

TEST_CASE("messages leave in the first round in which there is room and their packets have come") {
  const Fabric star = fabric_of("star:4,timing=rounds");
  Written written(star);
  written.add(2, 0, 1, 0);
  written.add(3, 1, 2, 0);
  written.add(4, 3, 0, 3);
  const RetimedRounds placed = retime_rounds(written.rounds(), star, {}, nullptr);
  std::string rounds;
  for (std::size_t i = 0; i < placed.messages.size(); ++i) {
    const MadeMessage message = placed.messages.at(i);
    rounds += fmt::format("{}: {} -> {}\n", message.round, message.sender.value, message.receivers[0].value);
  }
  CHECK(rounds == "1: 0 -> 1\n1: 3 -> 0\n2: 1 -> 2\n");
  CHECK(placed.as == "whole messages");
}

TEST_CASE("without messages nothing is placed") {
  const Fabric star = fabric_of("star:4,timing=rounds");
  const RetimedRounds placed = retime_rounds(Written(star).rounds(), star, {}, nullptr);
  CHECK(placed.messages.size() == 0);
  CHECK(placed.as.empty());
}

TEST_CASE("a round of messages is a step of sends between all processors") {
  const Fabric star = fabric_of("star:4,timing=rounds");
  Written written(star);
  written.add(2, 0, 1, 0);
  written.add(3, 1, 2, 0);
  const Unicasts unicasts = unicasts_of(written.rounds(), {});
  REQUIRE(unicasts.flights.list.size() == 2);
  CHECK(unicasts.fabric.channels() == 12);
  CHECK(unicasts.flights.departure(unicasts.flights.list[0]) == 2);
  CHECK(unicasts.flights.departure(unicasts.flights.list[1]) == 3);
  CHECK(unicasts.flights.last_step() == 3);
}

TEST_CASE("a message to several branches at switches only") {
  CHECK(branches("star:4", {NodeId(1), NodeId(2), NodeId(3)}) == "1 2 3 by 4\n");
  CHECK(branches("ring:5", {NodeId(1), NodeId(2), NodeId(4)}) == "1 by 1\n4 by 1\n2 by 2\n");
}
