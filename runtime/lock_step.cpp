// A step lasts for the start, its slowest way, and its slowest chunks, as if these were of one message. For example, a
// round with a message of 4 chunks over a link with 1 µs for a chunk, and one of 1 chunk over a link with 2 µs, lasts
// for the start and 4 µs. Cost: linear in the rows, but for the order of a round's rows.
#include "runtime/lock_step.h"

#include <algorithm>
#include <unordered_map>

#include "model/work.h"
#include "runtime/transfer_times.h"
#include "runtime/transfers.h"

namespace quadrille {
namespace {

using namespace replaying;

class LockStep {
 public:
  LockStep(const SendTable& table, const ChannelTimes& times, Work& work)
      : table_(table), times_(times), work_(work), transfers_(table.fabric, table.collective, work) {}

  // Throws Ended.
  double run() {
    double seconds = 0;
    std::uint64_t steps = 0;
    const auto cursor = table_.rows->open();
    while (const auto batch = cursor->next()) {
      work_.spend(batch->rows.size());
      seconds += static_cast<double>(batch->step.value - steps - 1) * empty_step() + length(*batch);
      steps = batch->step.value;
    }
    if (const Reason reason = cursor->ended_early(); reason != Reason::none) throw Ended{reason};
    return seconds;
  }

 private:
  // An empty round is a start; an empty step lasts as long as one with the usual channels.
  double empty_step() const { return times_.start() + (rounds_ ? 0 : times_.usual_hop() + times_.usual_chunk()); }

  double length(const StepRows& batch) {
    double way = 0;
    double chunks = shared_ ? busiest(batch) : 0;
    for (const Transfer& transfer : transfers_.read(batch)) {
      way = std::max(way, slowest_way(transfer, table_.fabric, times_));
      if (!shared_) chunks = std::max(chunks, static_cast<double>(transfer.packets) * slowest_chunk(transfer, times_));
    }
    return times_.start() + way + chunks;
  }

  // Shared paths: of any channel, in half duplex any link, its rows on its lanes; of a link whose ways differ the
  // slower one's time.
  double busiest(const StepRows& batch) const {
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

  const SendTable& table_;
  const ChannelTimes& times_;
  Work& work_;
  Transfers transfers_;
  bool rounds_ = table_.fabric.rules().timing == Timing::rounds;
  bool shared_ = rounds_ && table_.fabric.rules().paths == Paths::shared;
};

}  // namespace

std::optional<double> seconds_in_lock_step(const SendTable& table, const TransferCosts& costs, double bytes_per_chunk,
                                           const Limits& limits) {
  try {
    Work work(limits);
    const ChannelTimes times(table.fabric, costs, bytes_per_chunk);
    return LockStep(table, times, work).run();
  } catch (const Ended&) {
    return std::nullopt;
  }
}

}  // namespace quadrille
