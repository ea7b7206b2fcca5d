// Two things stay as they are when messages are placed anew on shared paths: what a message must wait for, and what the
// channels carry on which every shortest route of a message begins. So there are as many rounds as the longest chain of
// messages has, each with a start and the hops of that message's path; and besides, the busiest of those channels takes
// its time for all that it carries. Where routes differ from the first hop on, the channels of these hops carry
// together what leaves by them.
//
// A chain: a chunk that is copied leaves a processor after it has come there. A contribution is joined with those that
// a processor holds, and what it sends afterwards has both. But where more comes than it holds, that may be in place of
// what it holds, and then what leaves need not wait for that. Numbers of contributions tell them apart, from the fewest
// to the most that there may be.
//
// For example, allreduce_segmented_ring among 8 with 2 segments is written in 28 rounds; its chains have 14 messages.
#include "driver/search/any_rounds.h"

#include <algorithm>
#include <limits>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "driver/inputs/message_time.h"
#include "model/limits/work.h"
#include "model/messages/packet_table.h"
#include "model/messages/step_messages.h"
#include "model/route.h"
#include "runtime/times/channel_times.h"

namespace quadrille::driver {
namespace {

// The longest chain of messages that bring something, and the seconds of their starts and paths.
struct MessageChain {
  std::uint32_t rounds = 0;
  double seconds = 0;

  void not_before(const MessageChain& other) {
    rounds = std::max(rounds, other.rounds);
    seconds = std::max(seconds, other.seconds);
  }
};

double least_hop(const Fabric& fabric, const replaying::ChannelTimes& times) {
  double least = times.usual_hop();
  if (times.all_usual()) return least;
  least = std::numeric_limits<double>::infinity();
  for (std::uint32_t id = 0; id < fabric.channels(); ++id) least = std::min(least, times.hop(ChannelId(id)));
  return least;
}

class MessageChains {
 public:
  MessageChains(const SendTable& table, const replaying::ChannelTimes& times, Work& work)
      : fabric_(table.fabric),
        collective_(table.collective),
        times_(times),
        hop_(least_hop(fabric_, times)),
        combining_(collective_.combining()),
        known_(!collective_.idempotent() && !table.rows->has_partial_reductions()),
        held_(work) {}

  // The longest chain; none if it is not known what must wait for what.
  MessageChain longest() const { return known_ ? longest_ : MessageChain{}; }
  // The longest so far, if what comes later cannot change that.
  MessageChain longest_so_far() const { return combining_ ? longest() : MessageChain{}; }

  void add(const StepRows& batch, std::span<const Message> messages) {
    if (!known_) return;
    coming_.clear();
    for (const Message& message : messages) send(batch, message);
    for (const ArrivingValue& it : coming_) arrive(it);
  }

 private:
  struct HeldValue {
    MessageChain chain;
    std::uint32_t fewest = 1;  // contributions
    std::uint32_t most = 1;
  };
  struct ArrivingValue {
    ChunkId chunk;
    NodeId node;
    HeldValue held;
  };

  void send(const StepRows& batch, const Message& message) {
    if (message.joins()) known_ = false;
    const NodeId sender = message.from.front().node;
    MessageChain chain;
    sent_.clear();
    for (std::uint32_t packet = 0; packet < message.packets; ++packet) {
      const ChunkId chunk = batch.rows[message.row(packet, 0)].chunk;
      const HeldValue* held = held_.find(left_from(chunk, sender));
      sent_.emplace_back(chunk, held == nullptr ? HeldValue{} : *held);
      chain.not_before(sent_.back().second.chain);
    }
    ++chain.rounds;
    chain.seconds += times_.overhead() + times_.start() + path(message);
    longest_.not_before(chain);
    for (auto& [chunk, held] : sent_) {
      held.chain = chain;
      for (const Message::End& to : message.to) coming_.push_back({chunk, to.node, held});
    }
  }

  // The seconds of the message's path at least: it may take another one that is as long.
  double path(const Message& message) const {
    if (message.to.size() > 1) return hop_;
    return hop_ * static_cast<double>(message.hops.size());
  }

  // A processor sends, under its own name, what it holds of a value; other contributions it passes on as they came.
  PlaceKey left_from(ChunkId chunk, NodeId sender) const {
    if (!combining_) return {chunk.value, sender.value};
    const ChunkName name = collective_.name(chunk);
    return name.origin == sender.value ? held_of(name, sender) : passed_on(chunk, sender);
  }
  PlaceKey held_of(const ChunkName& name, NodeId node) const { return {name.part, node.value}; }
  PlaceKey passed_on(ChunkId chunk, NodeId node) const { return {collective_.values() + chunk.value, node.value}; }

  void arrive(const ArrivingValue& it) {
    const ChunkName name = combining_ ? collective_.name(it.chunk) : ChunkName{};
    if (combining_ && name.target == it.node.value) return join(held_of(name, it.node), it.held);
    const PlaceKey place = combining_ ? passed_on(it.chunk, it.node) : PlaceKey{it.chunk.value, it.node.value};
    const auto [held, is_first] = held_.insert(place);
    // Of two copies either may come first.
    known_ = known_ && is_first;
    *held = it.held;
  }

  void join(const PlaceKey& place, const HeldValue& coming) {
    const auto [held, is_first] = held_.insert(place);
    if (is_first) *held = HeldValue{};
    if (coming.most > held->fewest) {
      held->chain = coming.chain;
      held->fewest = std::max(held->fewest, coming.fewest);
    } else {
      held->chain.not_before(coming.chain);
      held->fewest += coming.fewest;
    }
    held->most = std::min(held->most + coming.most, collective_.processors());
  }

  const Fabric& fabric_;
  const Collective& collective_;
  const replaying::ChannelTimes& times_;
  double hop_;  // the least latency of a channel
  bool combining_;
  bool known_;
  PacketTable<PlaceKey, HeldValue> held_;
  std::vector<std::pair<ChunkId, HeldValue>> sent_;  // by the message at work
  std::vector<ArrivingValue> coming_;                // in the round at work
  MessageChain longest_;
};

// What the busiest channel carries in all rounds, in seconds for a byte of a chunk; half duplex: the busiest link. Of
// each message the channels count that it takes by whichever shortest route it goes.
class Loads {
 public:
  Loads(const Fabric& fabric, const replaying::ChannelTimes& times, bool other_routes)
      : fabric_(fabric),
        times_(times),
        other_routes_(other_routes),
        router_(fabric),
        half_(fabric.rules().duplex == Duplex::half),
        seconds_(fabric.channels()) {}

  void add(const Message& message) {
    const NodeId from = message.from.front().node;
    const NodeId to = message.to.front().node;
    const bool one_receiver = other_routes_ && message.to.size() == 1;
    const auto chunks = static_cast<double>(message.packets);
    std::size_t count = message.hops.size();
    if (one_receiver) {
      const CertainHops& certain = hops_of_all(from, to, count);
      if (count == certain.distance) count = certain.count;
      if (count == 0) add(first_hops_[certain.first_hops], chunks);
    }
    for (std::size_t h = 0; h < count; ++h) {
      const ChannelId id = message.hops[one_receiver ? hop_from_sender(message, h) : h].channel;
      add(seconds_[(half_ ? fabric_.link(id) : id).value], times_.turn(id, fabric_.channel(id)) * chunks);
    }
  }
  double most() const { return most_; }

 private:
  // Channels with which shortest routes begin, and for how long they are busy together if they share alike.
  struct FirstHops {
    double turn = 0;  // of a chunk
    double seconds = 0;
  };
  // A message that takes a longer route than the distance keeps it.
  struct CertainHops {
    std::size_t distance = 0;
    std::size_t count = 0;       // hops from the sender on that are those of every shortest route
    std::size_t first_hops = 0;  // if there are none
  };

  void add(double& seconds, double more) {
    seconds += more;
    most_ = std::max(most_, seconds);
  }
  void add(FirstHops& it, double chunks) { add(it.seconds, it.turn * chunks); }

  const CertainHops& hops_of_all(NodeId from, NodeId to, std::size_t hops) {
    const auto [known, added] = certain_.try_emplace({from, to}, CertainHops{hops, hops});
    if (!added || !router_.leaves_choice(from, to)) return known->second;
    CertainHops& it = known->second;
    it = {router_.distance(from, to).value_or(0)};
    for (NodeId at = from; at != to; ++it.count) {
      const std::vector<ChannelId> first = router_.first_channels(at, to);
      if (first.size() != 1) break;
      at = fabric_.channel(first.front()).to;
    }
    if (it.count == 0) it.first_hops = number_of(router_.first_channels(from, to));
    return it;
  }

  std::size_t number_of(std::vector<ChannelId> channels) {
    double rate = 0;
    for (const ChannelId id : channels) rate += 1 / times_.turn(id, fabric_.channel(id));
    const auto [known, added] = numbers_.try_emplace(std::move(channels), first_hops_.size());
    if (added) first_hops_.push_back({1 / rate});
    return known->second;
  }

  // A path's hops come in the order of its channels' ends, from the root outwards.
  static std::size_t hop_from_sender(const Message& message, std::size_t h) {
    return message.inwards[message.inwards.size() - 1 - h];
  }

  const Fabric& fabric_;
  const replaying::ChannelTimes& times_;
  bool other_routes_;
  Router router_;
  bool half_;
  std::vector<double> seconds_;
  std::map<std::pair<NodeId, NodeId>, CertainHops> certain_;
  std::map<std::vector<ChannelId>, std::size_t> numbers_;
  std::vector<FirstHops> first_hops_;
  double most_ = 0;
};

AnyRounds bound_of(const MessageChain& longest, const Loads& loads) {
  return {longest.rounds, {longest.seconds, loads.most()}};
}

}  // namespace

std::optional<AnyRounds> any_rounds(const SendTable& table, const Costs& costs, bool other_routes, const Limits& limits,
                                    const std::function<bool(const AnyRounds&)>& enough) {
  const bool may_join = table.fabric.switches_reduce() && table.collective.combining();
  if (may_join || table.fabric.rules().paths == Paths::held) return AnyRounds{};
  try {
    Work work(limits);
    const replaying::ChannelTimes times(table.fabric, transfer_costs(costs), 1);
    MessageChains chains(table, times, work);
    Loads loads(table.fabric, times, other_routes);
    StepMessages messages(table.fabric, table.collective, work);
    const auto cursor = table.rows->open();
    while (const auto batch = cursor->next()) {
      work.spend(batch->rows.size());
      const std::span<const Message> round = messages.read(*batch);
      chains.add(*batch, round);
      for (const Message& message : round) loads.add(message);
      const AnyRounds so_far = bound_of(chains.longest_so_far(), loads);
      if (enough(so_far)) return so_far;
    }
    if (cursor->ended_early() != Reason::none) return std::nullopt;
    return bound_of(chains.longest(), loads);
  } catch (const Ended&) {
    return std::nullopt;
  }
}

}  // namespace quadrille::driver
