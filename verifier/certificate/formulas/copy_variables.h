// The variables of the formula about a copying collective: "Variables" of verifier/FORMULA.md.
#pragma once

#include <cstdint>
#include <vector>

#include "verifier/certificate/formulas/chunks.h"
#include "verifier/certificate/formulas/writer.h"

namespace quadrille::certificate {

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
