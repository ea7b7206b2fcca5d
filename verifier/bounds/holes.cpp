// Lemma 3 of Communications in Binary Fat Trees (§5.1), for total exchange on any fat tree, in exact integers.
//
// Derivation. Let every processor send and receive at most C packets a step, and have m(n-1) messages to send and as
// many to receive. A *send* is the first row of a message out of its source; a *reception* its first row into its
// target; the *holes* are what the receptions up to step t lack of C·n·t: H(t) = C·n·t - receptions(t). H does not
// decrease, and H(T) = n·(C·T - m(n-1)).
//
// Fix i in 1 … L and cut the tree below its highest i levels, into b^i subtrees. A message between two of them is
// external. There are X = m·n·(n - n/b^i) of them, and each makes P = 2(L-i+1) hops or more. Let E(t) and R(t) be the
// external messages sent and received up to step t. One sent in step s is received in step s + P - 1 at the earliest,
// so
//     R(t) <= E(t - (P-1)),  and  E(T - (P-1)) = X,  and  E(t) = 0 for t <= 0.
//
// (a) Internal messages are received after they were sent: internal receptions(t) <= internal sends(t) <= C·n·t - E(t).
//     So H(t) >= E(t) - R(t), that is, E(t) <= H(t) + E(t - (P-1)). Unrolled from t = T - (P-1) down to 0:
//         X <= q·H(T),  q = floor((T-1) / (P-1)).
// (b) They make at least two hops: internal receptions(t) <= internal sends(t-1) <= C·n·(t-1) - E(t-1). So
//     E(t-1) <= H(t) - C·n + E(t - (P-1)). Unrolled from t-1 = T - (P-1) in strides of P - 2, for P > 2:
//         X <= q·(H(T) - C·n),  q = floor((T-2) / (P-2)).
//
// T must satisfy both for every i; both are monotone in T. The paper counts periods of P steps, in which an external
// message sent in a period's first step would not arrive before the next; it arrives in the period's last step. Hence
// the strides of P - 1 in (a), with which the paper's closed form n + 2 log n - 2 log log n - 2 still follows where C =
// m = 1.
#include <fmt/format.h>

#include <algorithm>

#include "model/topology.h"
#include "verifier/bounds/parts.h"

namespace quadrille::bounds {
namespace {

struct Exchange {
  std::uint64_t n = 1;
  std::uint64_t messages = 0;  // m(n-1)
  std::uint64_t capacity = 1;  // C
};

// Whether T steps satisfy (a) and (b) for external messages of P hops, of which every processor has `external`.
bool possible(const Exchange& it, std::uint64_t T, std::uint64_t P, std::uint64_t external) {
  if (T < P || it.capacity * T < it.messages) return false;
  const auto enough = [external](std::uint64_t holes, std::uint64_t periods) {
    return holes > 0 && periods >= divided_up(external, holes);
  };
  const std::uint64_t holes = it.capacity * T - it.messages;  // per processor
  if (!enough(holes, (T - 1) / (P - 1))) return false;
  return P == 2 || (holes > it.capacity && enough(holes - it.capacity, (T - 2) / (P - 2)));
}

// The least T that is possible.
std::uint64_t least(const Exchange& it, std::uint64_t P, std::uint64_t external) {
  std::uint64_t low = 1;
  std::uint64_t high = (it.messages + external) / it.capacity + P + 2;  // holes for all, at once
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (possible(it, middle, P, external)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

}  // namespace

std::optional<Bound> holes_bound(const Fabric& fabric, const Collective& collective) {
  const CompleteTree* tree = fabric.topology().tree();
  if (tree == nullptr || !collective.shape() || !collective.shape()->personal() || fabric.processors() < 2) {
    return std::nullopt;
  }
  const std::uint64_t parts = collective.shape()->parts;
  const std::uint64_t n = fabric.processors();
  const Exchange exchange{n, parts * (n - 1), fabric.rules().ports == Ports::single ? 1 : tree->capacities.front()};
  std::optional<Bound> best;
  std::uint64_t size = n;
  const std::size_t L = tree->capacities.size();
  for (std::size_t i = 1; i <= L; ++i) {
    size /= tree->arity;
    const std::uint64_t P = 2 * (L - i + 1);
    const std::uint64_t external = parts * (n - size);
    const std::uint64_t steps = least(exchange, P, external);
    if (best && best->steps >= steps) continue;
    best = Bound{
        BoundKind::holes, steps,
        fmt::format("while messages between {} travel {} hops, receptions have holes ({}, in exact integers)",
                    size == 1 ? "processors" : fmt::format("subtrees of {} processors", size), P, lemma_3_source)};
  }
  return best;
}

}  // namespace quadrille::bounds
