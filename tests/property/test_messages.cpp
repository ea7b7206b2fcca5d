// The one view of a step's rows as messages (motion) equals what the reference reads by the page.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "model/limits/work.h"
#include "motion/step_messages.h"
#include "tests/environment.h"
#include "tests/reference/random_rounds.h"
#include "tests/reference/random_tables.h"
#include "tests/reference/round_messages.h"

namespace quadrille::test_messages {

using Ends = std::set<std::pair<std::uint32_t, std::uint32_t>>;                  // node, channel
using Hops = std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>>;  // channel, lane, chunk

std::string text(std::uint32_t round, const std::set<NodeId>& senders, const Ends& ends, const Hops& hops,
                 std::uint64_t length, std::uint64_t longest) {
  std::string text = fmt::format("round {}, length {}, longest {}: from", round, length, longest);
  for (const NodeId sender : senders) text += fmt::format(" {}", sender.value);
  text += " to";
  for (const auto& [node, channel] : ends) text += fmt::format(" {} by {}", node, channel);
  text += " along";
  for (const auto& [channel, lane, chunk] : hops) text += fmt::format(" {}.{} with {}", channel, lane, chunk);
  return text;
}

std::string text_of(const reference::RoundMessage& message, const Collective& collective) {
  Ends ends;
  for (const auto& end : message.ends) ends.emplace(end.receiver.value, end.channel.value);
  Hops hops;
  for (const auto& [channel, lane] : message.ways) {
    for (const ChunkId chunk : message.chunks) {
      const ChunkName name = collective.name(chunk);
      const auto joining = message.joining.find({channel, {name.target.value_or(0), name.part}});
      if (!message.joins || (joining != message.joining.end() && joining->second == chunk)) {
        hops.emplace(channel.value, lane, chunk.value);
      }
    }
  }
  return text(message.round, message.senders, ends, hops, message.length, message.longest);
}

std::string text_of(const Message& message, const StepRows& batch) {
  std::set<NodeId> senders;
  for (const Message::End& from : message.from) senders.insert(from.node);
  Ends ends;
  for (const Message::End& to : message.to) ends.emplace(to.node.value, message.hops[to.hop].channel.value);
  Hops hops;
  for (std::uint32_t packet = 0; packet < message.packets; ++packet) {
    for (std::uint32_t hop = 0; hop < message.hops.size(); ++hop) {
      const Row& row = batch.rows[message.row(packet, hop)];
      hops.emplace(message.hops[hop].channel.value, message.hops[hop].lane.value, row.chunk.value);
      CHECK(row.channel == message.hops[hop].channel);
      CHECK(row.lane == message.hops[hop].lane);
    }
  }
  return text(batch.step.value, senders, ends, hops, message.packets, message.longest);
}

// From the leaves to the root.
void check_inwards(const Message& message, const Fabric& fabric) {
  REQUIRE(message.inwards.size() == message.hops.size());
  std::set<NodeId> done;
  for (const std::uint32_t hop : message.inwards) {
    const Channel& channel = fabric.channel(message.hops[hop].channel);
    CHECK(!done.contains(message.joins() ? channel.to : channel.from));
    done.insert(message.joins() ? channel.from : channel.to);
  }
}

struct Counts {
  std::uint64_t messages = 0, trees = 0, joining = 0, ill_formed = 0;
};

void compare(const SendTable& table, Counts& counts) {
  std::vector<std::string> expected, met;
  const reference::RoundMessages by_page = reference::messages_of(table);
  for (const auto& message : by_page.all) expected.push_back(text_of(message, table.collective));
  const Limits limits;
  Work work(limits);
  StepMessages view(table.fabric, table.collective, work);
  std::uint64_t ill_formed = 0;
  const auto cursor = table.rows->open();
  while (const auto batch = cursor->next()) {
    for (const Message& message : view.read(*batch)) {
      met.push_back(text_of(message, *batch));
      check_inwards(message, table.fabric);
      counts.trees += message.to.size() > 1 ? 1 : 0;
      counts.joining += message.joins() ? 1 : 0;
    }
    ill_formed += view.ill_formed().size();
  }
  if (!table.fabric.in_rounds()) {  // the order does not matter everywhere
    std::sort(expected.begin(), expected.end());
    std::sort(met.begin(), met.end());
  }
  CHECK(met == expected);
  CHECK(ill_formed == by_page.ill_formed);
  counts.messages += met.size();
  counts.ill_formed += ill_formed;
}

}  // namespace quadrille::test_messages

TEST_CASE("a step's rows are the messages that the reference reads by the page") {
  using namespace quadrille::test_messages;
  using namespace quadrille;
  const std::uint64_t seed = reference::first_seed();
  Counts counts;
  for (std::uint64_t i = seed; i < seed + tests::share(6000); ++i) {
    CAPTURE(i);
    compare(i % 4 == 0 ? reference::random_table(i) : reference::random_rounds_table(i), counts);
  }
  MESSAGE(fmt::format("{} messages, {} along trees, {} join, {} are not well formed", counts.messages, counts.trees,
                      counts.joining, counts.ill_formed));
  CHECK(counts.trees > tests::share(100));
  CHECK(counts.joining > tests::share(50));
  CHECK(counts.ill_formed > tests::share(300));
}
