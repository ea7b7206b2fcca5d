// Two things stay as they are when messages are placed anew on shared paths: what a message must wait for, and what
// those channels carry together of which every shortest route of a message crosses one. So there are as many rounds as
// the longest chain of messages has, each with a start and the hops of that message's path; and besides, the busiest of
// those channels takes its time for all that they carry.
//
// A chain: a chunk that is copied leaves a processor after it has come there. A contribution is joined with those that
// a processor holds, and what it sends afterwards has both. But where more comes than it holds, that may be in place of
// what it holds, and then what leaves need not wait for that. Numbers of contributions tell them apart, from the fewest
// to the most that there may be.
//
// For example, allreduce_segmented_ring among 8 with 2 segments is written in 28 rounds; its chains have 14 messages.
#include "driver/search/any_rounds.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "driver/inputs/message_time.h"
#include "model/containers/packet_table.h"
#include "model/limits/work.h"
#include "model/route.h"
#include "model/topologies/flow_network.h"
#include "motion/step_messages.h"
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
    // Either of two copies may come first.
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

// Loads adds up the seconds that the busiest channel (half duplex: link) takes in all rounds, for a byte of a chunk.
// Where a message may go by other routes that are as short, it crosses each of some cuts: the channels at one distance
// from the sender, and the cut of the least rate (smallest_cut). A cut's channels carry it together. Of a message to
// several these are the channels out of the sender, and those into each receiver.
class Loads {
 public:
  Loads(const Fabric& fabric, const replaying::ChannelTimes& times, bool other_routes)
      : fabric_(fabric),
        other_routes_(other_routes),
        router_(fabric),
        half_(fabric.rules().duplex == Duplex::half),
        seconds_(fabric.channels()) {
    for (std::uint32_t id = 0; id < fabric.channels(); ++id) {
      turns_.push_back(times.turn(ChannelId(id), fabric.channel(ChannelId(id))));
    }
  }

  void add(const Message& message) {
    const auto chunks = static_cast<double>(message.packets);
    if (other_routes_ && message.to.size() == 1) {
      const PathCuts& cuts = cuts_between(message.from.front().node, message.to.front().node);
      if (cuts.distance == message.hops.size()) {
        for (const std::size_t cut : cuts.numbers) add(seconds_[cut], turns_[cut] * chunks);
        return;
      }
    }
    if (other_routes_ && message.to.size() > 1 && is_free(message)) return add_tree(message, chunks);
    for (const Message::Hop& hop : message.hops)
      add(seconds_[counted(hop.channel)], turns_[hop.channel.value] * chunks);
  }
  double most() const { return most_; }

 private:
  void add(double& seconds, double more) {
    seconds += more;
    most_ = std::max(most_, seconds);
  }

  // Whether there are several shortest trees.
  bool is_free(const Message& message) const {
    const NodeId sender = message.from.front().node;
    return std::ranges::any_of(message.to,
                               [&](const Message::End& it) { return router_.leaves_choice(sender, it.node); });
  }

  // Whatever tree it takes, it crosses some channel out of the sender, and one into each receiver.
  void add_tree(const Message& message, double chunks) {
    const auto add_cut = [&](const ChannelIds& ids) {
      const std::size_t cut = number_of(std::vector<ChannelId>(ids.begin(), ids.end()));
      add(seconds_[cut], turns_[cut] * chunks);
    };
    add_cut(fabric_.channels_from(message.from.front().node));
    for (const Message::End& it : message.to) add_cut(fabric_.channels_to(it.node));
  }

  std::size_t counted(ChannelId id) const { return (half_ ? fabric_.link(id) : id).value; }

  // None where there is but one route; then the distance is not known.
  struct PathCuts {
    std::size_t distance = 0;
    std::vector<std::size_t> numbers = {};
  };

  const PathCuts& cuts_between(NodeId from, NodeId to) {
    const auto [known, added] = cuts_.try_emplace({from, to});
    PathCuts& cuts = known->second;
    if (!added || !router_.leaves_choice(from, to)) return cuts;
    std::vector<ChannelId> all;
    for (std::vector<NodeId> nodes = {from}; nodes.front() != to; ++cuts.distance) {
      std::vector<ChannelId> layer;
      for (const NodeId node : nodes) std::ranges::copy(router_.first_channels(node, to), std::back_inserter(layer));
      nodes.clear();
      for (const ChannelId id : layer) nodes.push_back(fabric_.channel(id).to);
      std::ranges::sort(nodes);
      nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
      std::ranges::copy(layer, std::back_inserter(all));
      cuts.numbers.push_back(number_of(std::move(layer)));
    }
    const auto rate = [&](ChannelId id) { return 1 / turns_[id.value]; };
    cuts.numbers.push_back(number_of(smallest_cut(fabric_, all, from, to, rate)));
    std::ranges::sort(cuts.numbers);
    cuts.numbers.erase(std::unique(cuts.numbers.begin(), cuts.numbers.end()), cuts.numbers.end());
    return cuts;
  }

  // A cut of one channel has that channel's number, others have those after them.
  std::size_t number_of(std::vector<ChannelId> cut) {
    if (cut.size() == 1) return counted(cut.front());
    std::ranges::sort(cut);
    double rate = 0;
    for (const ChannelId id : cut) rate += 1 / turns_[id.value];
    const auto [known, added] = numbers_.try_emplace(std::move(cut), seconds_.size());
    if (added) {
      seconds_.push_back(0);
      turns_.push_back(1 / rate);
    }
    return known->second;
  }

  const Fabric& fabric_;
  bool other_routes_;
  Router router_;
  bool half_;
  std::vector<double> turns_;  // of a chunk, by channel, and then by cut
  std::vector<double> seconds_;
  std::map<std::pair<NodeId, NodeId>, PathCuts> cuts_;
  std::map<std::vector<ChannelId>, std::size_t> numbers_;  // of cuts
  double most_ = 0;
};

AnyRounds bound_of(const MessageChain& chain, const Loads& loads) {
  return {chain.rounds, chain.seconds, loads.most()};
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

// The rates become whole numbers, as flows have to be exact. For example, between cards 7 and 8 of two servers whose
// cards are on rails, each with one link, and on a faster switch, the cut is the links 7 -> rail 7 and 0 -> rail 0.
// Cost: that of a maximum flow along these channels.

std::vector<ChannelId> smallest_cut(const Fabric& fabric, std::span<const ChannelId> channels, NodeId source,
                                    NodeId target, const std::function<double(ChannelId)>& rate) {
  constexpr double units = 1 << 30;  // of the greatest rate
  double greatest = 0;
  std::map<NodeId, std::uint32_t> number_of{{source, 0}, {target, 1}};
  for (const ChannelId id : channels) {
    greatest = std::max(greatest, rate(id));
    for (const NodeId node : {fabric.channel(id).from, fabric.channel(id).to}) {
      number_of.emplace(node, static_cast<std::uint32_t>(number_of.size()));
    }
  }
  const auto from = [&](ChannelId id) { return number_of.at(fabric.channel(id).from); };
  const auto to = [&](ChannelId id) { return number_of.at(fabric.channel(id).to); };
  FlowNetwork network(static_cast<std::uint32_t>(number_of.size()));
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> capacities;
  for (const ChannelId id : channels) capacities[{from(id), to(id)}] += std::llround(rate(id) / greatest * units);
  for (const auto& [ends, there] : capacities) {
    const auto& [one, other] = ends;
    const auto back = capacities.find({other, one});
    const bool both_ways = back != capacities.end();
    if (!both_ways || one < other) network.link(one, other, there, both_ways ? back->second : 0);
  }
  const std::vector<bool> reached = network.source_side(number_of.at(source), number_of.at(target));
  std::vector<ChannelId> cut;
  std::ranges::copy_if(channels, std::back_inserter(cut),
                       [&](ChannelId id) { return reached[from(id)] && !reached[to(id)]; });
  return cut;
}

}  // namespace quadrille::driver
