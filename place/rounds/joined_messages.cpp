// A message follows its path up to the first node that an earlier message leaves, too. If that node is a switch, the
// two join there. They cannot join at a processor, nor at the receiver, which has one channel for it; the message is
// then one of its own.
//
// For example, `for k in 1..3: send k -> 0` around a switch is one message: 1 has its whole path, 2 and 3 have their
// first channels. Cost: the paths, with a look-up in an ordered map for each channel.
#include "place/rounds/joined_messages.h"

#include <algorithm>

namespace quadrille {

bool JoinedMessages::apply(const Fabric& fabric, const Collective& collective, bool partial_reductions) {
  return fabric.switches_reduce() && collective.combining() && !partial_reductions && fabric.has_switches();
}

JoinedMessages::Wanted JoinedMessages::wanted(const Collective& collective, ChunkId chunk) {
  const ChunkName name = collective.name(chunk);
  return {name.target.value_or(0), name.part};
}

JoinedMessages::Key JoinedMessages::key_of(const Collective& collective, const MadeMessage& message) {
  Key key{message.receivers.front(), {}};
  for (const ChunkId chunk : message.chunks) key.second.push_back(wanted(collective, chunk));
  std::sort(key.second.begin(), key.second.end());
  return key;
}

bool JoinedMessages::twice(const Key& key) {
  return std::adjacent_find(key.second.begin(), key.second.end()) != key.second.end();
}

std::optional<std::size_t> JoinedMessages::before_meeting(const Fabric& fabric, std::span<const ChannelId> path,
                                                          const std::set<NodeId>& left) {
  std::size_t length = 0;
  while (length < path.size() && !left.contains(fabric.channel(path[length]).from)) ++length;
  if (length == 0 || length == path.size() || fabric.is_processor(fabric.channel(path[length]).from)) {
    return std::nullopt;
  }
  return length;
}

void JoinedMessages::add(const MadeMessage& message) {
  Sent& sent = sent_.emplace_back(Sent{{message.chunks.begin(), message.chunks.end()}, message.serial});
  std::stable_sort(sent.chunks.begin(), sent.chunks.end(),
                   [this](ChunkId a, ChunkId b) { return wanted(collective_, a) < wanted(collective_, b); });
  Key key = key_of(collective_, message);
  const bool apart = twice(key);
  const auto number = static_cast<std::uint32_t>(sent_.size() - 1);
  std::vector<std::size_t>& alike = by_key_[std::move(key)];
  for (const std::size_t other : alike) {
    if (!apart && join(message, number, messages_[other])) return;
  }
  alike.push_back(messages_.size());
  append(message, message.channels.size(), number, messages_.emplace_back());
}

bool JoinedMessages::join(const MadeMessage& message, std::uint32_t sent, JoinedMessage& to) const {
  const auto length = before_meeting(fabric_, message.channels, to.left);
  if (!length) return false;
  append(message, *length, sent, to);
  return true;
}

void JoinedMessages::append(const MadeMessage& message, std::size_t channels, std::uint32_t sent,
                            JoinedMessage& to) const {
  for (std::size_t i = 0; i < channels; ++i) {
    to.left.insert(fabric_.channel(message.channels[i]).from);
    to.crossings.push_back({message.channels[i], sent});
  }
}

void JoinedMessages::clear() {
  messages_.clear();
  sent_.clear();
  by_key_.clear();
}

}  // namespace quadrille
