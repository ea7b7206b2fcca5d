// In each round all other messages are counted first. Then each of these, in the order of the table, takes the route of
// least load (calendar/least_route.h); once whole, and once in pieces, each by the route that is best by then. The
// pieces of one route are put together again.
//
// For example, a message of 18 chunks between two GPUs of dgx_h100, which has 5, 4, 4 and 5 lanes to its four switches,
// loads one switch with 18/5; divided it goes as four messages of 5, 4, 4 and 5 chunks, and the load is 1.
//
// A tree begins with some channel out of its sender, which all of its receivers can be reached by. Its receivers are
// then added one after another, each by the route of least load, where what the tree has already costs nothing. It may
// pass other processors, and parts at switches only. Of the trees of all first channels the one of the least load is
// taken. A round whose messages are between the same processors as those of the round before, as in a ring, takes that
// round's routes. Cost: for each message and piece, the channels on its shortest routes; for a tree, those to each
// receiver once for each first channel.
#include "place/rounds/spread_rounds.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "model/fabric.h"
#include "model/limits/work.h"
#include "model/route.h"
#include "model/text/evaluation_error.h"
#include "place/calendar/least_route.h"
#include "place/calendar/list_schedule.h"
#include "place/rounds/joined_messages.h"

namespace quadrille {
namespace {

constexpr double overfull = 1e15;        // more than any price: a channel whose lanes are all taken
constexpr std::size_t most_pieces = 32;  // of a message: loads are as even as that, and nearly as even as by chunks

// Whether the tree parts at switches only, and reaches each receiver, as a leaf, by a shortest way.
bool is_shortest_tree(const Fabric& fabric, const Router& router, const MadeMessage& message) {
  std::vector<std::pair<NodeId, std::uint32_t>> depths = {{message.sender, 0}};
  const auto depth_of = [&](NodeId node) {
    return std::ranges::find(depths, node, &decltype(depths)::value_type::first);
  };
  for (const ChannelId id : message.channels) {
    const Channel& channel = fabric.channel(id);
    const auto from = depth_of(channel.from);
    const auto leaves = [&](ChannelId other) { return fabric.channel(other).from == channel.from; };
    if (from == depths.end() || std::ranges::find(message.receivers, channel.from) != message.receivers.end())
      return false;
    if (fabric.is_processor(channel.from) && std::ranges::count_if(message.channels, leaves) > 1) return false;
    depths.emplace_back(channel.to, from->second + 1);
  }
  return std::ranges::all_of(message.receivers, [&](NodeId receiver) {
    const auto at = depth_of(receiver);
    return at != depths.end() && at->second > 0 && at->second == router.distance(message.sender, receiver);
  });
}

class RoundSpreader {
 public:
  RoundSpreader(const Fabric& fabric, const Limits& limits)
      : fabric_(fabric),
        router_(fabric),
        least_routes_(fabric, router_),
        loads_(fabric),
        pulse_(limits, 256),
        shared_(fabric.rules().paths == Paths::shared),
        divides_(shared_ && fabric.rules().ports == Ports::multi) {}

  // Adds the messages of one round, by other routes if these are better; says whether they are. What the messages
  // refer to must live until the next call.
  bool add(std::span<const MadeMessage> round, MessageList& to) {
    if (!std::ranges::equal(round, last_, loads_alike)) {
      const bool any = std::ranges::any_of(round, [&](const MadeMessage& it) { return may_change(it); });
      best_ = any ? better(round) : std::vector<Routed>();
      last_.assign(round.begin(), round.end());
    }
    const std::vector<Routed>& best = best_;
    auto next = best.begin();
    for (std::size_t m = 0; m < round.size(); ++m) {
      if (next == best.end() || next->message != m) to.add(round[m]);
      for (; next != best.end() && next->message == m; ++next) {
        MadeMessage message = round[m];
        message.channels = next->route;
        message.chunks = message.chunks.subspan(next->first_chunk, next->chunks);
        to.add(message);
      }
    }
    return !best.empty();
  }

 private:
  // Chunks of a message, by one route.
  struct Routed {
    std::size_t message;  // of the round
    std::size_t first_chunk;
    std::size_t chunks;
    std::vector<ChannelId> route;
  };

  // Whether two messages have the same routes to choose from, and load them alike, whatever chunks they carry.
  static bool loads_alike(const MadeMessage& a, const MadeMessage& b) {
    return a.sender == b.sender && a.named_path == b.named_path && a.chunks.size() == b.chunks.size() &&
           std::ranges::equal(a.receivers, b.receivers) && std::ranges::equal(a.channels, b.channels);
  }

  bool may_change(const MadeMessage& message) const {
    const auto chosen = [&](NodeId receiver) {
      return receiver != message.sender && router_.leaves_choice(message.sender, receiver);
    };
    if (message.named_path || message.chunks.empty() || !std::ranges::all_of(message.receivers, chosen)) return false;
    if (message.receivers.size() == 1)
      return router_.distance(message.sender, message.receivers[0]) == message.channels.size();
    return is_shortest_tree(fabric_, router_, message);
  }

  // The messages that may change, by the best routes; none if they are best as written.
  std::vector<Routed> better(std::span<const MadeMessage> round) {
    loads_.clear();
    for (const MadeMessage& message : round) loads_.add(message.channels, load(message.chunks.size()));
    double least = loads_.sum_of_greatest();
    if (!shared_ && !loads_.exceed_lanes()) return {};
    std::vector<Routed> best;
    std::vector<Routed> whole = routed(round, 1);
    if (!shared_) return loads_.exceed_lanes() ? best : whole;
    const auto take_if_less = [&](std::vector<Routed> next) {
      if (const double now = loads_.sum_of_greatest(); now < least) least = now, best = std::move(next);
    };
    take_if_less(std::move(whole));
    const auto has_pieces = [&](const MadeMessage& it) { return it.chunks.size() > 1 && may_change(it); };
    if (divides_ && std::ranges::any_of(round, has_pieces)) take_if_less(routed(round, most_pieces));
    return best;
  }

  // Counts the messages of the round, those that may change by routes of least load.
  std::vector<Routed> routed(std::span<const MadeMessage> round, std::size_t pieces) {
    loads_.clear();
    for (const MadeMessage& message : round) {
      if (!may_change(message)) loads_.add(message.channels, load(message.chunks.size()));
    }
    std::vector<Routed> all;
    for (std::size_t m = 0; m < round.size(); ++m) {
      if (pulse_.reached()) fail_at_limit(pulse_.reason(), "spreading routes");
      if (may_change(round[m])) route(round[m], m, pieces, all);
    }
    return all;
  }

  void route(const MadeMessage& message, std::size_t number, std::size_t pieces, std::vector<Routed>& all) {
    const std::size_t own = all.size();
    const std::size_t chunks = message.chunks.size();
    const std::size_t piece = std::max<std::size_t>((chunks + pieces - 1) / pieces, 1);
    const std::vector<ChannelId> firsts = first_channels(message);
    for (std::size_t chunk = 0; chunk < chunks; chunk += piece) {
      const std::size_t some = std::min(piece, chunks - chunk);
      const std::vector<ChannelId> route = least_route(message, firsts, load(some));
      loads_.add(route, load(some));
      const auto same =
          std::ranges::find(all.begin() + static_cast<std::ptrdiff_t>(own), all.end(), route, &Routed::route);
      if (same == all.end()) {
        all.push_back({number, 0, some, route});
      } else {
        same->chunks += some;
      }
    }
    for (std::size_t i = own + 1; i < all.size(); ++i) all[i].first_chunk = all[i - 1].first_chunk + all[i - 1].chunks;
  }

  // The channels that a tree may begin with.
  std::vector<ChannelId> first_channels(const MadeMessage& message) const {
    std::vector<ChannelId> all;
    if (message.receivers.size() == 1) return all;
    all = router_.first_channels(message.sender, message.receivers.front());
    for (const NodeId receiver : message.receivers.subspan(1)) {
      const std::vector<ChannelId> to_this = router_.first_channels(message.sender, receiver);
      std::erase_if(all, [&](ChannelId it) { return std::ranges::find(to_this, it) == to_this.end(); });
    }
    return all;
  }

  std::vector<ChannelId> least_route(const MadeMessage& message, std::span<const ChannelId> firsts,
                                     std::uint64_t load) {
    std::vector<ChannelId> best;
    if (message.receivers.size() == 1) {
      least_routes_.append(
          message.sender, message.receivers[0], {},
          [&](ChannelId channel, std::uint32_t) { return price(channel, load); }, best);
      return best;
    }
    std::pair<double, double> least(no_price, 0);
    for (const ChannelId first : firsts) {
      std::vector<ChannelId> tree = least_tree(message.receivers, first, load);
      std::pair<double, double> own(tree.empty() ? no_price : 0, 0);
      for (const ChannelId channel : tree) {
        const double more = price(channel, load);
        own = {std::max(own.first, more), own.second + more};
      }
      if (own < least) least = own, best = std::move(tree);
    }
    if (best.empty()) best.assign(message.channels.begin(), message.channels.end());
    return best;
  }

  // Empty if the receivers have no such tree in common.
  std::vector<ChannelId> least_tree(std::span<const NodeId> receivers, ChannelId first, std::uint64_t load) {
    std::vector<ChannelId> tree = {first};
    std::vector<ChannelId> route;
    for (const NodeId receiver : receivers) {
      const auto more = [&](ChannelId id, std::uint32_t hop) {
        if (std::ranges::find(tree, id) != tree.end()) return 0.0;
        const Channel& channel = fabric_.channel(id);
        const bool on_its_way =
            hop > 0 && (!fabric_.is_processor(channel.from) || passes(channel.from, tree, receivers));
        const auto enters = [&](ChannelId other) { return fabric_.channel(other).to == channel.to; };
        return on_its_way && std::ranges::none_of(tree, enters) ? price(id, load) : no_price;
      };
      route.clear();
      if (!least_routes_.append(fabric_.channel(first).from, receiver, {}, more, route)) return {};
      for (const ChannelId channel : route) {
        if (std::ranges::find(tree, channel) == tree.end()) tree.push_back(channel);
      }
    }
    return tree;
  }

  // Whether the tree may pass this processor by one more channel.
  bool passes(NodeId processor, std::span<const ChannelId> tree, std::span<const NodeId> receivers) const {
    const auto leaves = [&](ChannelId it) { return fabric_.channel(it).from == processor; };
    return std::ranges::find(receivers, processor) == receivers.end() && std::ranges::none_of(tree, leaves);
  }

  // What so many packets count on a channel: themselves; or, where paths are held, the lane that their message holds.
  std::uint64_t load(std::size_t packets) const { return shared_ ? packets : 1; }

  double price(ChannelId channel, std::uint64_t more) const {
    const bool full = !shared_ && loads_.exceeds_lanes(channel, 1, 0);
    return loads_.price(channel, more) + (full ? overfull : 0);
  }

  const Fabric& fabric_;
  Router router_;
  LeastRoutes least_routes_;
  RouteLoads loads_;               // of the round at work
  std::vector<MadeMessage> last_;  // the round before, and…
  std::vector<Routed> best_;       // …its best routes
  Pulse pulse_;
  bool shared_;
  bool divides_;
};

}  // namespace

std::optional<MessageList> spread_rounds(const WrittenRounds& written, const Limits& limits, bool words) {
  if (JoinedMessages::apply(written.fabric, written.collective, words)) return std::nullopt;
  RoundSpreader spreader(written.fabric, limits);
  MessageList messages;
  written.each_message([&](const MadeMessage& message) {
    if (messages.bytes() > limits.memory / 3) times_too_large(limits.memory, {});
    messages.add(message);
  });
  MessageList result;
  std::vector<MadeMessage> round;
  bool changed = false;
  for (std::size_t m = 0; m < messages.size(); ++m) {
    if (result.bytes() > limits.memory / 3) times_too_large(limits.memory, {});
    round.push_back(messages.at(m));
    if (m + 1 < messages.size() && messages.at(m + 1).round == round.front().round) continue;
    changed = spreader.add(round, result) || changed;
    round.clear();
  }
  return changed ? std::optional(std::move(result)) : std::nullopt;
}

}  // namespace quadrille
