// A step lasts for the start, its slowest path, and its slowest chunks, as if these belonged to one message. For
// example, a round has a message of 4 chunks over a link with 1 µs for a chunk, and one of 1 chunk over a link with 2
// µs. It lasts for the start and 4 µs. In it, the packets of the first message cross each of its channels one after
// another, for 1 µs each. Cost: linear in the rows, except for sorting a round's rows.
#include "runtime/times/step_times.h"

#include <algorithm>
#include <unordered_map>

#include "runtime/times/message_times.h"

namespace quadrille::replaying {

StepTimes::StepTimes(const SendTable& table, const ChannelTimes& times, Work& work)
    : table_(table),
      times_(times),
      messages_(table.fabric, table.collective, work),
      rounds_(table.fabric.in_rounds()),
      shared_(table.fabric.rules().shares_paths()),
      rows_(&work) {}

double StepTimes::length(const StepRows& batch) {
  longest_path_ = 0;
  double chunks = shared_ ? busiest(batch) : 0;
  read_ = messages_.read(batch);
  for (const Message& message : read_) {
    longest_path_ = std::max(longest_path_, slowest_path(message, table_.fabric, times_));
    if (!shared_) chunks = std::max(chunks, static_cast<double>(message.packets) * slowest_chunk(message, times_));
  }
  overheads_ = times_.overhead() > 0 ? overheads() : 0;
  return overheads_ + times_.start() + longest_path_ + chunks;
}

// What a processor takes for its messages, at the one that has the most to send or to receive.
double StepTimes::overheads() const {
  std::unordered_map<std::uint32_t, std::uint64_t> sent, received;  // by processor
  std::uint64_t most = 0;
  for (const Message& message : read_) {
    for (const Message::End& from : message.from) {
      if (table_.fabric.is_processor(from.node)) most = std::max(most, ++sent[from.node.value]);
    }
    for (const Message::End& to : message.to) {
      if (table_.fabric.is_processor(to.node)) most = std::max(most, ++received[to.node.value]);
    }
  }
  return static_cast<double>(most) * times_.overhead();
}

// For shared paths: the largest time of any channel for its rows, one after another; in half duplex of any link, both
// ways.
double StepTimes::busiest(const StepRows& batch) const {
  const Fabric& fabric = table_.fabric;
  std::unordered_map<std::uint32_t, std::uint64_t> rows;  // by channel
  for (const Row& row : batch.rows) ++rows[row.channel.value];
  std::unordered_map<std::uint32_t, double> busy;
  double most = 0;
  for (const auto& [number, crossed] : rows) {
    const ChannelId channel(number);
    double& seconds = busy[server(channel).value];
    seconds += static_cast<double>(crossed) * times_.turn(channel, fabric.channel(channel));
    most = std::max(most, seconds);
  }
  return most;
}

ChannelId StepTimes::server(ChannelId channel) const {
  return table_.fabric.rules().duplex == Duplex::half ? table_.fabric.link(channel) : channel;
}

std::span<const RowTime> StepTimes::rows(const StepRows& batch) {
  rows_.assign(batch.rows.size(), RowTime{});
  for (std::size_t i = 0; i < batch.rows.size(); ++i) rows_[i].lane = batch.rows[i].lane;
  shared_ ? time_turns(batch) : time_messages();
  return rows_;
}

namespace {

// Places the number-th of several packets, each of which takes `chunk`, after `head`.
void place(RowTime& time, double head, double chunk, std::uint64_t number) {
  time.begin = number == 0 ? 0 : head + static_cast<double>(number) * chunk;
  time.end = head + static_cast<double>(number + 1) * chunk;
}

}  // namespace

void StepTimes::time_messages() {
  for (const Message& message : read_) {
    const double head = overheads_ + times_.start() + slowest_path(message, table_.fabric, times_);
    const double chunk = slowest_chunk(message, times_);
    for (std::uint32_t packet = 0; packet < message.packets; ++packet) {
      for (std::uint32_t hop = 0; hop < message.hops.size(); ++hop) {
        place(rows_[message.row(packet, hop)], head, chunk, packet);
      }
    }
  }
}

// The rows of a channel, in half duplex of a link, cross one after another, each drawn on the lane whose turn it is.
void StepTimes::time_turns(const StepRows& batch) {
  const double head = overheads_ + times_.start() + longest_path_;
  std::unordered_map<std::uint32_t, double> served;  // seconds, by server
  std::unordered_map<std::uint32_t, std::uint64_t> crossed;
  for (std::size_t i = 0; i < batch.rows.size(); ++i) {
    const ChannelId id = batch.rows[i].channel;
    const Channel& channel = table_.fabric.channel(id);
    const auto [place, first] = served.try_emplace(server(id).value);
    double& busy = place->second;
    rows_[i].begin = first ? 0 : head + busy;
    busy += times_.turn(id, channel);
    rows_[i].end = head + busy;
    rows_[i].lane = LaneId(static_cast<std::uint32_t>(crossed[id.value]++ % channel.capacity));
  }
}

}  // namespace quadrille::replaying
