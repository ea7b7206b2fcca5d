// The reference checker in rounds: messages and their rows, held and shared paths, ports, measures.
#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "tests/reference/judge.h"

namespace quadrille::reference {

// "With (message, chunk, receiver) for the row, the sender for its `from`, the receiver for its `to`, and the message's
// last channel, into the receiver, for the row's channel."
void Judge::read_messages() {
  messages_ = messages_of(table_);
  for (std::size_t number = 0; number < messages_.all.size(); ++number) {
    const RoundMessage& message = messages_.all[number];
    for (const auto& end : message.ends) {
      for (const ChunkId chunk : message.chunks) {
        if (!message.words.contains({chunk, end.channel})) continue;  // another packet stands for it there
        hops_.push_back({message.round, *message.senders.begin(), end.receiver, end.channel, end.lane, chunk, number,
                         message.joins});
        hops_.back().arrival = message.words.at({chunk, end.channel}).arrival;
        for (const auto& [channel, lane] : message.ways) {
          if (!message.joins && message.senders.contains(fabric_.channel(channel).from)) {
            hops_.back().sent = message.words.at({chunk, channel}).sent;
          }
        }
      }
    }
  }
  std::stable_sort(hops_.begin(), hops_.end(), [](const Hop& a, const Hop& b) {
    return std::tie(a.step, a.channel, a.lane, a.packet, a.message) <
           std::tie(b.step, b.channel, b.lane, b.packet, b.message);
  });
}

void Judge::judge_rounds() {
  found_.violations[well_formed] = messages_.ill_formed;
  for (const auto& [step, row] : all_rows(table_)) {
    ++found_.rows;
    found_.steps = std::max<std::uint64_t>(found_.steps, step.value);
    if (row.lane.value >= fabric_.channel(row.channel).capacity) violation(well_formed);
  }
  for (const RoundMessage& message : messages_.all) {
    if (processor(*message.senders.begin())) ++found_.messages;  // processors are numbered before switches
  }
  if (fabric_.rules().paths == Paths::held) judge_held_paths();
  if (fabric_.rules().ports == Ports::single) judge_message_ports();
  measure_rounds();
}

// (Round, channel, lane) used by more than one message; (round, channel) with more messages than its capacity; half
// duplex: (round, link).
void Judge::judge_held_paths() {
  std::map<std::tuple<Step, ChannelId, std::uint32_t>, std::uint32_t> on_lane;
  std::map<std::pair<Step, ChannelId>, std::uint32_t> on_channel;
  for (const RoundMessage& message : messages_.all) {
    for (const auto& [channel, lane] : message.ways) {
      ++on_lane[{message.round, channel, lane}];
      ++on_channel[{message.round, channel}];
    }
  }
  for (const auto& [key, count] : on_lane) {
    if (count > 1) violation(contention_free);
  }
  for (const auto& [key, count] : on_channel) {
    if (count > fabric_.channel(key.second).capacity) violation(capacity);
  }
  if (fabric_.rules().duplex == Duplex::half) judge_links(on_channel);
}

// (Round, processor) that sends more than one message; that receives more than one; in half duplex: one of each.
void Judge::judge_message_ports() {
  std::map<std::pair<Step, NodeId>, std::pair<int, int>> count;  // sent, received
  for (const RoundMessage& message : messages_.all) {
    for (const NodeId sender : message.senders) {
      if (processor(sender)) ++count[{message.round, sender}].first;
    }
    for (const auto& end : message.ends) {
      if (processor(end.receiver)) ++count[{message.round, end.receiver}].second;
    }
  }
  for (const auto& [key, counts] : count) {
    const auto [sent, received] = counts;
    if (sent > 1) violation(capacity);
    if (received > 1) violation(capacity);
    if (fabric_.rules().duplex == Duplex::half && sent == 1 && received == 1) violation(capacity);
  }
}

// The sums over all rounds of the longest message, or the largest ⌈load / capacity⌉; and of the longest way.
void Judge::measure_rounds() {
  std::map<Step, std::uint64_t> length, way, load;
  std::map<std::pair<Step, ChannelId>, std::uint64_t> rows;
  for (const RoundMessage& message : messages_.all) {
    length[message.round] = std::max<std::uint64_t>(length[message.round], message.length);
    way[message.round] = std::max(way[message.round], message.longest);
  }
  for (const auto& [step, row] : all_rows(table_)) {
    const auto back = fabric_.reverse(row.channel);
    const bool link = fabric_.rules().duplex == Duplex::half && back;
    ++rows[{step.value, link ? std::min(row.channel, *back) : row.channel}];
  }
  for (const auto& [key, count] : rows) {
    const std::uint64_t capacity = fabric_.channel(key.second).capacity;
    load[key.first] = std::max(load[key.first], (count + capacity - 1) / capacity);
  }
  if (fabric_.rules().paths == Paths::shared) measure_load();
  found_.volume = found_.hops = 0;
  for (const auto& [round, most] : way) *found_.hops += most;
  for (const auto& [round, most] : fabric_.rules().paths == Paths::held ? length : load) *found_.volume += most;
}

// The sum over all rounds of the most that any channel, or half-duplex link, has to carry, over a common denominator.
void Judge::measure_load() {
  std::uint64_t common = 1;
  for (const Channel& channel : fabric_.all_channels()) common = std::lcm(common, channel.capacity);
  std::map<Step, std::map<ChannelId, std::uint64_t>> load;
  for (const auto& [step, row] : all_rows(table_)) {
    const auto back = fabric_.rules().duplex == Duplex::half ? fabric_.reverse(row.channel) : std::nullopt;
    const ChannelId link = back ? std::min(row.channel, *back) : row.channel;
    load[step.value][link] += common / fabric_.channel(row.channel).capacity;
  }
  std::uint64_t all = 0;
  for (const auto& [round, links] : load) {
    std::uint64_t most = 0;
    for (const auto& [link, its] : links) most = std::max(most, its);
    all += most;
  }
  found_.load = Fraction(all, common);
}

}  // namespace quadrille::reference
