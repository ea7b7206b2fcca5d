// round_table turns a list of messages, with their rounds, senders and receivers, into a table that says what they
// carry.
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

// A message with its path. It does not say which chunks it carries, only which it may carry.
struct DrawnMessage {
  std::uint32_t round = 1;
  std::uint32_t first_strand = 0;
  NodeId sender;
  std::vector<NodeId> receivers;
  std::vector<std::pair<ChannelId, LaneId>> ways;  // empty: any path
  std::set<std::uint64_t> values = {};             // the chunks, or values, that it may carry; none: any
  bool may_carry(std::uint64_t value) const { return values.empty() || values.contains(value); }
};

// Returns the schedule in which these messages carry all that is of use. In a copying collective, each chunk comes by
// the message that brings it first. Where each value has one target, each partial reduction goes towards it once. In
// an idempotent collective, messages carry all that there is. Returns nothing for other collectives, and where a
// demand is not met. The checker decides whether the schedule keeps to the rules.
std::optional<SendTable> round_table(const Fabric& fabric, const Collective& collective, std::string name,
                                     std::vector<DrawnMessage> messages);

// Returns the schedule of one round in which every chunk or contribution goes from its start to its targets by the
// shortest route; nothing where that would be many messages, or where there is no route.
std::optional<SendTable> direct_table(const Fabric& fabric, const Collective& collective);

// --- pieces of it, for joins.cpp ------------------------------------------------------------------------------

inline constexpr std::size_t no_message = ~std::size_t{0};

// Returns, by node, the message that first brings the contents of these processors there. Only messages that may carry
// `value` count. Requires that messages are in the order of rounds.
std::vector<std::size_t> first_arrivals(const std::vector<DrawnMessage>& messages,
                                        const std::vector<std::uint32_t>& starts, std::uint64_t value,
                                        std::uint32_t nodes);

// Returns the path, or tree, of the message from its sender to these receivers, among the channels that it may take;
// empty where there is none.
std::vector<std::pair<ChannelId, LaneId>> tree_of(const Fabric& fabric, const DrawnMessage& message,
                                                  const std::set<NodeId>& receivers);

// Returns the processor that wants the value, if there is only one.
std::optional<NodeId> target_of(const Collective& collective, std::uint32_t value);

}  // namespace quadrille::searching
