// The peak of waits that become known when they end; queue_meter.h has the idea and an example.
#include "runtime/queue_meter.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/text/counted.h"

namespace quadrille::replaying {

void PeakMeter::add(std::uint32_t first, std::uint32_t last) {
  if (entries_.empty() || entries_.back().step < last) entries_.push_back({last, 0});
  const auto suffix = std::lower_bound(entries_.begin(), entries_.end(), first,
                                       [](const Entry& entry, std::uint32_t step) { return entry.step < step; });
  ++entries_.back().excess;
  if (suffix == entries_.begin()) {
    ++peak_;
  } else if (const auto before = suffix - 1; --before->excess == 0) {
    entries_.erase(before);
  }
}

QueueMeter::QueueMeter(const Fabric& fabric, FaultLog& faults)
    : fabric_(&fabric),
      faults_(&faults),
      switches_(fabric.nodes() - fabric.processors()),
      channels_(fabric.channels()) {}

std::uint64_t QueueMeter::bytes_needed(const Fabric& fabric) {
  return (std::uint64_t{fabric.nodes() - fabric.processors()} + fabric.channels()) * sizeof(PeakMeter);
}

// The packet has waited for the channel since it arrived. The switch counts it as buffered only since then, or since
// its last departure before this one: earlier steps were added by that departure.
void QueueMeter::add_wait(const SwitchStay& stay, ChannelId channel, StepId step) {
  if (fabric_->in_rounds()) return;  // where nobody asks who waits
  const NodeId node = fabric_->channel(channel).from;
  channels_[channel.value].add(stay.arrived + 1, step.value - 1);
  const std::uint32_t held_from = std::max(stay.arrived + 1, stay.left);
  if (held_from >= step.value) return;
  PeakMeter& meter = switches_[node.value - fabric_->processors()];
  const std::uint64_t before = meter.peak();
  meter.add(held_from, step.value - 1);
  judge(node, meter, before);
}

// A switch that buffers too many packets is one fault, when it first does so.
void QueueMeter::judge(NodeId node, const PeakMeter& meter, std::uint64_t before) {
  const auto limit = fabric_->rules().queue.limit;
  if (!limit || before > *limit || meter.peak() <= *limit) return;
  faults_->add(StepId(meter.peak_step()), {}, {}, [&] {
    return fmt::format("switch {} buffers {} in step {}, {} allowed", fabric_->name(node),
                       counted(meter.peak(), "packet"), meter.peak_step(), *limit);
  });
}

std::vector<std::uint64_t> QueueMeter::by_level() const {
  std::vector<std::uint64_t> result(fabric_->levels() + 1);
  for (std::size_t i = 0; i < switches_.size(); ++i) {
    std::uint64_t& level = result[fabric_->level(NodeId(static_cast<std::uint32_t>(i) + fabric_->processors()))];
    level = std::max(level, switches_[i].peak());
  }
  return result;
}

std::vector<std::uint64_t> QueueMeter::at_channel_by_level() const {
  std::vector<std::uint64_t> result(fabric_->levels() + 1);
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    const NodeId node = fabric_->channel(ChannelId(static_cast<std::uint32_t>(i))).from;
    if (fabric_->is_processor(node)) continue;
    std::uint64_t& level = result[fabric_->level(node)];
    level = std::max(level, channels_[i].peak());
  }
  return result;
}

}  // namespace quadrille::replaying
