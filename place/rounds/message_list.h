// A MessageList stores the messages of rounds: those of a schedule, or those that retiming made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/ids.h"
#include "place/flights/flights.h"

namespace quadrille {

// A message as a view; its parts are stored elsewhere.
struct MadeMessage {
  std::uint32_t round = 0;
  NodeId sender;
  std::span<const NodeId> receivers;
  std::span<const ChannelId> channels;  // those next to the sender first
  std::span<const ChunkId> chunks;
  SendSerial serial = 0;
  bool named_path = false;  // the schedule says it (`along`)
};

class MessageList {
 public:
  // Copies the message's parts. Ends the validity of the views that at() has returned.
  void add(const MadeMessage& message) {
    entries_.push_back({message.round, message.sender, message.serial, message.named_path, receivers_.size(),
                        channels_.size(), chunks_.size()});
    receivers_.insert(receivers_.end(), message.receivers.begin(), message.receivers.end());
    channels_.insert(channels_.end(), message.channels.begin(), message.channels.end());
    chunks_.insert(chunks_.end(), message.chunks.begin(), message.chunks.end());
  }

  std::size_t size() const { return entries_.size(); }
  MadeMessage at(std::size_t i) const {
    const Entry& it = entries_[i];
    const bool last = i + 1 == entries_.size();
    const auto piece = [last](const auto& all, std::size_t first, std::size_t next) {
      return std::span(all).subspan(first, (last ? all.size() : next) - first);
    };
    const Entry& next = entries_[last ? i : i + 1];
    return {it.round,
            it.sender,
            piece(receivers_, it.first_receiver, next.first_receiver),
            piece(channels_, it.first_channel, next.first_channel),
            piece(chunks_, it.first_chunk, next.first_chunk),
            it.serial,
            it.named_path};
  }

  // Returns the memory that the list takes, in bytes.
  std::size_t bytes() const {
    return entries_.size() * sizeof(Entry) + receivers_.size() * sizeof(NodeId) + channels_.size() * sizeof(ChannelId) +
           chunks_.size() * sizeof(ChunkId);
  }

 private:
  struct Entry {
    std::uint32_t round;
    NodeId sender;
    SendSerial serial;
    bool named_path;
    std::size_t first_receiver, first_channel, first_chunk;
  };
  std::vector<Entry> entries_;
  std::vector<NodeId> receivers_;
  std::vector<ChannelId> channels_;
  std::vector<ChunkId> chunks_;
};

}  // namespace quadrille
