// A table's rows as messages, by the page (model/MODEL.md, Rounds): slow, and to be compared with it by eye. It shares
// nothing with what it is compared with: the checker's reading, and that of all others (motion).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "model/send_table.h"

namespace quadrille::reference {

using Wanted = std::pair<std::uint32_t, std::uint32_t>;  // target, part

struct RoundMessage {
  struct End {
    NodeId receiver;
    ChannelId channel;  // the last one on the way to it
    std::uint32_t lane = 0;
  };
  std::uint32_t round = 0;
  std::set<NodeId> senders;  // one, unless it joins
  std::set<ChunkId> chunks;
  bool joins = false;
  std::map<std::pair<ChannelId, Wanted>, ChunkId> joining;  // if so: which packet stands for a (target, part) there
  std::uint64_t length = 0;
  std::set<std::pair<ChannelId, std::uint32_t>> ways;  // with the lane
  std::vector<End> ends;
  std::map<std::pair<ChunkId, ChannelId>, ReductionUse> words;  // what its rows say of them
  std::uint64_t longest = 0;                                    // channels from the sender to a receiver
};

struct RoundMessages {
  std::vector<RoundMessage> all;  // by round, then in the order of their numbers
  std::uint64_t ill_formed = 0;
};

RoundMessages messages_of(const SendTable& table);

}  // namespace quadrille::reference
