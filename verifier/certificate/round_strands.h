// The strands of verifier/ROUNDS_FORMULA.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/fabric.h"
#include "model/work.h"

namespace quadrille::certificate {

struct RoundStrand {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  bool may_start = true;
  std::int64_t owner = -1;         // of trees; else -1
  std::vector<std::size_t> after;  // by number
  std::int64_t channel = -1;       // held paths; else -1
};

struct RoundStrands {
  std::vector<RoundStrand> all;
  bool trees = false;
  bool links = false;       // half-duplex links are shared by both ways
  std::uint32_t depth = 0;  // D
};

// Throws Ended where they are too many for the memory.
RoundStrands round_strands(const Fabric& fabric, bool copies, Work& work);

}  // namespace quadrille::certificate
