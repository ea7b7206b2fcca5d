// The strands of verifier/ROUNDS_FORMULA.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "model/fabric.h"
#include "model/limits/work.h"

namespace quadrille::certificate {

struct ValuedOrigin {
  std::vector<std::uint32_t> starts;  // increasing
  std::set<std::uint32_t> wanted;
  std::uint64_t value = 0;
};
using ValuedOrigins = std::vector<ValuedOrigin>;

struct RoundStrand {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  bool may_start = true;
  std::int64_t owner = -1;         // of trees; else -1
  std::vector<std::size_t> after;  // by number
  std::int64_t channel = -1;       // held paths, and with a volume; else -1
  bool may_end = true;
  std::int64_t value = -1;  // the one that it may carry; -1: any
};

struct RoundStrands {
  std::vector<RoundStrand> all;
  bool trees = false;
  bool links = false;       // half-duplex links are shared by both ways
  bool by_value = false;    // each carries one value only
  std::uint32_t depth = 0;  // D
};

// Throws Ended where they are too many for the memory.
RoundStrands round_strands(const Fabric& fabric, bool copies, Work& work);

// The same where lengths count; of origins, S(k), W(k) and values. Requires that there is a formula.
RoundStrands volume_strands(const Fabric& fabric, bool copies, const ValuedOrigins& origins, Work& work);

// --- what both need -------------------------------------------------------------------------------------------------

// Says of the strands from `first` on what may come before them.
void find_predecessors(RoundStrands& strands, std::size_t first, std::size_t nodes, Work& work);
// Whether some strand comes before itself.
bool lead_in_circles(const RoundStrands& strands, Work& work);
// Whether one channel is enough for every message, however many lanes it has.
bool one_channel_is_enough(const Fabric& fabric);

}  // namespace quadrille::certificate
