// Measures traffic by level and direction, over time, in spans whose length doubles as the table proves longer.
//
// For example, with two spans: steps 1 and 2 have one each; step 3 finds none left, so the two become one of the steps
// 1 to 2, and step 3 opens that of 3 to 4. Cost: a count for each row, an addition for each level and step; a table of
// T steps doubles at most log2(T) times.
#include "runtime/level_meter.h"

#include <algorithm>
#include <map>
#include <utility>

#include "model/topology.h"

namespace quadrille::replaying {

namespace {

bool leads_down(const Fabric& fabric, const Channel& channel) {
  return channel.level > 0 && fabric.level(channel.from) > fabric.level(channel.to);
}

}  // namespace

LevelMeter::LevelMeter(const Fabric& fabric, std::uint32_t buckets) : buckets_(std::max(buckets, 1u)) {
  std::map<std::pair<std::uint32_t, bool>, std::uint32_t> index;
  for (const Channel& channel : fabric.all_channels()) index[{channel.level, leads_down(fabric, channel)}];
  for (auto& [kind, number] : index) {
    number = static_cast<std::uint32_t>(use_.size());
    LevelUse& use = use_.emplace_back();
    use.level = kind.first;
    use.down = kind.second;
    use.over_time.resize(buckets_);
  }
  use_of_channel_.reserve(fabric.channels());
  for (const Channel& channel : fabric.all_channels()) {
    const std::uint32_t number = index[{channel.level, leads_down(fabric, channel)}];
    use_of_channel_.push_back(number);
    use_[number].lanes += channel.capacity;
  }
  crossings_.resize(use_.size());
  if (fabric.topology().tree() == nullptr) rows_of_channel_.resize(fabric.channels());
}

void LevelMeter::step(const StepRows& step) {
  for (const Row& row : step.rows) ++crossings_[use_of_channel_[row.channel.value]];
  if (!rows_of_channel_.empty()) {
    for (const Row& row : step.rows) ++rows_of_channel_[row.channel.value];
  }
  const std::size_t bucket = bucket_of(step.step);
  for (std::size_t i = 0; i < use_.size(); ++i) {
    const std::uint64_t crossings = std::exchange(crossings_[i], 0);
    use_[i].rows += crossings;
    use_[i].busiest = std::max(use_[i].busiest, crossings);
    use_[i].over_time[bucket] += crossings;
  }
}

std::size_t LevelMeter::bucket_of(StepId step) {
  while ((step.value - 1) / steps_per_bucket_ >= buckets_) halve();
  const std::size_t bucket = (step.value - 1) / steps_per_bucket_;
  buckets_used_ = std::max(buckets_used_, bucket + 1);
  return bucket;
}

void LevelMeter::halve() {
  steps_per_bucket_ *= 2;
  buckets_used_ = (buckets_used_ + 1) / 2;
  for (LevelUse& use : use_) {
    for (std::size_t i = 0; i < use.over_time.size(); ++i) {
      const std::uint64_t crossings = std::exchange(use.over_time[i], 0);
      use.over_time[i / 2] += crossings;
    }
  }
}

std::vector<LevelUse> LevelMeter::take() {
  for (LevelUse& use : use_) use.over_time.resize(buckets_used_);
  return std::move(use_);
}

std::vector<LinkUse> LevelMeter::busiest_links(const Fabric& fabric, std::size_t most) const {
  std::vector<LinkUse> links;
  for (std::uint32_t i = 0; i < rows_of_channel_.size(); ++i) {
    const ChannelId channel(i);
    if (rows_of_channel_[i] > 0) links.push_back({channel, fabric.channel(channel).capacity, rows_of_channel_[i]});
  }
  const auto busier = [](const LinkUse& a, const LinkUse& b) {
    const std::uint64_t of_a = a.rows * b.lanes;
    const std::uint64_t of_b = b.rows * a.lanes;
    return of_a != of_b ? of_a > of_b : a.channel.value < b.channel.value;
  };
  const std::size_t listed = std::min(most, links.size());
  std::partial_sort(links.begin(), links.begin() + static_cast<std::ptrdiff_t>(listed), links.end(), busier);
  links.resize(listed);
  return links;
}

}  // namespace quadrille::replaying
