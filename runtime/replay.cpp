// A replay is a loop over the steps: it puts the rows on their lanes, notes the traffic, and moves the packets.
//
// The collective determines how packets are moved: combining; unicast, with records that move; or copies that are
// kept. The second is the quickest and smallest, but gives up if a row takes a packet from where it is not. Then the
// replay begins again with the third, which can tell a fault from a copy. Cost: one pass, or two.
#include "runtime/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "model/fabric.h"
#include "model/limits/memory_ceiling.h"
#include "model/limits/work.h"
#include "model/send_table.h"
#include "model/text/counted.h"
#include "model/topology.h"
#include "motion/step_messages.h"
#include "runtime/carriers.h"
#include "runtime/combining_carrier.h"
#include "runtime/context.h"
#include "runtime/fault_log.h"
#include "runtime/link_guard.h"
#include "runtime/queue_meter.h"
#include "runtime/round_meter.h"

namespace quadrille {

namespace {

using namespace replaying;

bool leads_down(const Fabric& fabric, const Channel& channel) {
  return channel.level > 0 && fabric.level(channel.from) > fabric.level(channel.to);
}

// LevelMeter measures traffic by level and direction, over time, which is divided into at most `buckets` spans. The
// length of a table is known only at its end. So whenever the spans are not enough, each two become one, and their
// length stays a power of two.
//
// For example, with two spans: steps 1 and 2 have one each; step 3 finds none left, so the two become one of the steps
// 1 to 2, and step 3 opens that of 3 to 4. Cost: a count for each row, an addition for each level and step; a table of
// T steps doubles at most log2(T) times.
class LevelMeter {
 public:
  LevelMeter(const Fabric& fabric, std::uint32_t buckets) : buckets_(std::max(buckets, 1u)) {
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

  void step(const StepRows& step) {
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

  std::uint32_t steps_per_bucket() const { return steps_per_bucket_; }

  // The uses by level, up before down.
  std::vector<LevelUse> take() {
    for (LevelUse& use : use_) use.over_time.resize(buckets_used_);
    return std::move(use_);
  }

  // The links with the most rows per lane, if the fabric is no tree; among equals, the one with the lower number
  // first.
  std::vector<LinkUse> busiest_links(const Fabric& fabric, std::size_t most) const {
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

 private:
  std::size_t bucket_of(StepId step) {
    while ((step.value - 1) / steps_per_bucket_ >= buckets_) halve();
    const std::size_t bucket = (step.value - 1) / steps_per_bucket_;
    buckets_used_ = std::max(buckets_used_, bucket + 1);
    return bucket;
  }

  void halve() {
    steps_per_bucket_ *= 2;
    buckets_used_ = (buckets_used_ + 1) / 2;
    for (LevelUse& use : use_) {
      for (std::size_t i = 0; i < use.over_time.size(); ++i) {
        const std::uint64_t crossings = std::exchange(use.over_time[i], 0);
        use.over_time[i / 2] += crossings;
      }
    }
  }

  std::uint32_t buckets_;
  std::uint32_t steps_per_bucket_ = 1;
  std::size_t buckets_used_ = 0;
  std::vector<LevelUse> use_;
  std::vector<std::uint32_t> use_of_channel_;   // index in use_
  std::vector<std::uint64_t> crossings_;        // of the current step
  std::vector<std::uint64_t> rows_of_channel_;  // for fabrics that are no trees, whose levels say little; else empty
};

// Movers process each batch of rows: a step row by row, a round message by message.

template <class Carrier>
class StepMover {
 public:
  explicit StepMover(const ReplayContext& context) : guard_(context.fabric, context.faults), carrier_(context) {}

  // Processes a step. False if the carrier cannot move some packet. Throws Ended, like all functions below.
  bool move(const StepRows& step) {
    guard_.step(step);
    return carrier_.step(step);
  }
  Carrier& carrier() { return carrier_; }
  void note_measures(Measurements& result) const { result.messages = guard_.messages(); }

 private:
  LinkGuard guard_;
  Carrier carrier_;
};

template <class Carrier>
class RoundMover {
 public:
  explicit RoundMover(const ReplayContext& context)
      : context_(context),
        messages_(context.fabric, context.collective, context.work),
        guard_(context.fabric, context.faults),
        meter_(context.fabric),
        carrier_(context) {}

  bool move(const StepRows& batch) {
    const auto messages = messages_.read(batch);
    for (const std::uint32_t row : messages_.ill_formed()) add_ill_formed(batch, row);
    guard_.round(batch, messages);
    meter_.round(batch, messages);
    carrier_.round(batch, messages);
    return true;
  }
  Carrier& carrier() { return carrier_; }
  void note_measures(Measurements& result) const {
    result.messages = guard_.messages();
    result.volume = meter_.volume();
    result.load = meter_.load();
    result.hops = meter_.hops();
  }

 private:
  void add_ill_formed(const StepRows& batch, std::uint32_t at) {
    const Row& row = batch.rows[at];
    context_.faults.add(batch.step, row.channel, row.chunk, [&] {
      return fmt::format(
          "message {} of round {} is none: its packets do not cross the same channels, or these are no tree",
          batch.messages[at].value, batch.step.value);
    });
  }

  ReplayContext context_;
  StepMessages messages_;
  LinkGuard guard_;
  RoundMeter meter_;
  Carrier carrier_;
};

// The memory that is taken before anything moves, in bytes.
std::uint64_t fixed_memory(const Fabric& fabric) {
  return LinkGuard::bytes_needed(fabric) + QueueMeter::bytes_needed(fabric);
}

constexpr std::size_t listed_links = 5;
constexpr std::uint64_t rows_between_looks = 1 << 16;  // at the limits: some milliseconds

// One run through the table, with one carrier.
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
