// The operations of a program and their order, listed for drawing.
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

// The most operations that are listed; of a larger program none is.
inline constexpr std::uint64_t most_listed_operations = 20000;

enum class OrderReason : std::uint8_t {
  program,     // the later one is the next operation of the same block
  message,     // the later one receives what the earlier one sends
  depend,      // the later one waits for the flag that the earlier one sets
  dependency,  // GOAL: the later one requires the earlier one
  start        // GOAL: the later one begins after the earlier one has begun (irequires)
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
  std::uint64_t count = 0;                       // number of the program's operations
  std::vector<ListedOperation> operations = {};  // by rank, block, and order there; empty if they are too many
  std::vector<OrderEdge> edges = {};

  bool cut() const { return count > most_listed_operations; }
  // The index of the operation at that place; nothing if it is not listed.
  std::optional<std::uint32_t> index_of(const Location& place) const;
};

// The order graph of a program, without edges that follow from others: happens-before is their transitive closure.
// Throws Ended.
OrderGraph order_graph(const ProgramNetwork& network, Work& work);

}  // namespace quadrille::programs
