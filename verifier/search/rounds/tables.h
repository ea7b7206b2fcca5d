// Makes a table of messages from who sends to whom in which round.
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

// --- pieces of it, for joins.cpp ------------------------------------------------------------------------------

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

}  // namespace quadrille::searching
