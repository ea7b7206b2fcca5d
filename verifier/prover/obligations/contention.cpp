// No two packets on a lane in the same step, or messages in the same round: families pairwise, by the strategy that the
// machine has.
//
// Example: a schedule with two sends, f and g: two packets of f, two of g, one of each; of sends in parts of a
// sequence, which are never under way together, nothing is asked.
//
// Cost: for f families, f (f + 1) / 2 times what the strategy writes.
#include "verifier/prover/obligations/samples.h"

namespace quadrille::prover {
namespace {

void write_pair(const Writing& writing, const Family& f, const Family& g) {
  const auto shared = shared_while_under_way(f, g);
  if (!shared) return;
  const bool rounds = writing.problem.machine.rounds;
  for (const SamplePair& pair : two_sends(writing, f, g, *shared, rounds ? Each::message : Each::send)) {
    if (rounds) {
      write_contention_in_rounds(writing, pair);
    } else if (writing.problem.machine.levels) {
      write_contention_by_levels(writing, pair);
    } else {
      write_contention_by_crossings(writing, pair);
    }
    if (writing.problem.machine.half_duplex) write_half_duplex(writing, pair);
  }
}

}  // namespace

void write_contention(const Writing& writing) {
  const auto families = one_of_each_message(writing.problem);
  for (std::size_t f = 0; f < families.size(); ++f) {
    for (std::size_t g = f; g < families.size(); ++g) write_pair(writing, *families[f], *families[g]);
  }
}

}  // namespace quadrille::prover
