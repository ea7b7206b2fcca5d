// Where switches reduce, a round's messages to one processor with the same targets and parts are one, whose ways join
// at switches (model/MODEL.md, Rounds).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "compiler/plan/message_list.h"
#include "compiler/plan/plan.h"
#include "model/collective.h"
#include "model/fabric.h"

namespace quadrille {

class JoinedMessages {
 public:
  // A channel of a message, and what crosses it.
  struct MessageChannel {
    ChannelId channel;
    std::uint32_t sent = 0;  // index of what was added: its packets, in their order, and its serial
  };
  struct Sent {
    std::vector<ChunkId> chunks;  // by target and part
    SendSerial serial = 0;
  };
  struct JoinedMessage {
    std::vector<MessageChannel> crossings;
    std::set<NodeId> left;  // by one of these
  };

  // The receiver, and the targets and parts of what it gets, in order.
  using Wanted = std::pair<std::uint32_t, std::uint32_t>;
  using Key = std::pair<NodeId, std::vector<Wanted>>;
  static Wanted wanted(const Collective& collective, ChunkId chunk);
  static Key key_of(const Collective& collective, const MadeMessage& message);
  // Whether it has a target and part twice, so that it joins no other.
  static bool twice(const Key& key);
  // How many channels of a path there are before it meets, at a switch, a message that has left these nodes; nothing
  // where it does not.
  static std::optional<std::size_t> before_meeting(const Fabric& fabric, std::span<const ChannelId> path,
                                                   const std::set<NodeId>& left);

  // Both outlive it.
  JoinedMessages(const Fabric& fabric, const Collective& collective) : fabric_(fabric), collective_(collective) {}

  // Whether messages of the plan join where they are on that fabric. Not where sends speak of words: those of each are
  // its own.
  static bool apply(const Plan& plan, const Fabric& fabric);

  // A message of the round at work, in the order of the sends.
  void add(const MadeMessage& message);
  // All that were added, each joined to the first before it that it meets at a switch.
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
