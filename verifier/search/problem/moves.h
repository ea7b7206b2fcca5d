// Moves say where each chunk can be, and when. They are the hops that can serve a demand, found before anything is
// solved.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "verifier/search/solver/watch.h"

namespace quadrille::searching {

// A node that a chunk can come by. With T steps, the chunk can be there when steps earliest … T - remaining end.
struct ChunkPlace {
  NodeId node;
  std::uint32_t earliest = 0;   // hops from where the chunk starts
  std::uint32_t remaining = 0;  // hops to the nearest processor that wants it; 0 if this one does
  bool start = false;           // the chunk starts here
  bool wanted = false;
  std::uint32_t towards = 0;  // where switches forward copies: the processor that the copies in this switch go to
};

// A channel that a chunk can cross, between two of its places. With T steps, it can do so in steps
// places[from].earliest + 1 … T - places[to].remaining.
struct ChunkCrossing {
  ChannelId channel;
  std::size_t from = 0;
  std::size_t to = 0;
};

// One chunk with a demand. Places and crossings are in the order of their numbers. Where switches forward, a chunk for
// several processors goes as copies, each from one processor by switches to the next (verifier/FORMULA.md, The
// question): then there is a place, or crossing, for each processor that copies go to, by its number.
struct Moves {
  ChunkId chunk;
  bool on_one_path = false;  // on a tree or star, from one processor to one other: it uses the path between them only
  std::vector<ChunkPlace> places;
  std::vector<ChunkCrossing> crossings;
  bool copies = false;          // the chunk goes as copies, one by one
  std::size_t unreachable = 0;  // processors that want it and to which there is no route

  // Returns the node's index in `places`, the first if there are several; places.size() if the chunk cannot get there.
  std::size_t place_of(NodeId node) const;
  // Returns the channel's index in `crossings` likewise; crossings.size() if the chunk cannot cross it.
  std::size_t crossing_of(ChannelId channel) const;
};

// Whether the fabric has switches, and these forward.
bool forwards(const Fabric& fabric);

// Returns the moves of every chunk with a demand, in order. `keep_to_paths`: on trees and stars, a packet that starts
// at one processor uses the channels of the paths from there only. Requires a copying collective.
std::vector<Moves> moves_of(const Fabric& fabric, const Collective& collective, bool keep_to_paths);

// Returns the same. Throws Ended if the moves, and the data made from them before there is a formula, would take more
// memory than the watch has room for, or when the watch has reached its limits.
std::vector<Moves> moves_within(const Fabric& fabric, const Collective& collective, bool keep_to_paths, Watch& watch);

// Returns the moves on shortest paths only. A chunk for one processor keeps the channels on shortest paths to it; a
// chunk for several keeps the channels that lead away from where it starts.
std::vector<Moves> shortest_moves(const std::vector<Moves>& moves);

// A hop of a chunk: (step, index in `crossings`). The function below returns those of the given hops that a schedule
// needs: for every processor that wants the chunk, the first hop that brings it there, and so back to where it starts.
using ChunkHop = std::pair<std::uint32_t, std::size_t>;
std::vector<ChunkHop> needed_hops(const Moves& moves, std::vector<ChunkHop> hops);

// Returns the number of hops (chunk, channel, step) that T steps allow.
std::uint64_t hops_within(const std::vector<Moves>& moves, std::uint32_t steps);

}  // namespace quadrille::searching
