// The chunks that move, and where they can: "The question" of verifier/FORMULA.md.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/work.h"
#include "verifier/certificate.h"

namespace quadrille::certificate {

// A chunk that moves.
struct Chunk {
  ChunkId id;
  std::vector<NodeId> H;            // where it starts, by number
  std::vector<NodeId> W;            // who wants it
  std::vector<std::uint32_t> d;     // by node: hops from the nearest of H
  std::vector<std::uint32_t> r;     // by node: hops to the nearest of W
  std::vector<ChannelId> channels;  // that it uses, by number
  std::vector<bool> starts_at;      // by node
};

// By number; nothing if they, and the steps, are too many. Requires a copying collective. Throws Ended.
std::optional<std::vector<Chunk>> chunks_that_move(const Certificate& question, Work& work);

}  // namespace quadrille::certificate
