// The variables of verifier/ROUNDS_FORMULA.md.
#pragma once

#include <cstdint>
#include <vector>

#include "model/fabric.h"
#include "verifier/certificate/formulas/round_strands.h"
#include "verifier/certificate/formulas/writer.h"

namespace quadrille::certificate {

// The variables of one round; what there is no variable for is false, or, from the start, true.
struct RoundVariables {
  std::vector<std::int32_t> start, end, used;              // [strand]
  std::vector<std::vector<std::int32_t>> follow, deep;     // [strand][place in after; depth]
  std::vector<std::vector<std::int32_t>> carry, got, has;  // [origin][strand; node]
  std::vector<std::vector<std::int32_t>> part;             // [value][strand]
  std::vector<std::int32_t> length;                        // [length - 1]
};

// Numbers those of one more round. Without a volume it is 0. `values`: for how many there is part(x, i).
RoundVariables number_round(const Fabric& fabric, const RoundStrands& strands, const ValuedOrigins& origins,
                            std::uint64_t volume, std::uint64_t values, Writer& writer);

// Whether what starts at the origin may cross the strand.
bool may_carry(const RoundStrand& strand, const ValuedOrigin& origin);

}  // namespace quadrille::certificate
