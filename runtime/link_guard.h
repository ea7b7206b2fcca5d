// Checks what links and ports carry in one step: lanes, duplex and port rules.
//
// Lanes, links and ports: each remembers the last step in which it was used, so nothing is cleared between steps.
//
// For example, two rows of step 4 on lane 1 of one channel: the first sets the lane's step to 4, the second finds it
// there and is a fault. Half duplex counts both directions of a link at the channel of the lower number; a single port
// counts sends and receptions of its processor. In rounds messages are counted in place of rows. Cost: constant for
// each row.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "model/fabric.h"
#include "model/send_table.h"
#include "model/text/counted.h"
#include "motion/step_messages.h"
#include "runtime/fault_log.h"

namespace quadrille::replaying {

// Requires that fabric and faults live as long. A channel carries more than its capacity only if a row uses a lane
// that does not exist, or a lane is used twice, so that rule needs no count of its own.
class LinkGuard {
 public:
  LinkGuard(const Fabric& fabric, FaultLog& faults)
      : fabric_(&fabric),
        faults_(&faults),
        rounds_(fabric.in_rounds()),
        channels_(fabric.all_channels()),
        last_use_(fabric.lanes()) {
    first_lane_.reserve(channels_.size());
    for (std::uint32_t i = 0; i < fabric.channels(); ++i) {
      first_lane_.push_back(fabric.lane_number(ChannelId(i), LaneId(0)));
    }
    if (fabric.rules().duplex == Duplex::half) link_use_.resize(channels_.size());
    if (fabric.rules().ports == Ports::single) {
      sent_.resize(fabric.processors());
      received_.resize(fabric.processors());
    }
  }

  // Puts all rows of the step on their lanes. Requires steps in increasing order.
  void step(const StepRows& step) {
    const std::uint32_t processors = fabric_->processors();
    for (const Row& row : step.rows) {
      messages_ += channels_[row.channel.value].from.value < processors;
      use_lane(step.step, row);
    }
    if (!link_use_.empty()) {
      for (const Row& row : step.rows) share_link(step.step, row);
    }
    if (sent_.empty()) return;
    for (const Row& row : step.rows) {
      const Channel& channel = channels_[row.channel.value];
      if (fabric_->is_processor(channel.from)) use_port(step.step, row, channel.from, sent_, received_, "sends");
      if (fabric_->is_processor(channel.to)) use_port(step.step, row, channel.to, received_, sent_, "receives");
    }
  }

  // Does the same for the messages of a round (model/MODEL.md, Rounds).
  // In rounds a row's lane must exist, whatever the rule for paths is; a held lane is held once by each message.
  void round(const StepRows& batch, std::span<const Message> messages) {
    for (const Row& row : batch.rows) lane_exists(batch.step, row);
    const bool held = fabric_->rules().paths == Paths::held;
    for (const Message& message : messages) {
      messages_ +=
          std::ranges::any_of(message.from, [&](const Message::End& end) { return fabric_->is_processor(end.node); });
      if (held) hold_path(batch, message);
    }
    if (sent_.empty()) return;
    for (const Message& message : messages) use_ports(batch, message);
  }

  std::uint64_t messages() const { return messages_; }  // number of rows, or messages in rounds, that left a processor

  static std::uint64_t bytes_needed(const Fabric& fabric) {
    return fabric.lanes() * sizeof(std::uint32_t) + fabric.channels() * (sizeof(std::uint64_t) + sizeof(Count));
  }

 private:
  // A count within one step; it begins at 0 in every step.
  struct Count {
    std::uint32_t step = 0;
    std::uint32_t number = 0;
    std::uint32_t increase(StepId now) {
      if (step != now.value) *this = {now.value, 0};
      return ++number;
    }
    std::uint32_t in(StepId now) const { return step == now.value ? number : 0; }
  };

  void use_lane(StepId step, const Row& row) {
    if (lane_exists(step, row)) take_lane(step, row);
  }

  bool lane_exists(StepId step, const Row& row) {
    if (row.lane.value < channels_[row.channel.value].capacity) return true;
    faults_->add(step, row.channel, row.chunk, [&] {
      return fmt::format("channel {} has no lane {}, its capacity is {}", fabric_->name(row.channel), row.lane.value,
                         channels_[row.channel.value].capacity);
    });
    return false;
  }

  void take_lane(StepId step, const Row& row) {
    std::uint32_t& last = last_use_[first_lane_[row.channel.value] + row.lane.value];
    if (last == step.value) {
      faults_->add(step, row.channel, row.chunk, [&] {
        return fmt::format("lane {} of channel {} is taken already in {} {}", row.lane.value,
                           fabric_->name(row.channel), step_word(), step.value);
      });
    }
    last = step.value;
  }

  void hold_path(const StepRows& batch, const Message& message) {
    for (std::uint32_t hop = 0; hop < message.hops.size(); ++hop) {
      const Row& row = batch.rows[message.row(0, hop)];
      if (row.lane.value < channels_[row.channel.value].capacity) take_lane(batch.step, row);
      if (!link_use_.empty()) share_link(batch.step, row);
    }
  }

  void use_ports(const StepRows& batch, const Message& message) {
    const auto use = [&](const Message::End& end, std::vector<Count>& same, const std::vector<Count>& other,
                         const char* verb) {
      if (!fabric_->is_processor(end.node)) return;
      use_port(batch.step, batch.rows[message.row(0, end.hop)], end.node, same, other, verb);
    };
    for (const Message::End& end : message.from) use(end, sent_, received_, "sends");
    for (const Message::End& end : message.to) use(end, received_, sent_, "receives");
  }

  // In half duplex, both directions together carry what one of them may.
  void share_link(StepId step, const Row& row) {
    if (!fabric_->reverse(row.channel)) return;  // it goes one way: its lanes are its own
    const ChannelId link = fabric_->link(row.channel);
    if (link_use_[link.value].increase(step) <= channels_[link.value].capacity) return;
    faults_->add(step, row.channel, row.chunk, [&] {
      return fmt::format("half-duplex link {} carries more than {} in {} {}", fabric_->name(link),
                         counted(channels_[link.value].capacity, packet_word()), step_word(), step.value);
    });
  }

  // A single port takes one packet each way; in half duplex, one in all.
  void use_port(StepId step, const Row& row, NodeId processor, std::vector<Count>& same,
                const std::vector<Count>& other, const char* verb) {
    const bool again = same[processor.value].increase(step) > 1;
    const bool both_ways = !link_use_.empty() && other[processor.value].in(step) > 0;
    if (!again && !both_ways) return;
    faults_->add(step, row.channel, row.chunk, [&] {
      return fmt::format("processor {} {} {} in {} {}, but it has a single {}port", fabric_->name(processor), verb,
                         again ? fmt::format("a second {}", packet_word()) : "and does the opposite", step_word(),
                         step.value, link_use_.empty() ? "" : "half-duplex ");
    });
  }

  const char* step_word() const { return rounds_ ? "round" : "step"; }
  const char* packet_word() const { return rounds_ ? "message" : "packet"; }

  const Fabric* fabric_;
  FaultLog* faults_;
  bool rounds_;

  ChannelList channels_;
  std::vector<std::uint64_t> first_lane_;  // of each channel, among all lanes
  std::vector<std::uint32_t> last_use_;    // of each lane: a step
  std::vector<Count> link_use_;            // half duplex: by the link's lower channel
  std::vector<Count> sent_, received_;     // single port: by processor
  std::uint64_t messages_ = 0;
};

}  // namespace quadrille::replaying
