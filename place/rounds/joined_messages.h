// JoinedMessages joins messages at switches that reduce. A round's messages to one processor, with the same targets and
// parts, are there one message whose paths join at switches (model/MODEL.md, Rounds).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "place/rounds/message_list.h"

namespace quadrille {

class JoinedMessages {
 public:
  // A channel of a message, and the packets that cross it.
  struct MessageChannel {
    ChannelId channel;
    std::uint32_t sent = 0;  // index of the added message that crosses: its packets, in their order, and its serial
  };
  struct Sent {
    std::vector<ChunkId> chunks;  // by target and part
    SendSerial serial = 0;
  };
  struct JoinedMessage {
    std::vector<MessageChannel> crossings;
    std::set<NodeId> left;  // the nodes that one of its crossings leaves
  };

  // A key is the receiver, and the targets and parts of the packets that it gets, in order.
  using Wanted = std::pair<std::uint32_t, std::uint32_t>;
  using Key = std::pair<NodeId, std::vector<Wanted>>;
  static Wanted wanted(const Collective& collective, ChunkId chunk);
  static Key key_of(const Collective& collective, const MadeMessage& message);
  // Whether the key has some target and part twice. Such a message joins no other.
  static bool twice(const Key& key);
  // Returns the number of channels on a path before it meets, at a switch, a message that has left these nodes; nothing
  // where it does not meet one.
  static std::optional<std::size_t> before_meeting(const Fabric& fabric, std::span<const ChannelId> path,
                                                   const std::set<NodeId>& left);

  // Both outlive it.
  JoinedMessages(const Fabric& fabric, const Collective& collective) : fabric_(fabric), collective_(collective) {}

  // Whether a schedule's messages join on that fabric. They do not where sends speak of partial reductions, since each
  // send then has partial reductions of its own.
  static bool apply(const Fabric& fabric, const Collective& collective, bool partial_reductions);

  // Adds a message of the current round; messages come in the order of the sends.
  void add(const MadeMessage& message);
  // Returns all added messages, each joined to the first earlier one that it meets at a switch.
  const std::vector<JoinedMessage>& all() const { return messages_; }
  const Sent& sent(const MessageChannel& crossing) const { return sent_[crossing.sent]; }
  void clear();

 private:
  bool join(const MadeMessage& message, std::uint32_t sent, JoinedMessage& to) const;
  void append(const MadeMessage& message, std::size_t channels, std::uint32_t sent, JoinedMessage& to) const;

  const Fabric& fabric_;
  const Collective& collective_;
  std::vector<JoinedMessage> messages_;
  std::vector<Sent> sent_;
  std::map<Key, std::vector<std::size_t>> by_key_;  // of messages_
};

}  // namespace quadrille
