// The messages of a round (motion/step_messages.h) are its sends. For example, the rows 0->1 and 1->2 of
// message 0 with the packets 0->1 and 0->2 on each are `send 0 -> 2 carrying 0 -> {1, 2}` on a line.
#include "compiler/decompile/sent_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/decompile/named_packets.h"
#include "compiler/decompile/sent_reductions.h"
#include "model/limits/work.h"
#include "motion/moves.h"
#include "motion/step_messages.h"

namespace quadrille {
namespace {

class RoundDecompiler {
 public:
  RoundDecompiler(const SendTable& table, const Router& router)
      : table_(table), fabric_(table.fabric), router_(router), messages_(fabric_, table.collective, work_) {}

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
    if (!stays_apart_.empty() && std::ranges::none_of(result_.sends, speaks))
      return error_at({}, stays_apart_, Code::unsupported);
    std::ranges::sort(result_.sends, {}, &SentWithHops::flight);
    return std::move(result_);
  }

 private:
  static bool speaks(const SentWithHops& sent) { return sent.flight.speaks(); }

  bool read_round(const StepRows& round) {
    if (reductions_ && !reductions_->read(round)) return refuse(reductions_->why_not());
    std::set<std::uint32_t> receivers;
    std::set<std::pair<NodeId, ChunkId>> arriving;
    const auto messages = messages_.read(round);
    if (!messages_.ill_formed().empty()) return ill_formed(round, messages_.ill_formed().front());
    for (const Message& message : messages) {
      if (!add(round, message)) return false;
      for (const std::uint32_t receiver : result_.sends.back().flight.to) {
        for (std::uint32_t packet = 0; packet < message.packets; ++packet)
          arriving.emplace(NodeId{receiver}, round.rows[message.row(packet, 0)].chunk);
        if (!receivers.insert(receiver).second && joins_in_switches(table_) && stays_apart_.empty()) {
          stays_apart_ = fmt::format(
              "in round {} several messages come to processor {}, and those of a schedule join in switches that reduce",
              round.step.value, receiver);
        }
      }
    }
    received_.merge(arriving);
    return true;
  }

  bool add(const StepRows& round, const Message& message) {
    if (message.joins()) {
      return refuse(fmt::format("a message joins on its way what {} and {} send", fabric_.name(message.from[0].node),
                                fabric_.name(message.from[1].node)));
    }
    const NodeId from = message.from.front().node;
    if (!fabric_.is_processor(from)) return refuse(fmt::format("a message begins at switch {}", fabric_.name(from)));
    SentFlight send;
    send.step = round.step.value;
    send.from = from.value;
    std::vector<ChunkId> chunks;
    for (std::uint32_t packet = 0; packet < message.packets; ++packet) {
      chunks.push_back(round.rows[message.row(packet, 0)].chunk);
      send.chunks.push_back(table_.collective.name(chunks.back()));
    }
    std::ranges::sort(send.chunks);
    if (!is_product(send.chunks) && !holds_all(from, chunks)) return false;
    std::vector<Hop> hops;
    for (std::size_t i = message.inwards.size(); i-- > 0;)
      hops.push_back({message.hops[message.inwards[i]].channel, send.step});
    if (!find_targets(message, hops, send)) return false;
    if (reductions_ && !say_reductions(round, message, send)) return false;
    result_.sends.push_back({std::move(send), std::move(hops)});
    return true;
  }

  // One send says the same of all its packets.
  bool say_reductions(const StepRows& round, const Message& message, SentFlight& send) {
    std::vector<ReductionToSay> sent;
    std::set<bool> kept;
    for (const std::uint32_t i : message.rows) {
      const Channel& channel = fabric_.channel(round.rows[i].channel);
      const ReductionToSay& said = reductions_->to_say()[i];
      if (channel.from.value == send.from) sent.push_back(said);
      const bool arrives = std::ranges::binary_search(send.to, channel.to.value);
      if (arrives && table_.collective.name(round.rows[i].chunk).target == channel.to.value) kept.insert(said.keeping);
      if (!arrives && said.keeping) {
        return refuse(fmt::format("processor {} keeps what passes it on the way to others", channel.to.value));
      }
    }
    if (kept.size() > 1)
      return refuse(fmt::format("a message out of processor {} brings words that are kept, and others", send.from));
    send.keeping = kept.contains(true);
    const auto& sum = sent.front().sum;
    if (sum && std::ranges::all_of(sent, [&](const ReductionToSay& said) { return said.sum == sum; })) {
      send.sum.assign(sum->all().begin(), sum->all().end());
      return true;
    }
    return std::ranges::all_of(sent, &ReductionToSay::held) ||
           refuse(fmt::format("a message out of processor {} carries several sums", send.from));
  }

  // What no sets of origins, targets and parts name is sent as a part of what is held. A sender of a combining
  // collective holds its partial reductions under its own name.
  bool holds_all(NodeId sender, const std::vector<ChunkId>& chunks) {
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

  // The receivers, and the nodes between or the links where some of them is not on its default route.
  bool find_targets(const Message& message, std::vector<Hop>& hops, SentFlight& send) {
    for (const Message::End& to : message.to) {
      if (!fabric_.is_processor(to.node))
        return refuse(fmt::format("a message ends at switch {}", fabric_.name(to.node)));
      send.to.push_back(to.node.value);
    }
    std::ranges::sort(send.to);
    const NodeId from{send.from};
    if (send.to.size() == 1) {
      std::vector<ChannelId> channels;
      for (const Hop& hop : hops) channels.push_back(hop.channel);
      std::vector<ChannelId> usual;
      router_.append_route(from, NodeId{send.to.front()}, usual);
      for (std::size_t hop = 1; usual != channels && hop < channels.size(); ++hop)
        send.along.push_back(fabric_.channel(channels[hop]).from);
      return true;
    }
    std::vector<Hop> usual = default_hops(router_, send, 0);
    if (cross_the_same(usual, hops)) {
      hops = std::move(usual);
    } else {
      send.links = links_of(fabric_, from, hops);
    }
    return true;
  }

  bool ill_formed(const StepRows& round, std::uint32_t row) {
    return refuse(fmt::format("message {} is not well formed", round.messages[row].value));
  }
  bool refuse(std::string why) {
    why_ = std::move(why);
    return false;
  }

  Limits limits_;
  Work work_{limits_};
  const SendTable& table_;
  const Fabric& fabric_;
  const Router& router_;
  StepMessages messages_;
  std::set<std::pair<NodeId, ChunkId>> received_;  // by processors, in earlier rounds
  std::optional<SentReductions> reductions_;       // where rows speak of them
  std::string stays_apart_;                        // why the messages of a schedule would join
  SentFlights result_;
  std::string why_;
};

}  // namespace

Result<SentFlights> sent_messages(const SendTable& table, const Router& router) {
  return RoundDecompiler(table, router).read();
}

Result<SentFlights> sends_of(const SendTable& table, const Router& router) {
  try {
    return table.fabric.in_rounds() ? sent_messages(table, router) : sent_flights(table, router);
  } catch (const Ended& ended) {
    return error_at({}, fmt::format("its rows could not be read to the end: {}", to_string(ended.reason)),
                    code_of(ended.reason));
  }
}

}  // namespace quadrille
