// A round lasts for a start, its slowest path, and the turns of its busiest channel (model/MODEL.md, Time). Which
// channel that is does not depend on the size of a message.
//
// For example, allreduce_ring on a ring of 8: in all of its 14 rounds each of 8 channels carries one chunk, so the
// rounds 1 to 14 are one entry with 8 channels. Rounds are put together while some channel is the busiest in all.
#include <algorithm>
#include <iterator>
#include <utility>

#include "driver/search/compare.h"

namespace quadrille::driver {
namespace {

class Busiest {
 public:
  Busiest(const Fabric& fabric, const TransferCosts& costs)
      : fabric_(fabric),
        times_(fabric, costs, 1),
        half_(fabric.rules().duplex == Duplex::half),
        held_(fabric.rules().paths == Paths::held),
        turns_(held_ ? fabric.lanes() : fabric.channels()) {}

  void add(const StepRows& batch) {
    touched_.clear();
    for (const Row& row : batch.rows) count(row);
    double most = 0;
    std::vector<ChannelId> busiest;
    for (const auto& [place, channel] : touched_) {
      const double seconds = turns_[place];
      if (seconds > most) busiest.clear();
      if (seconds >= most) busiest.push_back(channel);
      most = std::max(most, seconds);
    }
    for (const auto& [place, channel] : touched_) turns_[place] = 0;
    std::ranges::sort(busiest);
    busiest.erase(std::unique(busiest.begin(), busiest.end()), busiest.end());
    add(batch.step.value, std::move(busiest), most);
  }

  std::vector<BusyRounds> all() && { return std::move(all_); }

 private:
  // Where paths are held, a lane carries one message; where they are shared, all lanes of a channel carry its rows, and
  // in half duplex those of the other direction.
  void count(const Row& row) {
    const ChannelId channel = half_ && !held_ ? fabric_.link(row.channel) : row.channel;
    const std::uint64_t place = held_ ? fabric_.lane_number(row.channel, row.lane) : channel.value;
    if (turns_[place] == 0) touched_.emplace_back(place, channel);
    turns_[place] += held_ ? times_.chunk(row.channel) : times_.turn(row.channel, fabric_.channel(row.channel));
  }

  void add(std::uint32_t round, std::vector<ChannelId> busiest, double seconds) {
    std::vector<ChannelId> common;
    std::ranges::set_intersection(in_all_, busiest, std::back_inserter(common));
    if (common.empty()) {
      all_.push_back({round, round, busiest.front(), busiest.size(), seconds});
      in_all_ = std::move(busiest);
      return;
    }
    in_all_ = std::move(common);
    BusyRounds& it = all_.back();
    it = {it.first, round, in_all_.front(), in_all_.size(), it.per_byte + seconds};
  }

  const Fabric& fabric_;
  replaying::ChannelTimes times_;
  bool half_;
  bool held_;
  std::vector<double> turns_;  // of this round, by channel or by lane: seconds for a byte of a chunk
  std::vector<std::pair<std::uint64_t, ChannelId>> touched_;  // the places with rows in this round
  std::vector<BusyRounds> all_;
  std::vector<ChannelId> in_all_;  // the channels that are the busiest in all rounds of the last entry
};

}  // namespace

std::optional<std::vector<BusyRounds>> busy_rounds(const SendTable& table, const TransferCosts& costs,
                                                   const Limits& limits) {
  Busiest busiest(table.fabric, costs);
  Pulse pulse(limits, 1);
  std::size_t rows = 0;
  const auto cursor = table.rows->open();
  while (const auto batch = cursor->next()) {
    if (batch->rows.empty()) continue;
    busiest.add(*batch);
    rows += batch->rows.size();
    if (rows < 4096) continue;
    rows = 0;
    if (pulse.reached()) return std::nullopt;
  }
  if (cursor->ended_early() != Reason::none) return std::nullopt;
  return std::move(busiest).all();
}

}  // namespace quadrille::driver
