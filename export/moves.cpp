// From the rows of a round to its messages: their ends, and their chunks.
//
// For example, the rows 0->s, s->1 and s->2 of chunk c, all of message 7, are two moves of c, from 0 to 1 and from 0
// to 2. The root of the tree is the node that no row enters; leaves are those that no row leaves. Cost: rows ·
// log(rows).
#include "export/moves.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

namespace quadrille::exporting {
namespace {

class RoundMessage {
 public:
  RoundMessage(const SendTable& table, MessageId number) : table_(table), number_(number) {}

  void add(const Row& row) {
    ++rows_;
    chunks_.push_back(row.chunk);
    const auto [place, added] = lanes_.emplace(row.channel, row.lane);
    one_lane_ = one_lane_ && place->second == row.lane;
  }

  // Adds its moves; false if it is not well formed (model/MODEL.md, Rounds).
  bool append_to(std::vector<Move>& moves) {
    std::sort(chunks_.begin(), chunks_.end());
    chunks_.erase(std::unique(chunks_.begin(), chunks_.end()), chunks_.end());
    if (!one_lane_ || rows_ != chunks_.size() * lanes_.size()) return false;
    for (const auto& [channel, lane] : lanes_) {
      const Channel& it = table_.fabric.channel(channel);
      if (!into_.emplace(it.to, channel).second) return false;
      out_.emplace(it.from, channel);
    }
    return is_a_tree() && append_leaves(moves);
  }

 private:
  // One root, and every channel's beginning is the root or is entered: with as many channels as nodes but one, a tree.
  bool is_a_tree() {
    std::size_t roots = 0;
    for (auto it = out_.begin(); it != out_.end(); it = out_.upper_bound(it->first)) {
      const bool branches = out_.count(it->first) > 1;
      if (branches && (table_.fabric.is_processor(it->first) || table_.collective.combining())) return false;
      if (into_.contains(it->first)) continue;
      ++roots;
      root_ = it->first;
    }
    return roots == 1 && lanes_.size() == into_.size() && reaches_all();
  }

  // From each node that is entered back to the root.
  bool reaches_all() const {
    for (const auto& [node, channel] : into_) {
      NodeId at = node;
      for (std::size_t hops = 0; at != root_; ++hops) {
        const auto before = into_.find(at);
        if (before == into_.end() || hops > into_.size()) return false;
        at = table_.fabric.channel(before->second).from;
      }
    }
    return true;
  }

  bool append_leaves(std::vector<Move>& moves) const {
    for (const auto& [node, channel] : into_) {
      if (out_.contains(node)) continue;
      ChannelId first = channel;
      while (table_.fabric.channel(first).from != root_) first = into_.at(table_.fabric.channel(first).from);
      for (const ChunkId chunk : chunks_) {
        moves.push_back({root_, node, first, channel, lanes_.at(first), lanes_.at(channel), chunk, number_});
      }
    }
    return true;
  }

  const SendTable& table_;
  MessageId number_;
  std::size_t rows_ = 0;
  bool one_lane_ = true;
  std::vector<ChunkId> chunks_;
  std::map<ChannelId, LaneId> lanes_;
  std::map<NodeId, ChannelId> into_;
  std::multimap<NodeId, ChannelId> out_;
  NodeId root_;
};

}  // namespace

namespace {

// The common case: all rows of a message on one lane of one channel. False if they are not.
bool append_direct(const StepRows& step, std::span<const std::uint32_t> rows, MessageId number, const SendTable& table,
                   std::vector<Move>& moves) {
  const Row& first = step.rows[rows.front()];
  const bool direct = std::all_of(rows.begin(), rows.end(), [&](std::uint32_t i) {
    return step.rows[i].channel == first.channel && step.rows[i].lane == first.lane;
  });
  if (!direct) return false;
  const Channel& channel = table.fabric.channel(first.channel);
  for (const std::uint32_t i : rows) {
    moves.push_back(
        {channel.from, channel.to, first.channel, first.channel, first.lane, first.lane, step.rows[i].chunk, number});
  }
  return true;
}

bool append_message(const StepRows& step, std::span<const std::uint32_t> rows, MessageId number, const SendTable& table,
                    std::vector<Move>& moves) {
  if (append_direct(step, rows, number, table, moves)) return true;
  RoundMessage message(table, number);
  for (const std::uint32_t i : rows) message.add(step.rows[i]);
  return message.append_to(moves);
}

}  // namespace

std::optional<std::string> moves_of_round(const StepRows& step, const SendTable& table, std::vector<Move>& moves) {
  moves.clear();
  std::vector<std::uint32_t> order(step.rows.size());
  std::iota(order.begin(), order.end(), 0U);
  const bool numbered = !step.messages.empty();
  if (numbered) {
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return step.messages[a] < step.messages[b]; });
  }
  for (std::size_t begin = 0; begin < order.size();) {
    const MessageId number = numbered ? step.messages[order[begin]] : MessageId(static_cast<std::uint32_t>(begin));
    std::size_t end = begin + 1;
    while (numbered && end < order.size() && step.messages[order[end]] == number) ++end;
    if (!append_message(step, std::span(order).subspan(begin, end - begin), number, table, moves)) {
      return fmt::format("message {} of round {} is not well formed", number.value, step.step.value);
    }
    begin = end;
  }
  std::sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) {
    return std::tie(a.channel, a.lane, a.chunk, a.message) < std::tie(b.channel, b.lane, b.chunk, b.message);
  });
  const auto twice = std::adjacent_find(moves.begin(), moves.end(), [](const Move& a, const Move& b) {
    return std::tie(a.channel, a.lane, a.chunk, a.message) == std::tie(b.channel, b.lane, b.chunk, b.message);
  });
  if (twice == moves.end()) return std::nullopt;
  return fmt::format("message {} of round {} is not well formed", twice->message.value, step.step.value);
}

}  // namespace quadrille::exporting
