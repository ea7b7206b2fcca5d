// Makes a table of messages from who sends to whom in which round.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/send_table.h"

namespace quadrille::searching {

// A message, given by its path. Its contents are not given, only what it may carry.
struct DrawnMessage {
  std::uint32_t round = 1;
  std::uint32_t first_strand = 0;
  NodeId sender;
  std::vector<NodeId> receivers;
  std::vector<std::pair<ChannelId, LaneId>> ways;  // none: any path
  std::set<std::uint64_t> values = {};             // the chunks, or values, that it may carry; none: any
  bool may_carry(std::uint64_t value) const { return values.empty() || values.contains(value); }
};

// The schedule in which these messages carry what is of use. For copying collectives, each chunk comes from where it
// can come first. Where each value has one target, each partial reduction is sent once towards it. For idempotent
// operations, messages carry everything. Nothing if something does not arrive. The checker must judge whether it
// keeps to the rules.
std::optional<SendTable> round_table(const Fabric& fabric, const Collective& collective, std::string name,
                                     std::vector<DrawnMessage> messages);

// The schedule of one round in which everything goes by the shortest path from where it starts to where it is wanted.
// Nothing if there would be many messages, or some path is missing.
std::optional<SendTable> direct_table(const Fabric& fabric, const Collective& collective);

// --- pieces of both
// ----------------------------------------------------------------------------------------------------

inline constexpr std::size_t no_message = ~std::size_t{0};

// By node, the index of the message that first brings it the chunks, or contributions, that start at these
// processors; no_message if none does. `value`: the value that messages must be allowed to carry. Requires messages
// in the order of rounds.
std::vector<std::size_t> first_arrivals(const std::vector<DrawnMessage>& messages,
                                        const std::vector<std::uint32_t>& starts, std::uint64_t value,
                                        std::uint32_t nodes);

// The message's path, or tree, from its sender to these receivers, among the channels that it may take; empty if
// there is none.
std::vector<std::pair<ChannelId, LaneId>> tree_of(const Fabric& fabric, const DrawnMessage& message,
                                                  const std::set<NodeId>& receivers);

// The processor that wants the value, if only one does.
std::optional<NodeId> target_of(const Collective& collective, std::uint32_t value);

// --- messages that join ---------------------------------------------------------------------------------------------

// Messages that join at switches that reduce (model/MODEL.md, Rounds). With time reversed, they are messages that
// branch there: a message from many senders to one receiver becomes a message from that one to those many. So on
// links that are alike both ways, a combining collective has a schedule of T rounds only if the following holds: in T
// rounds of messages that branch, everything that comes to a processor can go from there to all whose contributions
// it is made of (verifier/ROUNDS_FORMULA.md, Messages that join).

// A message: its paths to the receiver, and the packets with which it leaves each sender. All senders' packets have
// the same targets and parts, in the same order. With one sender and a path it is an ordinary message.
struct JoiningMessage {
  std::uint32_t round = 1;
  NodeId receiver;
  std::vector<std::pair<ChannelId, LaneId>> ways;
  std::map<NodeId, std::vector<ChunkId>> packets;  // by sender
};

// Whether messages of the collective may join on the fabric: it combines, and the fabric has switches that reduce.
bool messages_join(const Fabric& fabric, const Collective& collective);

// The table of these messages. Rounds without messages are left out, and the others renumbered.
SendTable joined_table(const Fabric& fabric, const Collective& collective, std::string name,
                       std::vector<JoiningMessage> messages);

// The schedule in which messages that branch, time-reversed, carry each contribution to a value along the path by
// which the value's target first reaches the contributor. Nothing if some value has several targets, or something
// does not arrive. Requires links that are alike. The checker must judge whether it keeps to the rules.
std::optional<SendTable> time_reversed_table(const Fabric& fabric, const Collective& collective, std::string name,
                                             std::vector<DrawnMessage> branching);

// The schedule of one round in which everything joins on the way to its target. Nothing in the cases of
// time_reversed_table(), or if it would be large.
std::optional<SendTable> direct_joined_table(const Fabric& fabric, const Collective& collective);

// A schedule of two rounds through one switch that reduces: all send to it, and it sends each target its results.
// Requires messages_join(…), and that the hub is a switch. Nothing for exclusive prefixes, if some path is
// missing, or if there would be many packets. The checker must judge whether it keeps to the rules.
std::optional<SendTable> hub_table(const Fabric& fabric, const Collective& collective, NodeId hub);

}  // namespace quadrille::searching
