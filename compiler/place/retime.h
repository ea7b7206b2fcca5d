// Retiming: the sends of a schedule placed anew, on its own fabric or another, each as early as it can be.
//
// What it preserves, by definition. The schedule is read on the fabric that it is written for. Retimed, on any
// fabric with as many processors where each can reach each:
//   * the same sends: each from its processor to its targets, with the same packet; by the routes that are written
//   where
//     the fabric has them, else by default routes. A processor that a packet passed is a target, too, if the packet was
//     needed there;
//   * the order of each processor's sends: none leaves before an earlier one;
//   * copying collectives: everybody who got a chunk gets it, before it sends it on;
//   * combining ones: each send carries the contributions that it carried. It leaves after they have been joined, and
//     before others are. If the operation is ordered, no gaps arise that were not there;
//   * what is kept, and sums of it: a sum is of the contributions that it names. It leaves after what it is made of has
//     come, and binds nothing else that is kept;
//   * so what is delivered is the same: the same chunks, the same contributions. A schedule that delivers something
//     wrong delivers the same wrong thing.
// On the schedule's own fabric waits on the way stay as they are; on others there are none, but where contributions
// could not be kept apart otherwise (two processors that exchange them over a half-duplex link, say): there a packet
// waits at a node that it passes, or makes a detour to one.
//
// Where the target's switches forward, a send to several processors becomes one for each way from processor to
// processor, each with a time of its own. Where packets join in switches of the fabric that it is written for, they
// join likewise on the target, each row in a step of its own, if that reduces and has the same channels
// (retime_joined.h). On others they stay apart, or, if it reduces, those that arrived together join where their default
// routes meet (join_elsewhere.h), whichever takes fewer steps, if the same comes of it (else Code::unsupported). Of
// sends that join so, and left together, any may leave first.
//
// All rules on lanes and ports are kept. A limit on queues is kept, except by waits that are written.
#pragma once

#include <optional>

#include "compiler/place/retime_outcome.h"
#include "compiler/plan/flights.h"
#include "compiler/plan/held/send_reductions.h"
#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/limits.h"

namespace quadrille {

// The flights, given in order of departure and over `written_for`'s channels, retimed over `target`'s. On the
// schedule's own fabric never later than they were, if they kept to its lanes and ports. Throws EvaluationError: where
// `target` has no route for a send; where no order of the sends lets every packet carry what it carried
// (Code::unsupported); at a limit. `words`: what the sends say of words; null: nothing.
RetimedFlights retimed(Flights flights, const Fabric& written_for, const Collective& collective, const Fabric& target,
                       const Limits& limits = {}, ReductionsOfSends* words = nullptr);

}  // namespace quadrille
