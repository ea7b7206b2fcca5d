// Each paragraph of "Form" is a function.
#include "tests/reference/round_messages.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace quadrille::reference {

namespace {

// A row, and what it says of words.
struct Said : Row {
  ReductionUse words;
};
using Rows = std::vector<Said>;

std::set<std::pair<ChannelId, std::uint32_t>> ways_of(const Rows& rows, ChunkId chunk) {
  std::set<std::pair<ChannelId, std::uint32_t>> ways;
  for (const Said& row : rows) {
    if (row.chunk == chunk) ways.emplace(row.channel, row.lane.value);
  }
  return ways;
}

// "Each of its chunks crosses each of its channels in exactly one row, and all its rows on a channel name the same
// lane."
bool chunks_alike(const Rows& rows, const RoundMessage& message) {
  std::set<ChannelId> channels;
  for (const auto& way : message.ways) channels.insert(way.first);
  if (channels.size() != message.ways.size()) return false;
  if (rows.size() != message.chunks.size() * channels.size()) return false;
  return std::all_of(message.chunks.begin(), message.chunks.end(),
                     [&](ChunkId chunk) { return ways_of(rows, chunk) == message.ways; });
}

// "Its channels form a tree that is rooted at one node, the sender, and branches at switches only, and in copying
// collectives only."
bool find_tree(const SendTable& table, RoundMessage& message) {
  std::map<NodeId, std::vector<std::pair<ChannelId, std::uint32_t>>> out;
  std::map<NodeId, int> into;
  for (const auto& way : message.ways) {
    const Channel& channel = table.fabric.channel(way.first);
    out[channel.from].push_back(way);
    ++into[channel.to];
  }
  std::optional<NodeId> root;
  for (const auto& [node, ways] : out) {
    const bool may_branch =
        !table.fabric.is_processor(node) && !table.collective.combining() && !table.fabric.switches_forward();
    if (ways.size() > 1 && !may_branch) return false;
    if (into.contains(node)) continue;
    if (root) return false;
    root = node;
  }
  if (!root) return false;
  for (const auto& [node, times] : into) {
    if (times > 1) return false;
  }
  message.senders = {*root};
  message.length = message.chunks.size();
  std::map<NodeId, std::uint64_t> depth{{*root, 0}};
  for (bool more = true; more;) {
    more = false;
    for (const auto& way : message.ways) {
      const Channel& channel = table.fabric.channel(way.first);
      if (!depth.contains(channel.from) || depth.contains(channel.to)) continue;
      depth[channel.to] = depth[channel.from] + 1;
      more = true;
      if (!out.contains(channel.to)) {
        message.ends.push_back({channel.to, way.first, way.second});
        message.longest = std::max(message.longest, depth[channel.to]);
      }
    }
  }
  return depth.size() == message.ways.size() + 1;
}

// "Of each of its (target, part) exactly one row, whatever origin that names, crosses each of its channels, and all its
// rows on a channel name the same lane."
bool wanted_alike(const SendTable& table, const Rows& rows, RoundMessage& message) {
  std::set<ChannelId> channels;
  for (const auto& way : message.ways) channels.insert(way.first);
  if (channels.size() != message.ways.size()) return false;
  std::set<Wanted> all;
  for (const Said& row : rows) {
    const ChunkName name = table.collective.name(row.chunk);
    const Wanted wanted{*name.target, name.part};
    all.insert(wanted);
    if (!message.joining.emplace(std::pair(row.channel, wanted), row.chunk).second) return false;
  }
  message.length = all.size();
  return rows.size() == all.size() * channels.size();
}

// "Its channels form a tree whose ways lead to one node, the receiver, by one channel into that, and meet at switches
// only. The leaves, at least two, are its senders."
bool find_joining_tree(const SendTable& table, RoundMessage& message) {
  std::map<NodeId, std::pair<ChannelId, std::uint32_t>> out;
  std::map<NodeId, int> into;
  for (const auto& way : message.ways) {
    const Channel& channel = table.fabric.channel(way.first);
    if (!out.emplace(channel.from, way).second) return false;
    ++into[channel.to];
  }
  for (const auto& [node, times] : into) {
    if (times > 1 && (table.fabric.is_processor(node) || !out.contains(node))) return false;
    if (out.contains(node)) continue;
    if (!message.ends.empty()) return false;
    for (const auto& [channel, lane] : message.ways) {
      if (table.fabric.channel(channel).to == node) message.ends.push_back({node, channel, lane});
    }
  }
  if (message.ends.empty()) return false;
  for (const auto& [node, way] : out) {
    if (!into.contains(node)) message.senders.insert(node);
    std::uint64_t depth = 0;
    for (NodeId at = node; out.contains(at); ++depth) {
      if (depth > message.ways.size()) return false;  // round and round
      at = table.fabric.channel(out.at(at).first).to;
    }
    message.longest = std::max(message.longest, depth);
  }
  return message.senders.size() > 1;
}

bool find_joins(const SendTable& table, const Rows& rows, RoundMessage& message) {
  message.joins = table.collective.combining() && table.fabric.switches_reduce();
  return message.joins && wanted_alike(table, rows, message) && find_joining_tree(table, message);
}

RoundMessage as_message(std::uint32_t round, const Rows& rows) {
  RoundMessage message;
  message.round = round;
  for (const Said& row : rows) {
    message.chunks.insert(row.chunk);
    message.ways.emplace(row.channel, row.lane.value);
    message.words[{row.chunk, row.channel}] = row.words;
  }
  return message;
}

void add_round(const SendTable& table, const StepRows& batch, RoundMessages& result) {
  std::map<MessageId, Rows> messages;
  std::vector<std::pair<MessageId, Said>> alone;
  for (std::size_t i = 0; i < batch.rows.size(); ++i) {
    const Said row{batch.rows[i], batch.uses.empty() ? ReductionUse{} : batch.uses[i]};
    if (batch.messages.empty()) {
      alone.emplace_back(MessageId{}, row);
    } else {
      messages[batch.messages[i]].push_back(row);
    }
  }
  for (const auto& [number, rows] : messages) {
    RoundMessage message = as_message(batch.step.value, rows);
    if (chunks_alike(rows, message) && find_tree(table, message)) {
      result.all.push_back(message);
      continue;
    }
    RoundMessage joining = as_message(batch.step.value, rows);
    if (find_joins(table, rows, joining)) {
      result.all.push_back(joining);
      continue;
    }
    ++result.ill_formed;
    for (const Said& row : rows) alone.emplace_back(number, row);
  }
  const auto order = [](const std::pair<MessageId, Said>& it) {
    return std::tuple(it.second.channel, it.second.lane, it.second.chunk, it.first);
  };
  std::stable_sort(alone.begin(), alone.end(), [&](const auto& a, const auto& b) { return order(a) < order(b); });
  for (const auto& [number, row] : alone) {
    RoundMessage message = as_message(batch.step.value, {row});
    find_tree(table, message);
    result.all.push_back(message);
  }
}

}  // namespace

RoundMessages messages_of(const SendTable& table) {
  RoundMessages result;
  const auto cursor = table.rows->open();
  while (const auto batch = cursor->next()) add_round(table, *batch, result);
  return result;
}

}  // namespace quadrille::reference
