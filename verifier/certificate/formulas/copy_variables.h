// The variables of the formula about a copying collective: "Variables" of verifier/FORMULA.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/limits/work.h"
#include "verifier/certificate.h"
#include "verifier/certificate/formulas/writer.h"

namespace quadrille::certificate {

// The chunks that move, and where they can: "The question" of verifier/FORMULA.md.

// A way of a chunk from one of its places to another: a channel that it uses; where switches forward copies, for one
// processor that they go to.
struct Passage {
  ChannelId e;
  std::size_t from = 0;
  std::size_t to = 0;
};

// A chunk that moves. Its places are the nodes, by number; where switches forward copies, each switch is a place for
// each processor that copies go to, by its number. So the place of a processor has the processor's number.
struct Chunk {
  ChunkId id;
  std::vector<NodeId> H;           // where it starts, by number
  std::vector<NodeId> W;           // who wants it
  std::vector<NodeId> places;      // the node of each
  std::vector<Passage> ways;       // by channel, then by the processor that copies go to
  std::vector<bool> starts_at;     // by place
  std::vector<std::uint32_t> d{};  // by place: ways from the nearest of H
  std::vector<std::uint32_t> r{};  // by place: ways to the nearest of W
};

// By number; nothing if they, and the steps, are too many. Requires a copying collective. Throws Ended.
std::optional<std::vector<Chunk>> chunks_that_move(const Certificate& question, Work& work);

// A chunk, and its variables.
struct MovingChunk : Chunk {
  std::vector<Series> hop;                      // by way
  std::vector<Series> at, held, early, inject;  // by place
};

struct CopyVariables {
  std::vector<MovingChunk> chunks;  // by number
  Series start;                     // of phases
};

// Numbers them, in the page's order; those of siblings come after. Throws Ended.
CopyVariables number_copies(const Certificate& question, std::vector<Chunk> chunks, Writer& writer);

// Calls `visit` with each place that is not in H.
template <class Visit>
void each_other_place(const Chunk& c, Visit visit) {
  for (std::size_t v = 0; v < c.starts_at.size(); ++v) {
    if (!c.starts_at[v]) visit(v);
  }
}

}  // namespace quadrille::certificate
