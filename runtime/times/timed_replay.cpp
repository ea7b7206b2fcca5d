// Every message begins at the latest of three times: when all its chunks are at its sender, when each lane of its
// path is free, and when its ports are. Lanes and ports serve in the table's order, so one pass over the table gives
// all times, without a queue of events.
//
// For example, 0 sends a chunk to 1 in step 1 and another to 2 in step 2, and 1 passes the first on to 3 in step 3.
// Over separate links, with 1 µs for a chunk, everything has arrived after 2 µs, a step earlier than in lock step.
// Cost: two passes; the first one finds the end, and the second divides the time until then into spans. A third where a
// packet of which one processor alone has need is copied all the same (TimedInputs).
#include "runtime/times/timed_replay.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory_resource>
#include <utility>
#include <vector>

#include "model/containers/packet_table.h"
#include "model/limits/work.h"
#include "model/send_table.h"
#include "motion/packets_in_switches.h"
#include "motion/step_messages.h"
#include "runtime/times/message_times.h"
#include "runtime/times/timed_resources.h"

namespace quadrille {
namespace {

using namespace replaying;

// A packet that was needed later than it was thought to be: begin again, and keep everything.
struct Forgotten {};

// TimedInputs computes when packets are available at the nodes that send them (model/MODEL.md, Time).
//
// A copy is available from its first arrival on; a chunk that one processor alone wants, in a switch, from the first
// since it last left. A partial reduction is available, at its origin, when all parts that are sent have come;
// elsewhere, when the last one has come. The one that is held has come when everything has been joined with it. If
// several come to be kept in one step, any of them may be meant, so all have come when the last one has. In switches
// that forward, each copy counts by itself, in the table's order of arrival. In switches that reduce, everything that
// has joined since the last departure counts. For example, a copy comes to a switch that forwards at 3 us by the
// table's first row, and another at 2 us by its second: the first row out waits for 3 us, the second one does not.
//
// Cost: a look-up for each packet that leaves or arrives. Memory: for the packets under way. Where packets are not
// copied they are forgotten as they leave a switch, and at the processor that they are for. Copied chunks are kept
// wherever they have been.
class TimedInputs {
 public:
  // Keeps references to both. `keeps_all`: nothing is forgotten.
  TimedInputs(const SendTable& table, Work& work, bool keeps_all)
      : fabric_(table.fabric),
        collective_(table.collective),
        arrived_(work),
        joined_(work),
        kept_(&work),
        in_switches_(fabric_, collective_, work),
        combining_(collective_.combining()),
        moves_(!combining_ && collective_.unicast()),
        forgets_(!keeps_all && (combining_ || moves_)) {}

  // Returns the time at which the packet, which leaves in a step, is available. Requires that a step's departures are
  // given before its arrivals, and end_departures() between them. `use`: the partial reductions that its row names;
  // null: none. Throws Forgotten.
  double leave(NodeId node, ChunkId chunk, const ReductionUse* use) {
    if (combining_ && collective_.name(chunk).origin == node.value) {
      const ValueAtProcessor place{collective_.value_of(chunk), node.value};
      if (use == nullptr || use->sent.empty()) return word(place, 0);
      double time = 0;
      for (const std::uint32_t number : use->sent) time = std::max(time, word(place, number));
      return time;
    }
    if (!combining_ && collective_.starts_at(chunk, node)) return 0;
    const bool at_switch = !fabric_.is_processor(node);
    if (at_switch && !in_switches_.copy()) {
      const double* time = in_switches_.leave(node, chunk);
      return time == nullptr ? 0 : *time;
    }
    const PlaceKey here{chunk.value, node.value};
    double* arrived = arrived_.find(here);
    if (arrived == nullptr && forgets_) throw Forgotten{};
    if (arrived == nullptr) return 0;
    const double time = std::abs(*arrived);
    if (!at_switch) return time;
    if (forgets_) {
      arrived_.erase(here);
    } else if (moves_) {
      *arrived = std::copysign(time, -1.0);  // it has left, and the next arrival counts
    }
    return time;
  }

  void end_departures() { in_switches_.end_departures(); }

  void arrive(NodeId node, ChunkId chunk, double time, bool keeping) {
    if (!fabric_.is_processor(node) && !in_switches_.copy()) {
      double& latest = *in_switches_.arrive(node, chunk).first;
      latest = std::max(latest, time);
      return;
    }
    if (!forgets_ || !ends_at(node, chunk)) {
      const auto [arrived, first] = arrived_.insert({chunk.value, node.value});
      const bool counts = first || combining_ || std::signbit(*arrived);
      *arrived = counts ? time : std::min(*arrived, time);
    }
    if (!combining_ || collective_.name(chunk).target != node.value) return;
    if (keeping) return coming_[{collective_.value_of(chunk), node.value}].push_back(time);
    double& joined = *joined_.insert({collective_.value_of(chunk), node.value}).first;
    joined = std::max(joined, time);
  }

  // To be called after all arrivals of the step.
  void end_step() {
    for (const auto& [place, times] : coming_) {
      auto& kept = kept_[place];
      kept.insert(kept.end(), times.size(), *std::max_element(times.begin(), times.end()));
    }
    coming_.clear();
  }

 private:
  using ValueAtProcessor = std::pair<std::uint32_t, std::uint32_t>;  // value, processor

  double word(const ValueAtProcessor& place, std::uint32_t number) {
    if (number == 0) {
      const double* joined = joined_.find({place.first, place.second});
      return joined == nullptr ? 0 : *joined;
    }
    const auto kept = kept_.find(place);
    return kept == kept_.end() || number > kept->second.size() ? 0 : kept->second[number - 1];
  }

  bool ends_at(NodeId node, ChunkId chunk) const {
    if (combining_) return collective_.name(chunk).target == node.value;
    return fabric_.is_processor(node) && collective_.demand(chunk, node).has_value();
  }

  const Fabric& fabric_;
  const Collective& collective_;
  PacketTable<PlaceKey, double> arrived_;  // negative: it has left since
  PacketTable<PlaceKey, double> joined_;   // (value, processor)
  std::pmr::map<ValueAtProcessor, std::pmr::vector<double>> kept_;
  std::map<ValueAtProcessor, std::vector<double>> coming_;  // to be kept, in the current step
  PacketsInSwitches<double> in_switches_;                   // where they do more than copy
  bool combining_;
  bool moves_;  // chunks are not copied: each is for one processor
  bool forgets_;
};

struct ArrivedChunk {
  NodeId node;
  ChunkId chunk;
  double time;
  bool keeping;
};

class Pass {
 public:
  Pass(const SendTable& table, const ChannelTimes& times, Work& work, bool keeps_all)
      : table_(table),
        times_(times),
        work_(work),
        resources_(table.fabric, shared_, work),
        inputs_(table, work, keeps_all),
        messages_(table.fabric, table.collective, work, times.overhead() > 0) {}

  // Calls `busy(channel, lanes, begin, end)` for every hop, with the number of lanes that it keeps; returns the time at
  // which everything has arrived. Throws Ended, and Forgotten.
  template <class Busy>
  double run(const Busy& busy) {
    const auto cursor = table_.rows->open();
    while (const auto batch = cursor->next()) {
      arrivals_.clear();
      for (const Message& message : messages_.read(*batch)) {
        work_.spend(message.packets + message.hops.size());
        begin(*batch, message, busy);
      }
      inputs_.end_departures();  // a packet that comes in a step can leave from the next one on
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
  void begin(const StepRows& batch, const Message& message, const Busy& busy) {
    double start = resources_.ports_free_for(message);
    for (const Message::End& from : message.from) {
      for (std::uint32_t packet = 0; packet < message.packets; ++packet) {
        const std::uint32_t row = message.row(packet, from.hop);
        const ReductionUse* use = batch.uses.empty() ? nullptr : &batch.uses[row];
        start = std::max(start, inputs_.leave(from.node, batch.rows[row].chunk, use));
      }
    }
    if (times_.overhead() > 0) start = resources_.prepare(message, start, times_.overhead());
    const double arrived = shared_ ? cross_shared(message, start, busy) : cross_held(message, start, busy);
    for (const Message::End& to : message.to) {
      for (std::uint32_t packet = 0; packet < message.packets; ++packet) {
        const std::uint32_t row = message.row(packet, to.hop);
        const bool keeping = !batch.uses.empty() && batch.uses[row].arrival == Arrival::kept;
        arrivals_.push_back({to.node, batch.rows[row].chunk, arrived, keeping});
      }
    }
    end_ = std::max(end_, arrived);
  }

  // Returns the time of the arrival; so do the functions below.
  template <class Busy>
  double cross_held(const Message& message, double ready, const Busy& busy) {
    const double start = std::max(ready, resources_.lanes_free_for(message));
    const double held = times_.start() + static_cast<double>(message.packets) * slowest_chunk(message, times_);
    const double arrived = start + held + slowest_path(message, table_.fabric, times_);
    // In steps a lane is free again while the packet is still under way.
    const double released = rounds_ ? arrived : start + held;
    resources_.keep_lanes(message, released);
    resources_.keep_ports(message, released);
    for (const Message::Hop& hop : message.hops) busy(hop.channel, 1, start, released);
    return arrived;
  }

  // Every channel serves the packets one after another, whatever they do on others.
  template <class Busy>
  double cross_shared(const Message& message, double start, const Busy& busy) {
    const double ready = start + times_.start();
    double through = ready;
    for (const Message::Hop& hop : message.hops) {
      const double takes = times_.turn(hop.channel, table_.fabric.channel(hop.channel));
      for (std::uint32_t packet = 0; packet < message.packets; ++packet) {
        work_.spend(1);
        const double begin = resources_.cross(hop.channel, ready, takes);
        busy(hop.channel, table_.fabric.channel(hop.channel).capacity, begin, begin + takes);
        through = std::max(through, begin + takes);
      }
    }
    const double arrived = through + slowest_path(message, table_.fabric, times_);
    resources_.keep_ports(message, arrived);
    return arrived;
  }

  const SendTable& table_;
  const ChannelTimes& times_;
  Work& work_;
  bool rounds_ = table_.fabric.in_rounds();
  bool shared_ = table_.fabric.rules().shares_paths();
  TimedResources resources_;
  TimedInputs inputs_;
  StepMessages messages_;
  std::vector<ArrivedChunk> arrivals_;
  double end_ = 0;
};

// The busy lanes by level and direction, over time.
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

  void add(ChannelId channel, std::uint32_t lanes, double begin, double end) {
    TimedUse& use = use_[of_channel_[channel.value]];
    use.busy += lanes * (end - begin);
    const std::size_t last = use.over_time.size() - 1;
    for (auto span = std::min(last, static_cast<std::size_t>(begin / span_)); span <= last; ++span) {
      const double from = static_cast<double>(span) * span_;
      if (from >= end) break;
      use.over_time[span] += lanes * (std::min(end, from + span_) - std::max(begin, from));
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
  try {
    const ChannelTimes times(table.fabric, options.costs, options.bytes_per_chunk);
    bool keeps_all = false;
    const auto until_all_arrived = [&] {
      Work work(options.limits);
      return Pass(table, times, work, keeps_all).run([](ChannelId, std::uint32_t, double, double) {});
    };
    try {
      result.seconds = until_all_arrived();
    } catch (const Forgotten&) {
      keeps_all = true;
      result.seconds = until_all_arrived();
    }
    if (result.seconds == 0) return result;
    Work second(options.limits);
    UseInTime use(table.fabric, std::max(options.spans, 1U), result.seconds);
    Pass(table, times, second, keeps_all).run([&](ChannelId channel, std::uint32_t lanes, double begin, double end) {
      use.add(channel, lanes, begin, end);
    });
    result.use = use.take();
  } catch (const Ended& ended) {
    result = {};
    result.reason = ended.reason;
  }
  return result;
}

}  // namespace quadrille
