// Idea: a table's rows are gathered by message, and each message becomes one of the other collective: with its
// packets renamed, with its direction turned round, or as the message that brings a result from its sender to its
// receivers. The checker judges every result before it is used.
//
//   broadcast 0 -> 1, 2 by one message that branches at a switch; as the end of an allreduce: two messages
//
// Cost: a look at each row, in ordered maps.
#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "verifier/search/related.h"
#include "verifier/search/rounds/joins.h"
#include "verifier/search/time_reversal.h"

namespace quadrille::searching {
namespace {

struct Rows {
  std::vector<StoredRows::StepRow> rows;
  std::vector<MessageId> messages;  // by row

  void add(const SendTable& table, std::uint32_t later, const std::function<ChunkId(ChunkId)>& name) {
    const auto cursor = table.rows->open();
    while (const auto step = cursor->next()) {
      for (std::size_t i = 0; i < step->rows.size(); ++i) {
        const Row& row = step->rows[i];
        rows.push_back({StepId{step->step.value + later}, {row.channel, row.lane, name(row.chunk)}});
        const bool alone = step->messages.empty();
        messages.push_back(alone ? MessageId(static_cast<std::uint32_t>(i)) : step->messages[i]);
      }
    }
  }
};

SendTable table_of(const Fabric& fabric, const Collective& collective, std::string name, Rows rows) {
  auto stored = std::make_shared<StoredRows>(std::move(rows.rows), rows.messages);
  return {fabric, collective, std::move(name), {}, std::move(stored)};
}

struct RelatedMessage {
  std::set<std::pair<ChannelId, LaneId>> ways;
  std::set<ChunkId> chunks;
};

// The messages of the table, by round and number.
std::map<std::pair<std::uint32_t, MessageId>, RelatedMessage> messages_of(const SendTable& table) {
  Rows all;
  all.add(table, 0, [](ChunkId chunk) { return chunk; });
  std::map<std::pair<std::uint32_t, MessageId>, RelatedMessage> messages;
  for (std::size_t i = 0; i < all.rows.size(); ++i) {
    const auto& [step, row] = all.rows[i];
    RelatedMessage& it = messages[{step.value, all.messages[i]}];
    it.ways.emplace(row.channel, row.lane);
    it.chunks.insert(row.chunk);
  }
  return messages;
}

// The messages of a copying table: where each begins and ends, and which values it carries.
std::vector<DrawnMessage> drawn_messages(const SendTable& table) {
  std::vector<DrawnMessage> drawn;
  std::uint32_t number = 0;
  for (const auto& [key, message] : messages_of(table)) {
    std::set<NodeId> heads;
    std::set<NodeId> tails;
    for (const auto& [channel, lane] : message.ways) {
      heads.insert(table.fabric.channel(channel).to);
      tails.insert(table.fabric.channel(channel).from);
    }
    DrawnMessage it{key.first, number++, {}, {}, {message.ways.begin(), message.ways.end()}};
    for (const NodeId tail : tails) {
      if (!heads.contains(tail)) it.sender = tail;
    }
    std::ranges::set_difference(heads, tails, std::back_inserter(it.receivers));
    for (const ChunkId chunk : message.chunks) it.values.insert(table.collective.dual_value(chunk));
    drawn.push_back(std::move(it));
  }
  return drawn;
}

}  // namespace

SendTable renamed_table(const SendTable& table, const Collective& collective,
                        const std::function<ChunkId(ChunkId)>& name) {
  Rows rows;
  rows.add(table, 0, name);
  return table_of(table.fabric, collective, table.schedule, std::move(rows));
}

std::optional<SendTable> time_reversed_in_rounds(const SendTable& copying, const Collective& combining) {
  return time_reversed_table(copying.fabric, combining, copying.schedule, drawn_messages(copying));
}

std::optional<SendTable> joined_in_rounds(const SendTable& combining, const SendTable& copying,
                                          const Collective& allreduce, std::string name) {
  const Fabric& fabric = copying.fabric;
  std::vector<JoiningMessage> results;
  for (const DrawnMessage& drawn : drawn_messages(copying)) {
    for (const NodeId receiver : drawn.receivers) {
      if (!fabric.is_processor(drawn.sender) || !fabric.is_processor(receiver)) return std::nullopt;
      JoiningMessage it{drawn.round, receiver, tree_of(fabric, drawn, {receiver}), {}};
      for (const std::uint64_t value : drawn.values) {
        const auto packet = allreduce.chunk({drawn.sender.value, receiver.value, static_cast<std::uint32_t>(value)});
        if (!packet) return std::nullopt;
        it.packets[drawn.sender].push_back(*packet);
      }
      results.push_back(std::move(it));
    }
  }
  Rows rows;
  rows.add(combining, 0, [&](ChunkId chunk) { return allreduce.chunk(combining.collective.name(chunk)).value(); });
  const std::uint32_t later = combining.rows->last_step().value_or(StepId{0}).value;
  rows.add(joined_table(fabric, allreduce, name, std::move(results)), later, [](ChunkId chunk) { return chunk; });
  return table_of(fabric, allreduce, std::move(name), std::move(rows));
}

}  // namespace quadrille::searching
