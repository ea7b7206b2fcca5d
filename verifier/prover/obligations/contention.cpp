// Proves that no two packets are on a lane in the same step, and no two messages in the same round. Families are
// compared in pairs, by the machine's strategy.
//
// Example: for a schedule with two sends, f and g, the pairs are two packets of f, two of g, and one of each. Nothing
// is asked about sends in different parts of a sequence, which are never under way together.
//
// Cost: f (f + 1) / 2 times the cost of the strategy, for f families.
#include "verifier/prover/obligations/samples.h"

namespace quadrille::prover {
namespace {

void write_pair(const Writing& writing, const Family& f, const Family& g) {
  const auto shared = shared_while_under_way(f, g);
  if (!shared) return;
  const bool rounds = writing.problem.machine.rounds;
  for (const SamplePair& pair : two_sends(writing, f, g, *shared, rounds ? Each::message : Each::send)) {
    if (writing.problem.machine.levels && !rounds) {
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
