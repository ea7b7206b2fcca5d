// From who sends to whom in which round to a table of messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/send_table.h"

namespace quadrille::searching {

// A message by its way; what it carries is not said, but for what it may.
struct DrawnMessage {
  std::uint32_t round = 1;
  std::uint32_t first_strand = 0;
  NodeId sender;
  std::vector<NodeId> receivers;
  std::vector<std::pair<ChannelId, LaneId>> ways;  // none: any way
  std::set<std::uint64_t> values = {};             // the chunks, or values, that it may carry; none: any
  bool may_carry(std::uint64_t value) const { return values.empty() || values.contains(value); }
};

// The schedule in which these messages carry what is of use: copying collectives, each chunk from where it comes first;
// where each value has one target, each partial reduction once towards it; idempotent ones, all that there is. Nothing
// for other collectives, nor where something does not come. Whether it keeps to the rules is for the checker to say.
std::optional<SendTable> round_table(const Fabric& fabric, const Collective& collective, std::string name,
                                     std::vector<DrawnMessage> messages);

// The schedule of one round in which everything goes from where it starts to where it is wanted, by the shortest way.
// Nothing where that would be many messages, or there is no way.
std::optional<SendTable> direct_table(const Fabric& fabric, const Collective& collective);

// --- pieces of it, for joins.cpp ------------------------------------------------------------------------------

inline constexpr std::size_t no_message = ~std::size_t{0};

// The message that first brings to each node what starts at these processors; `value`: what messages may carry of it.
// Requires that messages are in the order of rounds.
std::vector<std::size_t> first_arrivals(const std::vector<DrawnMessage>& messages,
                                        const std::vector<std::uint32_t>& starts, std::uint64_t value,
                                        std::uint32_t nodes);

// The way of the message from its sender to these receivers, among those that it may take; empty where there is none.
std::vector<std::pair<ChannelId, LaneId>> tree_of(const Fabric& fabric, const DrawnMessage& message,
                                                  const std::set<NodeId>& receivers);

// The processor that wants the value, if it is one only.
std::optional<NodeId> target_of(const Collective& collective, std::uint32_t value);

}  // namespace quadrille::searching
