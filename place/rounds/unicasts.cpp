// A message in a round matters by who has what afterwards: each of its packets is at each of its receivers. In the
// complete graph that is one hop for each, in a step of its own, whatever path the message took. Retiming (retime.h)
// then finds the routes of the fabric that the schedule is retimed for. Packets keep a path that the schedule names:
// they arrive in the last step of their round, and leave as many steps before as the path has channels. In a combining
// collective only paths around switches are kept: a processor on the path would take the packets for others of their
// name.
//
// For example, a message of two packets from 0 to 2 by way of 1, in round 3, becomes two hops 0 -> 2 in step 3; if it
// says `along 1`, two times two hops in the steps 5 and 6. Cost: a flight for each message, packet and receiver.
#include "place/rounds/unicasts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/text/evaluation_error.h"
#include "model/topologies/complete.h"
#include "model/topologies/graph.h"

namespace quadrille {
namespace {

Fabric checked(Result<Fabric> fabric) {
  if (!fabric) throw EvaluationError{fabric.diagnostics().front(), true};
  return *fabric;
}

// All pairs of processors. Nothing is counted by channel of it.
Fabric complete(const Fabric& fabric, Limits limits) {
  limits.channels = most_channels;
  return checked(Fabric::make(Complete(fabric.processors(), 1), {}, {}, limits));
}

// All pairs of processors, and what `fabric` has.
Fabric complete_around(const Fabric& fabric, const Limits& limits) {
  if (!fabric.lists_channels() && !fabric.has_switches()) return complete(fabric, limits);
  constexpr std::uint64_t bytes_of_a_pair = 96;
  const std::uint64_t n = fabric.processors();
  if (n * n > limits.memory / bytes_of_a_pair) times_too_large(limits.memory, {});
  Graph graph;
  graph.processors = fabric.processors();
  for (std::uint32_t node = fabric.processors(); node < fabric.nodes(); ++node)
    graph.switch_names.push_back(fabric.name(NodeId(node)));
  std::set<std::pair<NodeId, NodeId>> linked;
  const auto link = [&](NodeId from, NodeId to) {
    if (from != to && linked.emplace(from, to).second) graph.channels.push_back({from, to, 1, 0});
  };
  for (const Channel& channel : fabric.all_channels()) link(channel.from, channel.to);
  for (std::uint32_t from = 0; from < fabric.processors(); ++from) {
    for (std::uint32_t to = 0; to < fabric.processors(); ++to) link(NodeId(from), NodeId(to));
  }
  return checked(Fabric::make(std::move(graph), {}, {}, limits));
}

class UnicastMaker {
 public:
  // Paths of at most `longest` channels are kept; 0: none.
  UnicastMaker(const Fabric& written_for, Fabric fabric, std::uint32_t longest, const Limits& limits)
      : written_for_(written_for),
        result_{std::move(fabric), {}},
        steps_(std::max(longest, 1U)),
        paths_(longest > 0),
        limits_(limits) {}

  void add(const MadeMessage& message, bool keep_path) {
    for (const NodeId receiver : message.receivers) {
      const std::vector<ChannelId> path = path_of(message, receiver, keep_path && paths_);
      for (const ChunkId chunk : message.chunks) add_flight(message, receiver, chunk, path);
    }
  }

  Unicasts take() {
    const auto departure = [&](const Flight& flight) { return result_.flights.of(flight).front().step; };
    const auto before = [&](const Flight& a, const Flight& b) { return departure(a) < departure(b); };
    if (!std::is_sorted(result_.flights.list.begin(), result_.flights.list.end(), before))
      std::stable_sort(result_.flights.list.begin(), result_.flights.list.end(), before);
    return std::move(result_);
  }

 private:
  std::vector<ChannelId> path_of(const MadeMessage& message, NodeId receiver, bool keep) const {
    std::vector<ChannelId> path;
    if (keep) {
      for (const ChannelId channel : message.channels) {
        const Channel& written = written_for_.channel(channel);
        path.push_back(result_.fabric.channel_between(written.from, written.to).value());
      }
      return path;
    }
    if (!written_for_.is_processor(message.sender) || !written_for_.is_processor(receiver)) {
      fail({},
           fmt::format("the message from {} to {} begins or ends at a switch: it cannot be placed anew",
                       written_for_.name(message.sender), written_for_.name(receiver)),
           Code::unsupported);
    }
    return {result_.fabric.channel_between(message.sender, receiver).value()};
  }

  void add_flight(const MadeMessage& message, NodeId receiver, ChunkId chunk, const std::vector<ChannelId>& path) {
    if (message.round > max_step / steps_) fail({}, "the rounds are too many to be placed as steps", Code::limit);
    Flights& flights = result_.flights;
    Flight flight;
    flight.serial = message.serial;
    flight.chunk = chunk;
    flight.source = message.sender;
    flight.target = receiver;
    flight.first_hop = flights.hops.size();
    flight.hops = static_cast<std::uint32_t>(path.size());
    flight.named_path = path.size() > 1;
    std::uint32_t step = message.round * steps_ - flight.hops + 1;
    for (const ChannelId channel : path) flights.hops.push_back({channel, step++});
    flights.list.push_back(flight);
    if (flights.hops.size() * sizeof(Hop) + flights.list.size() * sizeof(Flight) > limits_.memory)
      times_too_large(limits_.memory, {});
  }

  const Fabric& written_for_;
  Unicasts result_;
  std::uint32_t steps_;  // of a round
  bool paths_;
  const Limits& limits_;
};

// Whether its packets are to go by its path.
bool keeps_path(const WrittenRounds& written, const MadeMessage& message) {
  const Fabric& fabric = written.fabric;
  if (!message.named_path || message.receivers.size() != 1) return false;
  if (!fabric.is_processor(message.sender) || !fabric.is_processor(message.receivers[0])) return false;
  return !written.collective.combining() ||
         std::none_of(message.channels.begin(), message.channels.end() - 1,
                      [&](ChannelId channel) { return fabric.is_processor(fabric.channel(channel).to); });
}

std::uint32_t longest_path(const WrittenRounds& written) {
  std::size_t longest = 0;
  written.each_message([&](const MadeMessage& message) {
    if (keeps_path(written, message)) longest = std::max(longest, message.channels.size());
  });
  return static_cast<std::uint32_t>(longest);
}

}  // namespace

Unicasts unicasts_of(const MessageList& messages, const Fabric& written_for, const Limits& limits) {
  UnicastMaker maker(written_for, complete(written_for, limits), 0, limits);
  for (std::size_t i = 0; i < messages.size(); ++i) maker.add(messages.at(i), false);
  return maker.take();
}

Unicasts unicasts_of(const WrittenRounds& written, const Limits& limits) {
  const Fabric& own = written.fabric;
  const std::uint32_t longest = longest_path(written);
  UnicastMaker maker(own, longest > 0 ? complete_around(own, limits) : complete(own, limits), longest, limits);
  written.each_message([&](const MadeMessage& message) { maker.add(message, keeps_path(written, message)); });
  return maker.take();
}

}  // namespace quadrille
