// Needs: what sends need of one another while they are placed one after another, so that each carries what it carried.
// Copies leave after they have come; contributions also before others join them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/limits.h"
#include "place/calendar/list_schedule.h"
#include "place/flights/flights.h"
#include "place/held/partial_reductions.h"
#include "place/held/send_reductions.h"

namespace quadrille {

// Where a send must come, since something is read there that it brings.
struct SendEnd {
  NodeId node;
  std::uint32_t hop = 0;      // of the flight, from 0
  std::uint32_t arrival = 0;  // as written
};

// A send whose route is asked for.
struct RoutedSend {
  const Flight& flight;
  std::span<const Hop> written;  // all of the flight's hops, over the fabric that it is written for; or none
  std::uint32_t read_hop = 0;    // the hop with which the packet leaves
  NodeId source;                 // from where
  std::span<const SendEnd> ends;
};

class SendNeeds {
 public:
  virtual ~SendNeeds() = default;

  // The send's hops are left out if they are not stored and `stored_only`. Valid until the next call.
  virtual RoutedSend send(std::uint32_t s, bool stored_only) = 0;

  // Nothing is placed.
  virtual void clear() = 0;
  // Narrow the bounds to the steps in which the send may leave; and to those from which it reaches its end i,
  // offsets[i] steps later, in a step in which it may arrive.
  virtual void bound_departure(std::uint32_t s, StartBounds& bounds) const = 0;
  virtual void bound_arrivals(std::uint32_t, std::span<const std::uint32_t>, StartBounds&) const {}

  virtual void depart(std::uint32_t s, std::uint32_t start) = 0;
  // The send crosses the hops, and is at its end i, so many steps after `start`.
  virtual void arrive(std::uint32_t s, std::uint32_t start, std::span<const TimedChannel> hops,
                      std::span<const std::uint32_t> offsets) = 0;
  // No send from this one on leaves before that step.
  virtual std::uint32_t none_before(std::uint32_t) const { return 1; }
  // Of the arrivals of one step, those of a lower phase, and of a phase those of a lower rank, are placed first.
  virtual std::pair<std::uint32_t, std::uint32_t> phase_and_rank(std::uint32_t) const { return {}; }

  // Whether the sends keep to all of this as they are written.
  virtual bool hold_as_written() const { return true; }
  // Whether these flights over `fabric` leave every processor with what it ended with as written, and nothing goes
  // wrong that did not then. Throws EvaluationError at a limit.
  virtual bool come_to_the_same(const Flights&, const Fabric&) const { return true; }
  // What the packets carry as written; null: they are copied.
  virtual const PartialReductions* reductions() const { return nullptr; }
};

// The needs of flights over `written_for` that are placed on `target`, as copies (copy_needs.cpp) or contributions
// (contribution_needs.cpp). All outlive them. `words`: what the sends say of partial reductions; null: nothing. Throw
// EvaluationError at a limit.
std::unique_ptr<SendNeeds> copy_needs(const Flights& flights, const Fabric& written_for, const Fabric& target,
                                      const Collective& collective);
std::unique_ptr<SendNeeds> contribution_needs(const Flights& flights, const Fabric& written_for, const Fabric& target,
                                              const Collective& collective, const Limits& limits,
                                              ReductionsOfSends* words);
inline std::unique_ptr<SendNeeds> needs_of(const Flights& flights, const Fabric& written_for, const Fabric& target,
                                           const Collective& collective, const Limits& limits,
                                           ReductionsOfSends* words) {
  return collective.combining() ? contribution_needs(flights, written_for, target, collective, limits, words)
                                : copy_needs(flights, written_for, target, collective);
}

}  // namespace quadrille
