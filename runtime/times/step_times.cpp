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
      shared_(rounds_ && table.fabric.rules().paths == Paths::shared),
      rows_(&work) {}

double StepTimes::length(const StepRows& batch) {
  longest_path_ = 0;
  double chunks = shared_ ? busiest(batch) : 0;
  read_ = messages_.read(batch);
  for (const Message& message : read_) {
    longest_path_ = std::max(longest_path_, slowest_path(message, table_.fabric, times_));
    if (!shared_) chunks = std::max(chunks, static_cast<double>(message.packets) * slowest_chunk(message, times_));
  }
  return times_.start() + longest_path_ + chunks;
}

// For shared paths: the largest time of any channel, or half-duplex link, for its rows on its lanes. If the
// directions of a link differ, the slower one's time counts.
double StepTimes::busiest(const StepRows& batch) const {
  const Fabric& fabric = table_.fabric;
  const bool half = fabric.rules().duplex == Duplex::half;
  struct Load {
    std::uint64_t rows = 0;
    double chunk = 0;
  };
  std::unordered_map<std::uint32_t, Load> loads;
  for (const Row& row : batch.rows) {
    Load& load = loads[(half ? fabric.link(row.channel) : row.channel).value];
    ++load.rows;
    load.chunk = std::max(load.chunk, times_.chunk(row.channel));
  }
  double most = 0;
  for (const auto& [channel, load] : loads) {
    const std::uint64_t capacity = fabric.channel(ChannelId(channel)).capacity;
    const std::uint64_t turns = (load.rows + capacity - 1) / capacity;
    most = std::max(most, static_cast<double>(turns) * load.chunk);
  }
  return most;
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
    const double head = times_.start() + slowest_path(message, table_.fabric, times_);
    const double chunk = slowest_chunk(message, times_);
    for (std::uint32_t packet = 0; packet < message.packets; ++packet) {
      for (std::uint32_t hop = 0; hop < message.hops.size(); ++hop) {
        place(rows_[message.row(packet, hop)], head, chunk, packet);
      }
    }
  }
}

// A channel's rows take its lanes in turn.
void StepTimes::time_turns(const StepRows& batch) {
  const double head = times_.start() + longest_path_;
  std::unordered_map<std::uint32_t, std::uint64_t> crossed;  // rows of the channel so far
  for (std::size_t i = 0; i < batch.rows.size(); ++i) {
    const ChannelId channel = batch.rows[i].channel;
    const std::uint64_t number = crossed[channel.value]++;
    const std::uint64_t capacity = table_.fabric.channel(channel).capacity;
    place(rows_[i], head, times_.chunk(channel), number / capacity);
    rows_[i].lane = LaneId(static_cast<std::uint32_t>(number % capacity));
  }
}

}  // namespace quadrille::replaying
