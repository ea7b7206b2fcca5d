// A replay is a loop over the steps: it puts the rows on their lanes, notes the traffic, and moves the packets.
//
// The collective determines how packets are moved: combining; unicast, with records that move; or copies that are
// kept. The second is the quickest and smallest, but gives up if a row takes a packet from where it is not. Then the
// replay begins again with the third, which can tell a fault from a copy. Cost: one pass, or two.
#include "runtime/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <optional>

#include "model/limits/memory_ceiling.h"
#include "model/limits/work.h"
#include "model/text/counted.h"
#include "runtime/carriers.h"
#include "runtime/combining_carrier.h"
#include "runtime/fault_log.h"
#include "runtime/level_meter.h"
#include "runtime/link_guard.h"
#include "runtime/movers.h"
#include "runtime/queue_meter.h"

namespace quadrille {

namespace {

using namespace replaying;

// The memory that is taken before anything moves, in bytes.
std::uint64_t fixed_memory(const Fabric& fabric) {
  return LinkGuard::bytes_needed(fabric) + QueueMeter::bytes_needed(fabric);
}

constexpr std::size_t listed_links = 5;
constexpr std::uint64_t rows_between_looks = 1 << 16;  // at the limits: some milliseconds

// One run through the table, with one carrier (movers.h).
template <class Mover>
class Run {
 public:
  // Throws Ended.
  Run(const SendTable& table, const ReplayOptions& options)
      : table_(table),
        options_(options),
        work_(options.limits, fixed_memory(table.fabric)),
        levels_(table.fabric, options.buckets),
        queues_(table.fabric, faults_),
        mover_(ReplayContext{table.fabric, table.collective, faults_, queues_, work_}) {}

  // The measurements; nothing if the carrier cannot move some packet.
  std::optional<Measurements> measure() {
    try {
      return read_to_the_end();
    } catch (const Ended& ended) {
      return stopped(ended.reason);
    }
  }

 private:
  std::optional<Measurements> read_to_the_end() {
    const auto cursor = table_.rows->open();
    if (const Reason reason = options_.limits.reached(); reason != Reason::none) return stopped(reason);
    while (const auto step = cursor->next()) {
      levels_.step(*step);
      if (!mover_.move(*step)) return std::nullopt;
      end_ = std::max(end_, step->step);
      result_.rows += step->rows.size();
      if (result_.rows < next_look_) continue;
      if (const Reason reason = look_at_limits(); reason != Reason::none) return stopped(reason);
    }
    if (const Reason reason = cursor->ended_early(); reason != Reason::none) return stopped(reason);
    mover_.carrier().finish(end_);
    return finished();
  }

  // The limit that is reached; if there is none, reports the progress.
  Reason look_at_limits() {
    next_look_ = result_.rows + rows_between_looks;
    const Limits& limits = options_.limits;
    if (const Reason reason = limits.reached(); reason != Reason::none || !limits.progress) return reason;
    const auto last = table_.rows->last_step();
    limits.progress({.stage = "replaying",
                     .done = end_.value,
                     .of = last ? std::optional<std::uint64_t>(last->value) : std::nullopt,
                     .unit = "steps",
                     .rows = result_.rows});
    return Reason::none;
  }

  Measurements stopped(Reason reason) {
    result_.reason = reason;
    result_.why = why_text(reason);
    if (faults_.count() > 0) result_.why += fmt::format("; {} until then", counted(faults_.count(), "fault"));
    return finished();
  }

  std::string why_text(Reason reason) const {
    switch (reason) {
      case Reason::limit:
        return fmt::format("the packets in flight in step {} need more than {} bytes", end_.value,
                           options_.limits.memory);
      case Reason::timeout:
        return "not done when the time was up";
      case Reason::cancelled:
        return "cancelled";
      default:
        return "the table's rows end before the table does";
    }
  }

  Measurements finished() {
    result_.steps = end_.value;
    mover_.note_measures(result_);
    result_.delivered = mover_.carrier().delivered();
    result_.demanded = mover_.carrier().demanded();
    result_.queue_by_level = queues_.by_level();
    result_.channel_queue_by_level = queues_.at_channel_by_level();
    result_.max_queue = *std::max_element(result_.queue_by_level.begin(), result_.queue_by_level.end());
    result_.max_channel_queue =
        *std::max_element(result_.channel_queue_by_level.begin(), result_.channel_queue_by_level.end());
    result_.use = levels_.take();
    result_.busiest_links = levels_.busiest_links(table_.fabric, listed_links);
    result_.steps_per_bucket = levels_.steps_per_bucket();
    result_.fault_count = faults_.count();
    result_.faults = faults_.take();
    result_.verdict = result_.reason != Reason::none ? Verdict::unknown
                      : result_.fault_count > 0      ? Verdict::violated
                                                     : Verdict::holds;
    return std::move(result_);
  }

  const SendTable& table_;
  const ReplayOptions& options_;
  Work work_;
  FaultLog faults_;
  LevelMeter levels_;
  QueueMeter queues_;
  Mover mover_;
  StepId end_;
  std::uint64_t next_look_ = rows_between_looks;
  Measurements result_;
};

}  // namespace

Measurements replay(const SendTable& table, const ReplayOptions& options) {
  const auto unknown = [](Reason reason, std::string why) {
    Measurements result;
    result.verdict = Verdict::unknown;
    result.reason = reason;
    result.why = std::move(why);
    return result;
  };
  try {
    const bool combining = table.collective.combining();
    if (table.fabric.in_rounds()) {
      return combining ? *Run<RoundMover<CombiningCarrier>>(table, options).measure()
                       : *Run<RoundMover<CopyingCarrier>>(table, options).measure();
    }
    if (combining) return *Run<StepMover<CombiningCarrier>>(table, options).measure();
    if (table.collective.unicast()) {
      if (auto result = Run<StepMover<MovingCarrier>>(table, options).measure()) return std::move(*result);
    }
    return *Run<StepMover<CopyingCarrier>>(table, options).measure();
  } catch (const Ended& ended) {
    return unknown(ended.reason,
                   fmt::format("the fabric and the demands need more than {} bytes", options.limits.memory));
  } catch (const std::bad_alloc& refusal) {
    return unknown(Reason::limit, std::string(why_no_memory(refusal)));
  }
}

}  // namespace quadrille
