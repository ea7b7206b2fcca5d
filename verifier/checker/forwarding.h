// Forwarding: what switches hold under `switches: forward`: copies that leave one by one, first in, first out.
//
// Idea: a queue of copies for each (packet, switch), as a list whose links lie in one pool. The copies that come to a
// switch are put at its end, a row out takes the first.
//
//   two copies of chunk 0 come to the switch in steps 1 and 3; rows out in steps 3 and 4 take them in this order, and a
//   third one finds none
//
// Cost: a look-up for each row; 24 bytes for each copy that is in a switch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/containers/packet_table.h"
#include "verifier/checker/contributions.h"
#include "verifier/checker/rows/messages.h"
#include "verifier/checker/tracker.h"

namespace quadrille::checker {

// The indices of the moves by channel, lane and packet: the order in which they take their copies.
void put_in_order(std::span<const Move> moves, const Limits& limits, std::vector<std::uint32_t>& order);

class Forwarding {
 public:
  explicit Forwarding(Pass pass) : pass_(pass), share_(pass.budget), queues_(pass.budget) {}

  // A copy: the step of its arrival, and what it brought (combining collectives).
  struct Copy {
    std::uint32_t arrival = 0;
    std::uint32_t next = 0;  // in the pool; 0: none
    ContributionsRef set;
  };

  // The move takes a copy out of the switch that it begins at, where it has waited; that there is none is a
  // causality violation, and `taken` remains as it is. Moves out come before the step's arrivals.
  bool take(const StepRows& batch, const Move& move, Copy& taken);
  void bring(ChunkId chunk, NodeId at, std::uint32_t step, ContributionsRef set);

  // Calls visit(chunk, node, arrival) for all copies that are still there.
  template <class Visit>
  void each(Visit visit) {
    queues_.each([&](const PairKey& key, const Ends& ends) {
      for (std::uint32_t at = ends.first; at != 0; at = pool_[at].next) visit(key.id, key.place, pool_[at].arrival);
    });
  }

 private:
  struct Ends {  // of a queue, in the pool; 0: it is empty
    std::uint32_t first = 0;
    std::uint32_t last = 0;
  };
  std::uint32_t new_copy();

  Pass pass_;
  Share share_;
  PacketTable<PairKey, Ends> queues_;  // by (packet, switch)
  std::vector<Copy> pool_ = {Copy{}};  // number 0 is none
  std::uint32_t free_ = 0;             // the first of the list of those that can be used again
};

}  // namespace quadrille::checker
