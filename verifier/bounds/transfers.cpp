// Transfers: if everybody wants everyone's contribution to a value, the value takes at least 2 (n - 1) rows.
//
// Derivation (the telegraph problem of the gossip literature; e.g. F. Harary and A. Schwenk, The communication
// problem on graphs and digraphs, 1974). Put the value's rows in the order of time. Rows of one step may have any
// order, as this lets each row carry no less than it does. Consider the row with which a first processor has all
// contributions. Until then each of the n - 1 others has sent at least one row, as its own contribution has left it.
// After it each of these must receive one more. This holds for processors that are linked directly: a switch may send
// one row on twice, or join two.
//
//   all-reduce of 8 parts among 8 processors with single ports: 8 · 14 rows, 8 at a time: 14 steps, or a volume of 14
//
// Cost: linear in the channels.
#include <fmt/format.h>

#include "model/text/counted.h"
#include "verifier/bounds/parts.h"

namespace quadrille::bounds {

std::optional<Bound> transfers_bound(const Fabric& fabric, const Collective& collective) {
  const std::uint64_t n = fabric.processors();
  if (!collective.shape() || !collective.shape()->all_to_all() || fabric.nodes() != n || n < 2) return std::nullopt;
  const std::uint64_t room = room_of_a_step(fabric);
  if (room == 0) return std::nullopt;
  const std::uint64_t rows = 2 * (n - 1) * collective.values();
  return Bound{
      BoundKind::transfers, divided_up(rows, room),
      fmt::format("each of {} takes {} between {}, and there is room for {} a step (gossip takes 2n - 2 messages)",
                  counted(collective.values(), "value"), counted(2 * (n - 1), "hop"), counted(n, "processor"), room)};
}

}  // namespace quadrille::bounds
