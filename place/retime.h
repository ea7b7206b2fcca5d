// Retiming places the sends of a schedule anew, on its own fabric or another, each as early as possible.
//
// For: retiming: the sends of a schedule are placed anew, on its own fabric or another, each as early as possible.
// Face: this header (a send is a `Flight`, place/flights/flights.h); place/rounds/retime_rounds.h and
// place/rounds/unicasts.h (a send is a message of place/rounds/written_rounds.h).
// Keeps: it reads no language: sends come and go as values. Every booking is in place/calendar/list_schedule.cpp;
// whatever it places, each send carries what it carried.
// Read first: this header, place/steps/placer.cpp, place/calendar/list_schedule.cpp.
//
// The schedule is read on the fabric that it is written for. The target is any fabric with as many processors on which
// each can reach each. By definition, retiming preserves:
//   * the sends: each goes from its processor to its targets with the same packet, by the route that is written if the
//     target has it, else by default routes. A processor that a packet passed becomes a target as well if it needed the
//     packet;
//   * the order of each processor's sends: none leaves before an earlier one;
//   * copies: every processor that got a chunk gets it, before it sends the chunk on;
//   * contributions: each send of a combining collective carries the contributions that it carried. It leaves after
//     these have been joined, and before others are. If the operation is ordered, no new gaps arise;
//   * kept partial reductions: a sum is of the contributions that it names. It leaves after its parts have come, and
//     binds nothing else that is kept;
//   * the result: the same chunks and contributions are delivered. A schedule that delivers something wrong delivers
//     the same wrong thing.
// On the schedule's own fabric a packet waits on its route where it is written to wait. On another fabric it waits only
// if contributions cannot be kept apart otherwise (two processors that exchange them over a half-duplex link, say):
// then it waits at a node that it passes, or makes a detour to one; or if packets wait in the schedule, which is of a
// copying collective and relays nothing: then they wait in queues if that takes fewer steps (retime_queued.h).
//
// If the target's switches forward, a send to several processors becomes one send for each route between two
// processors, each with a time of its own; the farthest processors come first if that takes fewer steps. If packets
// join in switches of the fabric that they are written for, they join likewise on a target that reduces and has the
// same channels, each row in a step of its own (retime_joined.h). On other targets the packets stay apart, or, if
// switches reduce there, those that arrived together join where their default routes meet (retime_joined.h): retiming
// takes the result with fewer steps, if it delivers the same (else Code::unsupported). Of sends that join so and left
// together, any may leave first.
//
// If nothing says which of several shortest routes a send takes, it takes the one that is free first: the default one,
// if that is among them. All are placed once more, each by that of least load (calendar/least_route.h) of those free
// first, where the load is that of the whole table: in one step a lane lets one packet through, whatever is chosen.
// That is kept if it takes fewer steps; or as many, no more waits, and has a lower greatest load.
//
// Retiming keeps all rules on lanes and ports. It keeps a limit on queues, except where a wait is written.
#pragma once

#include <optional>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/limits.h"
#include "place/flights/flights.h"
#include "place/held/send_reductions.h"
#include "place/steps/placer.h"

namespace quadrille {

// Places the flights, given in order of departure and over `written_for`'s channels, over `target`'s. On the
// schedule's own fabric no result is longer than the schedule, if that kept to lanes and ports and, where it copies,
// sent nothing on before it had come. Throws EvaluationError:
// where `target` has no route for a send; where no order of the sends lets every packet carry what it carried
// (Code::unsupported); at a limit. `words`: what the sends say of partial reductions; null: nothing.
RetimedFlights retimed(Flights flights, const Fabric& written_for, const Collective& collective, const Fabric& target,
                       const Limits& limits = {}, ReductionsOfSends* words = nullptr);

}  // namespace quadrille
