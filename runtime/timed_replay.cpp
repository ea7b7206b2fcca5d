// Every transfer begins at the latest of three times: when all its chunks are at its sender, when each lane of its way
// is free, and when its ports are. Lanes and ports serve in the table's order, so one pass over the table gives all
// times, without a queue of events.
//
// For example, 0 sends a chunk to 1 in step 1 and another to 2 in step 2, and 1 passes the first on to 3 in step 3:
// over links of their own, with a chunk in 1 µs, all has arrived after 2 µs, a step before lock step has. Cost: two
// passes; the first one finds the end, the second divides the time until then into spans.
#include "runtime/timed_replay.h"

#include <algorithm>
#include <map>
#include <utility>

#include "model/work.h"
#include "runtime/packet_table.h"
#include "runtime/transfers.h"

namespace quadrille {
namespace {

using namespace replaying;

// When the lanes and ports are free again.
class Resources {
 public:
  Resources(const Fabric& fabric, Work& work)
      : fabric_(fabric),
        half_(fabric.rules().duplex == Duplex::half),
        single_(fabric.rules().ports == Ports::single),
        lanes_(fabric.lanes(), 0.0, &work),
        sends_(single_ ? fabric.processors() : 0, 0.0, &work),
        receives_(single_ && !half_ ? fabric.processors() : 0, 0.0, &work) {}

  double free_for(const Transfer& transfer) {
    double time = 0;
    for (const Crossing& crossing : transfer.crossings) time = std::max(time, lane(crossing));
    each_port(transfer, [&](double& port) { time = std::max(time, port); });
    return time;
  }

  // A transfer keeps them until then.
  void keep(const Transfer& transfer, double until) {
    for (const Crossing& crossing : transfer.crossings) lane(crossing) = until;
    each_port(transfer, [&](double& port) { port = until; });
  }

 private:
  // Half duplex: the lanes of a link serve both ways, whichever is free first.
  double& lane(const Crossing& crossing) {
    const ChannelId channel = half_ ? fabric_.link(crossing.channel) : crossing.channel;
    if (!half_) return lanes_[fabric_.lane_number(channel, crossing.lane)];
    const auto first = lanes_.begin() + static_cast<std::ptrdiff_t>(fabric_.lane_number(channel, LaneId(0)));
    return *std::min_element(first, first + static_cast<std::ptrdiff_t>(fabric_.channel(channel).capacity));
  }

  template <class Visit>
  void each_port(const Transfer& transfer, const Visit& visit) {
    if (!single_) return;
    if (fabric_.is_processor(transfer.from)) visit(sends_[transfer.from.value]);
    auto& receives = half_ ? sends_ : receives_;
    for (const NodeId to : transfer.to) {
      if (fabric_.is_processor(to)) visit(receives[to.value]);
    }
  }

  const Fabric& fabric_;
  bool half_;
  bool single_;
  std::pmr::vector<double> lanes_;
  std::pmr::vector<double> sends_;  // in half duplex the processor's one port
  std::pmr::vector<double> receives_;
};

// When packets are where they are. Copies: from their first arrival on. Partial reductions: at their origin the words
// that are sent, elsewhere the last one. The word held has come when all has been joined with it; of words that come to
// be kept in one step each may be any, so that all have come when the last one has.
class Inputs {
 public:
  Inputs(const SendTable& table, Work& work)
      : collective_(table.collective),
        arrived_(work),
        joined_(work),
        kept_(&work),
        combining_(collective_.combining()) {}

  // `use`: what its row says of words; null: nothing.
  double ready(NodeId node, ChunkId chunk, const WordUse* use) {
    if (combining_ && collective_.name(chunk).origin == node.value) {
      const std::pair place{collective_.value_of(chunk), node.value};
      if (use == nullptr || use->sent.empty()) return word(place, 0);
      double time = 0;
      for (const std::uint32_t number : use->sent) time = std::max(time, word(place, number));
      return time;
    }
    if (!combining_ && collective_.starts_at(chunk, node)) return 0;
    const double* arrived = arrived_.find({chunk.value, node.value});
    return arrived == nullptr ? 0 : *arrived;
  }

  void arrive(NodeId node, ChunkId chunk, double time, bool keeping) {
    const auto [arrived, first] = arrived_.insert({chunk.value, node.value});
    *arrived = first || combining_ ? time : std::min(*arrived, time);
    if (!combining_ || collective_.name(chunk).target != node.value) return;
    if (keeping) {
      coming_[{collective_.value_of(chunk), node.value}].push_back(time);
      return;
    }
    double& joined = *joined_.insert({collective_.value_of(chunk), node.value}).first;
    joined = std::max(joined, time);
  }

  // The step's arrivals have all been told.
  void end_step() {
    for (const auto& [place, times] : coming_) {
      auto& kept = kept_[place];
      kept.insert(kept.end(), times.size(), *std::max_element(times.begin(), times.end()));
    }
    coming_.clear();
  }

 private:
  using Place = std::pair<std::uint32_t, std::uint32_t>;  // value, processor

  double word(const Place& place, std::uint32_t number) {
    if (number == 0) {
      const double* joined = joined_.find({place.first, place.second});
      return joined == nullptr ? 0 : *joined;
    }
    const auto kept = kept_.find(place);
    return kept == kept_.end() || number > kept->second.size() ? 0 : kept->second[number - 1];
  }

  const Collective& collective_;
  PacketTable<PlaceKey, double> arrived_;
  PacketTable<PlaceKey, double> joined_;  // (value, processor)
  std::pmr::map<Place, std::pmr::vector<double>> kept_;
  std::map<Place, std::vector<double>> coming_;  // to be kept, in the step at work
  bool combining_;
};

struct ArrivedChunk {
  NodeId node;
  ChunkId chunk;
  double time;
  bool keeping;
};

class Pass {
 public:
  Pass(const SendTable& table, const ChannelTimes& times, Work& work)
      : table_(table),
        times_(times),
        work_(work),
        resources_(table.fabric, work),
        inputs_(table, work),
        transfers_(table.fabric, times) {}

  // Tells `busy(channel, begin, end)` of every crossing; the time at which all has arrived. Throws Ended.
  template <class Busy>
  double run(const Busy& busy) {
    const auto cursor = table_.rows->open();
    while (const auto batch = cursor->next()) {
      arrivals_.clear();
      for (const Transfer& transfer : transfers_.read(*batch)) {
        work_.spend(transfer.chunks.size() + transfer.crossings.size());
        begin(transfer, busy);
      }
      // What comes in a step can leave from the next one on.
      for (const ArrivedChunk& arrival : arrivals_) {
        inputs_.arrive(arrival.node, arrival.chunk, arrival.time, arrival.keeping);
      }
      inputs_.end_step();
    }
    if (const Reason reason = cursor->ended_early(); reason != Reason::none) throw Ended{reason};
    return end_;
  }

 private:
  template <class Busy>
  void begin(const Transfer& transfer, const Busy& busy) {
    double start = resources_.free_for(transfer);
    for (std::size_t i = 0; i < transfer.chunks.size(); ++i) {
      const WordUse* use = transfer.leaving.empty() ? nullptr : transfer.leaving[i];
      start = std::max(start, inputs_.ready(transfer.from, transfer.chunks[i], use));
    }
    const double held = times_.start() + static_cast<double>(transfer.chunks.size()) * transfer.slowest;
    const double arrived = start + held + transfer.way;
    // In steps a lane is free again while the packet is still under way.
    const double released = rounds_ ? arrived : start + held;
    resources_.keep(transfer, released);
    for (const Crossing& crossing : transfer.crossings) busy(crossing.channel, start, released);
    for (const NodeId to : transfer.to) {
      for (std::size_t i = 0; i < transfer.chunks.size(); ++i) {
        const bool keeping = !transfer.arriving.empty() && transfer.arriving[i]->arrival == Arrival::kept;
        arrivals_.push_back({to, transfer.chunks[i], arrived, keeping});
      }
    }
    end_ = std::max(end_, arrived);
  }

  const SendTable& table_;
  const ChannelTimes& times_;
  Work& work_;
  Resources resources_;
  Inputs inputs_;
  Transfers transfers_;
  bool rounds_ = table_.fabric.rules().timing == Timing::rounds;
  std::vector<ArrivedChunk> arrivals_;
  double end_ = 0;
};

// Busy lanes by level and direction, over time.
class UseInTime {
 public:
  UseInTime(const Fabric& fabric, std::uint32_t spans, double end) : span_(end / spans) {
    std::map<std::pair<std::uint32_t, bool>, std::size_t> index;
    const auto kind = [&](const Channel& channel) {
      return std::pair(channel.level, channel.level > 0 && fabric.level(channel.from) > fabric.level(channel.to));
    };
    for (const Channel& channel : fabric.all_channels()) index[kind(channel)];
    for (auto& [key, number] : index) {
      number = use_.size();
      use_.push_back({key.first, key.second, 0, 0, std::vector<double>(spans)});
    }
    for (const Channel& channel : fabric.all_channels()) {
      of_channel_.push_back(index[kind(channel)]);
      use_[of_channel_.back()].lanes += channel.capacity;
    }
  }

  void add(ChannelId channel, double begin, double end) {
    TimedUse& use = use_[of_channel_[channel.value]];
    use.busy += end - begin;
    const std::size_t last = use.over_time.size() - 1;
    for (auto span = std::min(last, static_cast<std::size_t>(begin / span_)); span <= last; ++span) {
      const double from = static_cast<double>(span) * span_;
      if (from >= end) break;
      use.over_time[span] += std::min(end, from + span_) - std::max(begin, from);
    }
  }

  std::vector<TimedUse> take() { return std::move(use_); }

 private:
  double span_;
  std::vector<TimedUse> use_;
  std::vector<std::size_t> of_channel_;  // index in use_
};

}  // namespace

TimedReplay replay_in_time(const SendTable& table, const TimedReplayOptions& options) {
  TimedReplay result;
  const Rules& rules = table.fabric.rules();
  if (rules.switches != Switching::copy || (rules.timing == Timing::rounds && rules.paths == Paths::shared)) {
    result.reason = Reason::unsupported;
    return result;
  }
  try {
    const ChannelTimes times(table.fabric, options.costs, options.bytes_per_chunk);
    Work first(options.limits);
    result.seconds = Pass(table, times, first).run([](ChannelId, double, double) {});
    if (result.seconds == 0) return result;
    Work second(options.limits);
    UseInTime use(table.fabric, std::max(options.spans, 1U), result.seconds);
    Pass(table, times, second).run([&](ChannelId channel, double begin, double end) { use.add(channel, begin, end); });
    result.use = use.take();
  } catch (const Ended& ended) {
    result = {};
    result.reason = ended.reason;
  }
  return result;
}

}  // namespace quadrille
