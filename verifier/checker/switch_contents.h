// SwitchContents: what switches hold in combining collectives under `switches: forward` and `switches: reduce`.
//
// Under `forward` these are copies of packets (forwarding.h). Under `reduce` a switch holds one partial reduction for
// each (target, part): rows out carry it, whatever origin they name, and it is gone when their step ends; then the
// step's arrivals join.
//
//   2->0 and 3->0 come to a switch in step 1: it holds {2-3}. A row 2->0 out of it in step 2 carries {2-3}, and nothing
//   is left
//
// Cost: a look-up for each row out of a switch; for those into one, a sort in each step, and a set for each join.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/containers/packet_table.h"
#include "verifier/checker/additions.h"
#include "verifier/checker/contributions.h"
#include "verifier/checker/forwarding.h"
#include "verifier/checker/tracker.h"

namespace quadrille::checker {

class SwitchContents {
 public:
  virtual ~SwitchContents() = default;

  // Null under `switches: copy`, and where there are no switches.
  static std::unique_ptr<SwitchContents> make(Pass pass, Additions& additions);

  // What the move, out of a switch, carries; null if it is nothing. Judges the departure. To be called in the order of
  // channel, lane and packet, and before the step's arrivals.
  virtual ContributionsRef leave(const StepRows& batch, const Move& move) = 0;
  // The move, into a switch, brings this set, or null. In the same order.
  virtual void reach(const StepRows& batch, const Move& move, const ContributionsRef& set) = 0;
  // All rows of the step have arrived.
  virtual void end_step(const StepRows& batch) = 0;
};

}  // namespace quadrille::checker
