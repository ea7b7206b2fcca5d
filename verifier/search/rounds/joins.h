// Messages that join at switches that reduce (model/MODEL.md, Rounds). With time reversed they are messages that branch
// there: what one brings from many senders to one receiver, the other brings from that one to those many. So in T
// rounds a combining collective is done only if, on links that are alike both ways, whatever comes to a processor can
// go from there to all whose contributions it is made of, in T rounds of messages that branch
// (verifier/ROUNDS_FORMULA.md, Messages that join).
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

// A message by its ways to the receiver, and the packets with which it leaves each sender: of the same targets and
// parts everywhere, in the same order. One sender, and a path: a message like others.
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

// Rounds are counted anew, without those that have no message.
SendTable joined_table(const Fabric& fabric, const Collective& collective, std::string name,
                       std::vector<JoiningMessage> messages);

// What messages that branch, time-reversed, carry: each contribution to a value by the way on which the value's target
// first reaches the contributor. Nothing where some value has several targets, or something does not come. Requires
// links that are alike. Whether it keeps to the rules is for the checker to say.
std::optional<SendTable> time_reversed_table(const Fabric& fabric, const Collective& collective, std::string name,
                                             std::vector<DrawnMessage> branching);

// The schedule of one round in which everything joins on the way to its target. Nothing as above.
std::optional<SendTable> direct_joined_table(const Fabric& fabric, const Collective& collective);

}  // namespace quadrille::searching
