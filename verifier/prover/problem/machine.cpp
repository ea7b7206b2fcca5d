// Answers the questions of families, times and obligations to the machine: how far packets go, and past which nodes.
//
// Example: on a binary tree a packet from 1 to 2 climbs to level 2, the length of 1 xor 2 = 3, and comes down: 4 hops.
#include "verifier/prover/problem/machine.h"

#include <algorithm>

#include "verifier/prover/problem/crossing_formulas.h"

namespace quadrille::prover {

Number hops(Algebra& algebra, const Machine& machine, const Number& source, const Number& target) {
  if (machine.crossings)
    return crossing_formulas(algebra, *machine.crossings, source, target).number(machine.crossings->crossings.hops);
  return Number(2) * algebra.bits(algebra.bitwise(AtomKind::bit_xor, source, target));
}

bool without_switches(const Machine& machine) {
  if (!machine.crossings) return false;
  const auto& classes = machine.crossings->crossings.classes;
  return std::all_of(classes.begin(), classes.end(), [](const ChannelClass& each) {
    return each.from_switch.level == Term(0) && each.to_switch.level == Term(0);
  });
}

}  // namespace quadrille::prover
