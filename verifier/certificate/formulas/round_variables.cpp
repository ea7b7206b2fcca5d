// The page's list of variables, one after another.
//
//   complete:2, broadcast from 0: start, end, carry and got of two strands, and has(1): 9
//
// Cost: origins x strands.
#include "verifier/certificate/formulas/round_variables.h"

namespace quadrille::certificate {

bool may_carry(const RoundStrand& strand, const ValuedOrigin& origin) {
  return strand.value < 0 || static_cast<std::uint64_t>(strand.value) == origin.value;
}

RoundVariables number_round(const Fabric& fabric, const RoundStrands& strands, const ValuedOrigins& origins,
                            std::uint64_t volume, std::uint64_t values, Writer& writer) {
  const auto next = [&] {
    writer.work().take(1, sizeof(std::int32_t));
    return writer.series(1, 1).at(1);
  };
  RoundVariables it;
  const std::size_t count = strands.all.size();
  for (const RoundStrand& strand : strands.all) it.start.push_back(strand.may_start ? next() : false_literal);
  for (const RoundStrand& strand : strands.all) it.end.push_back(strand.may_end ? next() : false_literal);
  for (const RoundStrand& strand : strands.all) {
    it.follow.emplace_back();
    for (std::size_t j = 0; j < strand.after.size(); ++j) it.follow.back().push_back(next());
  }
  const bool used = strands.links || strands.trees || strands.by_value;
  for (std::size_t i = 0; i < count && used; ++i) it.used.push_back(next());
  for (std::size_t i = 0; i < count; ++i) {
    it.deep.emplace_back(2, false_literal);
    for (std::uint32_t h = 2; h <= strands.depth; ++h) it.deep.back().push_back(next());
  }
  for (auto* of : {&it.carry, &it.got}) {
    for (std::size_t k = 0; k < origins.size(); ++k) {
      of->emplace_back();
      for (const RoundStrand& strand : strands.all) {
        const bool there = may_carry(strand, origins[k]) && (of == &it.carry || strand.may_end);
        of->back().push_back(there ? next() : false_literal);
      }
    }
  }
  for (const auto& [starts, wanted, value] : origins) {
    it.has.emplace_back(fabric.nodes());
    std::size_t s = 0;
    for (std::uint32_t v = 0; v < fabric.nodes(); ++v) {
      const bool here = s < starts.size() && starts[s] == v;
      s += here ? 1 : 0;
      it.has.back()[v] = here ? true_literal : next();
    }
  }
  for (std::uint64_t x = 0; x < values; ++x) {
    it.part.emplace_back();
    for (std::size_t i = 0; i < count; ++i) it.part.back().push_back(next());
  }
  for (std::uint32_t l = 1; l <= volume; ++l) it.length.push_back(next());
  return it;
}

}  // namespace quadrille::certificate
