// The operations of a program with what orders them, listed for those who draw them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/limits/work.h"
#include "programs/program.h"
#include "programs/report.h"

namespace quadrille::programs {

struct ProgramNetwork;

// Of a program with more operations none is listed.
inline constexpr std::uint64_t most_listed_operations = 20000;

enum class OrderReason : std::uint8_t {
  program,     // the later is the next operation of the same block
  message,     // the later receives what the earlier sends
  depend,      // the later waits for the flag that the earlier sets
  dependency,  // GOAL: the later requires the earlier
  start        // GOAL: the later begins after the earlier has begun (irequires)
};
std::string_view to_string(OrderReason why);

// Indices into a list of operations.
struct OrderEdge {
  std::uint32_t earlier = 0;
  std::uint32_t later = 0;
  OrderReason why = OrderReason::program;
  bool operator==(const OrderEdge&) const = default;
};

struct ListedOperation {
  Location at = {};
  Kind kind = Kind::send;
  std::optional<std::int64_t> to = {};  // the rank that it sends to; nothing: it does not send
  std::optional<std::int64_t> from = {};
  std::int64_t channel = 0;  // of its block
  std::string does = {};     // "receive from gpu 2, add input 0..1, store in output 4..5"
};

struct OrderGraph {
  std::uint64_t count = 0;                       // of the program's operations
  std::vector<ListedOperation> operations = {};  // by rank, block, and order there; empty if they are too many
  std::vector<OrderEdge> edges = {};

  bool cut() const { return count > most_listed_operations; }
  // Of the operation at that place; nothing if it is not listed.
  std::optional<std::uint32_t> index_of(const Location& place) const;
};

// Edges that follow from others are not there: what happens before what is their transitive closure. Throws Ended.
OrderGraph order_graph(const ProgramNetwork& network, Work& work);

}  // namespace quadrille::programs
