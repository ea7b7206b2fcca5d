// The reference interpreter: reads a schedule's tree word by word, as dsl/LANGUAGE.md explains it, and lists the rows.
// No resolving, no regions, no folding: names are looked up when they are met, values are what they are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dsl/ast.h"
#include "model/collective.h"
#include "model/fabric.h"
#include "model/route.h"

namespace quadrille::reference {

// A mistake in the schedule, in words of its own.
struct Mistake {
  std::string what;
};

struct InterpretedRow {
  std::uint32_t step = 0;
  ChannelId channel;
  ChunkId chunk;
  std::uint64_t send = 0;  // sends are numbered in the order in which they are met; the rows of each are in order
  NodeId source;
  NodeId target;  // of a multicast, the source
};

// The rows of a program without parameters and includes; collective total exchange or all-gather (no reversing there).
// Its fabric and collective are given; what the file says of them is not read. Throws Mistake.
std::vector<InterpretedRow> interpreted(const ast::SourceFiles& program, const Fabric& fabric, const Router& router,
                                        const Collective& collective);

// The rows moved through a queue before every channel, step by step: what `by fifo:` and `by farthest_first:` do
// (place/steps/queues.h has the rules). Full duplex, ports for all channels at once.
std::vector<InterpretedRow> served_in_turn(std::vector<InterpretedRow> rows, const Fabric& fabric, bool farthest_first);

}  // namespace quadrille::reference
