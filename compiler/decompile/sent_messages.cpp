// The rows of a round with one number form one message, whose channels lead from its sender over paths that part at
// switches. For example, the rows 0->1 and 1->2 of message 0 with the packets 0->1 and 0->2 on each are `send 0 -> 2
// carrying 0 -> {1, 2}` on a line.
#include "compiler/decompile/sent_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/decompile/named_packets.h"
#include "compiler/decompile/sent_reductions.h"

namespace quadrille {
namespace {

class MessageReader {
 public:
  MessageReader(const SendTable& table, const Router& router) : table_(table), fabric_(table.fabric), router_(router) {}

  Result<SentFlights> read() {
    if (table_.rows->has_partial_reductions()) reductions_.emplace(table_);
    const auto cursor = table_.rows->open();
    while (const auto step = cursor->next()) {
      if (!read_round(*step))
        return error_at({}, fmt::format("in round {} {}", step->step.value, why_), Code::unsupported);
    }
    if (cursor->ended_early() != Reason::none) {
      return error_at({}, "its rows could not be read to the end", code_of(cursor->ended_early()));
    }
    // Where a schedule speaks of partial reductions, its messages do not join.
    if (!stays_apart_.empty() && std::ranges::none_of(result_.flights, &SentFlight::speaks))
      return error_at({}, stays_apart_, Code::unsupported);
    std::ranges::sort(result_.flights);
    return std::move(result_);
  }

 private:
  struct Shape {
    std::set<ChannelId> channels;
    std::set<ChunkId> chunks;
    std::set<std::pair<ChannelId, ChunkId>> crossed;
    std::vector<std::size_t> rows;  // indices
  };
  using Path = std::vector<ChannelId>;

  // A row without a number is a message of its own.
  bool read_round(const StepRows& round) {
    std::map<std::uint64_t, Shape> shapes;
    for (std::size_t i = 0; i < round.rows.size(); ++i) {
      Shape& shape = shapes[round.messages.empty() ? i : round.messages[i].value];
      shape.channels.insert(round.rows[i].channel);
      shape.chunks.insert(round.rows[i].chunk);
      shape.crossed.emplace(round.rows[i].channel, round.rows[i].chunk);
      shape.rows.push_back(i);
    }
    if (reductions_ && !reductions_->read(round)) return refuse(reductions_->why_not());
    std::set<std::uint32_t> receivers;
    std::set<std::pair<NodeId, ChunkId>> arriving;
    const bool join = table_.collective.combining() && fabric_.switches_reduce() && fabric_.has_switches();
    for (const auto& [number, shape] : shapes) {
      auto message = message_of(shape);
      if (!message) return false;
      message->step = round.step.value;
      if (reductions_ && !say_reductions(round, shape, *message)) return false;
      for (const std::uint32_t receiver : message->to) {
        for (const ChunkId chunk : shape.chunks) arriving.emplace(NodeId{receiver}, chunk);
        if (!receivers.insert(receiver).second && join && stays_apart_.empty()) {
          stays_apart_ = fmt::format(
              "in round {} several messages come to processor {}, and those of a schedule join in switches that reduce",
              round.step.value, receiver);
        }
      }
      result_.flights.push_back(*std::move(message));
    }
    received_.merge(arriving);
    return true;
  }

  std::optional<SentFlight> message_of(const Shape& shape) {
    const std::size_t all = shape.channels.size() * shape.chunks.size();
    if (shape.rows.size() != all || shape.crossed.size() != all)
      return refused("not every packet of a message crosses each of its channels once");
    const auto from = sender_of(shape.channels);
    if (!from) return std::nullopt;
    SentFlight message;
    message.from = from->value;
    for (const ChunkId chunk : shape.chunks) message.chunks.push_back(table_.collective.name(chunk));
    std::ranges::sort(message.chunks);
    if (!is_product(message.chunks) && !holds_all(*from, shape.chunks)) return std::nullopt;
    const auto paths = paths_from(*from, shape.channels);
    if (!paths || !find_targets(*from, *paths, message)) return std::nullopt;
    std::ranges::sort(message.to);
    return message;
  }

  // One send says the same of all its packets.
  bool say_reductions(const StepRows& round, const Shape& shape, SentFlight& message) {
    std::vector<ReductionToSay> sent;
    std::set<bool> kept;
    for (const std::size_t i : shape.rows) {
      const Channel& channel = fabric_.channel(round.rows[i].channel);
      const ReductionToSay& said = reductions_->to_say()[i];
      if (channel.from.value == message.from) sent.push_back(said);
      const bool arrives = std::ranges::binary_search(message.to, channel.to.value);
      if (arrives && table_.collective.name(round.rows[i].chunk).target == channel.to.value) kept.insert(said.keeping);
      if (!arrives && said.keeping) {
        return refuse(fmt::format("processor {} keeps what passes it on the way to others", channel.to.value));
      }
    }
    if (kept.size() > 1)
      return refuse(fmt::format("a message out of processor {} brings words that are kept, and others", message.from));
    message.keeping = kept.contains(true);
    const auto& sum = sent.front().sum;
    if (sum && std::ranges::all_of(sent, [&](const ReductionToSay& said) { return said.sum == sum; })) {
      message.sum.assign(sum->all().begin(), sum->all().end());
      return true;
    }
    return std::ranges::all_of(sent, &ReductionToSay::held) ||
           refuse(fmt::format("a message out of processor {} carries several sums", message.from));
  }

  // What no sets of origins, targets and parts name is sent as a part of what is held. A sender of a combining
  // collective holds its partial reductions under its own name.
  bool holds_all(NodeId sender, const std::set<ChunkId>& chunks) {
    for (const ChunkId chunk : chunks) {
      if (!table_.collective.combining() &&
          (table_.collective.starts_at(chunk, sender) || received_.contains({sender, chunk})))
        continue;
      return refuse(
          fmt::format("processor {} sends a message of packets that no sets of origins, targets and parts "
                      "name; nor are they a part of what it holds, packet {} among them",
                      sender.value, table_.collective.label(chunk)));
    }
    return true;
  }

  // Returns the node from which the channels lead; nothing if it is no processor, or if there are several.
  std::optional<NodeId> sender_of(const std::set<ChannelId>& channels) {
    std::set<NodeId> entered;
    for (const ChannelId channel : channels) {
      const NodeId to = fabric_.channel(channel).to;
      if (entered.insert(to).second) continue;
      return refused(fmt::format("a message enters {} over several channels", fabric_.name(to)));
    }
    std::optional<NodeId> sender;
    for (const ChannelId channel : channels) {
      const NodeId from = fabric_.channel(channel).from;
      if (entered.contains(from)) continue;
      if (!fabric_.is_processor(from)) return refused(fmt::format("a message begins at switch {}", fabric_.name(from)));
      if (sender && *sender != from)
        return refused(fmt::format("a message begins at {} and at {}", fabric_.name(*sender), fabric_.name(from)));
      sender = from;
    }
    if (!sender) return refused("a message goes round in a circle");
    return sender;
  }

  // Returns a path to each node at which the channels end; nothing if some are not reached, or if paths part where they
  // must not.
  std::optional<std::vector<Path>> paths_from(NodeId sender, const std::set<ChannelId>& channels) {
    std::map<NodeId, std::vector<ChannelId>> out;
    for (const ChannelId channel : channels) out[fabric_.channel(channel).from].push_back(channel);
    const bool may_part = !table_.collective.combining() && !fabric_.switches_forward();
    std::vector<Path> ended;
    std::vector<std::pair<NodeId, Path>> open{{sender, {}}};
    std::size_t reached = 0;
    while (!open.empty()) {
      const auto [node, path] = std::move(open.back());
      open.pop_back();
      const auto ways = out.find(node);
      if (ways == out.end()) {
        ended.push_back(path);
        continue;
      }
      if (ways->second.size() > 1 && (!may_part || fabric_.is_processor(node)))
        return refused(fmt::format("a message parts at {}", fabric_.name(node)));
      for (const ChannelId channel : ways->second) {
        Path longer = path;
        longer.push_back(channel);
        open.emplace_back(fabric_.channel(channel).to, std::move(longer));
        ++reached;
      }
    }
    if (reached != channels.size()) return refused("a message's channels do not hang together");
    return ended;
  }

  bool find_targets(NodeId from, const std::vector<Path>& paths, SentFlight& message) {
    std::vector<ChannelId> channels;
    bool off_default = false;
    for (const Path& path : paths) {
      const NodeId target = fabric_.channel(path.back()).to;
      if (!fabric_.is_processor(target))
        return refuse(fmt::format("a message ends at switch {}", fabric_.name(target)));
      message.to.push_back(target.value);
      Path usual;
      if (paths.size() == 1) {
        router_.append_route(from, target, usual);
      } else {
        router_.append_route_in_tree(from, target, usual);
      }
      channels.insert(channels.end(), path.begin(), path.end());
      if (usual == path) continue;
      off_default = true;
      if (paths.size() > 1) continue;
      for (std::size_t hop = 1; hop < path.size(); ++hop) message.along.push_back(fabric_.channel(path[hop]).from);
    }
    if (paths.size() > 1 && off_default) message.links = links_of(fabric_, from, channels);
    return true;
  }

  bool refuse(std::string why) {
    why_ = std::move(why);
    return false;
  }
  std::nullopt_t refused(std::string why) {
    why_ = std::move(why);
    return std::nullopt;
  }

  const SendTable& table_;
  const Fabric& fabric_;
  const Router& router_;
  std::set<std::pair<NodeId, ChunkId>> received_;  // by processors, in earlier rounds
  std::optional<SentReductions> reductions_;       // where rows speak of them
  std::string stays_apart_;                        // why the messages of a schedule would join
  SentFlights result_;
  std::string why_;
};

}  // namespace

Result<SentFlights> sent_messages(const SendTable& table, const Router& router) {
  return MessageReader(table, router).read();
}

Result<SentFlights> sends_of(const SendTable& table, const Router& router) {
  try {
    return table.fabric.in_rounds() ? sent_messages(table, router) : sent_flights(table, router);
  } catch (const Ended& ended) {
    return error_at({}, "working out its partial reductions needs more memory than there is", code_of(ended.reason));
  }
}

}  // namespace quadrille
