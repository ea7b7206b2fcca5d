// Answers questions about all families: how long their packets are under way, and which of them are the same
// messages.
#include "verifier/prover/problem/problem.h"

#include <algorithm>

namespace quadrille::prover {

Number duration(Algebra& algebra, const Machine& machine, const Family& family) {
  if (machine.rounds || family.to_neighbours) return Number(1);
  return family.apex ? Number(2) * *family.apex : hops(algebra, machine, family.source, family.target);
}

std::vector<const Family*> one_of_each_message(const Problem& problem) {
  std::vector<const Family*> result;
  for (const Family& family : problem.families) {
    // A send to a list is several families of messages, and each of these may have several families of chunks.
    const bool seen = std::any_of(result.begin(), result.end(), [&](const Family* other) {
      return family.message != 0 && other->message == family.message;
    });
    if (!seen) result.push_back(&family);
  }
  return result;
}

}  // namespace quadrille::prover
