// Messages may join at switches that reduce (model/MODEL.md, Rounds). Time-reversed, they are messages that branch
// there: a joining message brings from many senders to one receiver what the branching one brings from that one to
// those many. So, on links that are alike in both directions, a combining collective can be done in T rounds only if
// every partial reduction that reaches a processor can go from there to all its contributors in T rounds of messages
// that branch (verifier/ROUNDS_FORMULA.md, Messages that join).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/send_table.h"
#include "verifier/search/rounds/tables.h"

namespace quadrille::searching {

// A message with its paths to the receiver, and the packets with which it leaves each sender. These have the same
// targets and parts everywhere, in the same order. With one sender and one path it is an ordinary message.
struct JoiningMessage {
  std::uint32_t round = 1;
  NodeId receiver;
  std::vector<std::pair<ChannelId, LaneId>> ways;
  std::map<NodeId, std::vector<ChunkId>> packets;  // by sender
};

// Whether messages of the collective may join on the fabric.
bool messages_join(const Fabric& fabric, const Collective& collective);

// Whether every link goes both ways, with as many lanes each.
bool links_are_alike(const Fabric& fabric);

// Returns the table of these messages. Rounds are numbered anew, without those that have no message.
SendTable joined_table(const Fabric& fabric, const Collective& collective, std::string name,
                       std::vector<JoiningMessage> messages);

// Returns the table of messages that branch, time-reversed. They carry each contribution to a value on the path by
// which the value's target first reaches the contributor. Returns nothing where some value has several targets, or a
// contribution does not arrive. Requires links that are alike. The checker decides whether it keeps to the rules.
std::optional<SendTable> time_reversed_table(const Fabric& fabric, const Collective& collective, std::string name,
                                             std::vector<DrawnMessage> branching);

// Returns the schedule of one round in which all contributions join on their routes to the target; nothing in the cases
// above.
std::optional<SendTable> direct_joined_table(const Fabric& fabric, const Collective& collective);

}  // namespace quadrille::searching
