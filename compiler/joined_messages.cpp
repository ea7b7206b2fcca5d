// A message follows its path up to the first node that one before it leaves, too. If that is a switch, they join there;
// at a processor they cannot, nor at the receiver, which has one channel for it: then it is a message of its own.
//
// For example, `for k in 1..3: send k -> 0` around a switch is one message: 1 has its whole path, 2 and 3 have their
// first channels. Cost: the paths, with a look-up in an ordered map for each channel.
#include "compiler/joined_messages.h"

#include <algorithm>

namespace quadrille {

bool JoinedMessages::apply(const Plan& plan, const Fabric& fabric) {
  return fabric.rules().switches == Switching::reduce && plan.collectives[0].combining() && !plan.words &&
         fabric.nodes() > fabric.processors();
}

JoinedMessages::Wanted JoinedMessages::wanted(ChunkId chunk) const {
  const ChunkName name = collective_.name(chunk);
  return {name.target.value_or(0), name.part};
}

void JoinedMessages::add(const MadeMessage& message) {
  Sent& sent = sent_.emplace_back(Sent{{message.chunks.begin(), message.chunks.end()}, message.serial});
  std::stable_sort(sent.chunks.begin(), sent.chunks.end(),
                   [this](ChunkId a, ChunkId b) { return wanted(a) < wanted(b); });
  Key key{message.receivers.front(), {}};
  for (const ChunkId chunk : sent.chunks) key.second.push_back(wanted(chunk));
  const bool twice = std::adjacent_find(key.second.begin(), key.second.end()) != key.second.end();
  const auto number = static_cast<std::uint32_t>(sent_.size() - 1);
  std::vector<std::size_t>& alike = by_key_[std::move(key)];
  for (const std::size_t other : alike) {
    if (!twice && join(message, number, messages_[other])) return;
  }
  alike.push_back(messages_.size());
  append(message, message.channels.size(), number, messages_.emplace_back());
}

bool JoinedMessages::join(const MadeMessage& message, std::uint32_t sent, Message& to) const {
  std::size_t length = 0;
  const auto tail = [&](std::size_t i) { return fabric_.channel(message.channels[i]).from; };
  while (length < message.channels.size() && !to.left.contains(tail(length))) ++length;
  if (length == 0 || length == message.channels.size() || fabric_.is_processor(tail(length))) return false;
  append(message, length, sent, to);
  return true;
}

void JoinedMessages::append(const MadeMessage& message, std::size_t channels, std::uint32_t sent, Message& to) const {
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
