// How long a packet is under way: what families, times and obligations all ask of the machine.
//
// Example: on a binary tree a packet from 1 to 2 climbs to level 2, the length of 1 xor 2 = 3, and comes down: 4 hops.
#include "verifier/prover/problem.h"

#include "verifier/prover/crossing_formulas.h"

namespace quadrille::prover {

Number hops(Algebra& algebra, const Machine& machine, const Number& source, const Number& target) {
  if (machine.crossings)
    return crossing_formulas(algebra, *machine.crossings, source, target).number(machine.crossings->crossings.hops);
  return Number(2) * algebra.bits(algebra.bitwise(AtomKind::bit_xor, source, target));
}

Number hops(Algebra& algebra, const Machine& machine, const Family& family) {
  if (family.to_neighbours) return Number(1);
  return family.apex ? Number(2) * *family.apex : hops(algebra, machine, family.source, family.target);
}

}  // namespace quadrille::prover
