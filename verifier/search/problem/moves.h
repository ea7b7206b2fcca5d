// Moves are the hops that can serve a demand: where each chunk can be, and when. They are found before anything is
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
#include "model/limits/watch.h"

namespace quadrille::searching {

// A node that a chunk can visit. With T steps, the chunk can be there at the ends of steps earliest … T - remaining.
struct ChunkPlace {
  NodeId node;
  std::uint32_t earliest = 0;   // hops from where the chunk starts
  std::uint32_t remaining = 0;  // hops to the nearest processor that wants it; 0 if this one does
  bool start = false;           // the chunk starts here
  bool wanted = false;
  std::uint32_t towards = 0;  // where switches forward copies: the processor that the copies in this switch go to
};

// A channel that a chunk can cross, between two of its places. With T steps, it can cross in steps
// places[from].earliest + 1 … T - places[to].remaining.
struct ChunkCrossing {
  ChannelId channel;
  std::size_t from = 0;
  std::size_t to = 0;
};

// The moves of one chunk with a demand. Places and crossings are in the order of their numbers. Where switches
// forward, a chunk for several processors goes as copies, each from one processor by switches to the next
// (verifier/FORMULA.md, The question). Then there is a place, or crossing, for each processor that copies go to, in
// the order of processors.
struct Moves {
  ChunkId chunk;
  bool on_one_path = false;  // on a tree or star, from one processor to one: the chunk uses their path only
  std::vector<ChunkPlace> places;
  std::vector<ChunkCrossing> crossings;
  bool copies = false;          // whether the chunk goes as copies, one by one
  std::size_t unreachable = 0;  // processors that want the chunk and that no path leads to

  // The index of the node in `places`, the first if there are several; places.size() if the chunk cannot visit it.
  std::size_t place_of(NodeId node) const;
  // The index of the channel in `crossings`, likewise; crossings.size() if the chunk cannot cross it.
  std::size_t crossing_of(ChannelId channel) const;
};

// Whether every link goes both ways, with the same number of lanes.
bool links_are_alike(const Fabric& fabric);

// Whether the fabric has switches, and they forward.
bool forwards(const Fabric& fabric);

// The processors at which a chunk starts, increasing.
std::vector<std::uint32_t> starts_of(const Collective& collective, ChunkId chunk);

// The moves of every chunk with a demand, in the order of chunks. `keep_to_paths`: on trees and stars, a packet that
// starts at one processor uses only the channels of the paths from there. Requires a copying collective. Throws Ended
// if the moves, and what is made of them before there is a formula, would take more memory than the watch has room for,
// or when the watch has reached its limits.
std::vector<Moves> moves_within(const Fabric& fabric, const Collective& collective, bool keep_to_paths, Watch& watch);

// The moves restricted to shortest paths. A chunk for one processor keeps the channels on shortest paths to it; a
// chunk for several keeps the channels that lead away from where it starts; a chunk that goes as copies keeps all.
std::vector<Moves> shortest_moves(const std::vector<Moves>& moves);

// The hops that a schedule needs, of some hops of the chunk, given as (step, index in `crossings`). For every
// processor that wants the chunk, these are the first hop that brings it there, and so on back to where it starts.
using ChunkHop = std::pair<std::uint32_t, std::size_t>;
std::vector<ChunkHop> needed_hops(const Moves& moves, std::vector<ChunkHop> hops);

// The number of hops (chunk, channel, step) that T steps allow.
std::uint64_t hops_within(const std::vector<Moves>& moves, std::uint32_t steps);

}  // namespace quadrille::searching
