// List scheduling places events one after another, each in the first step, or round, in which there is room for what it
// takes, and not before it may start.
//
// An event moves as one piece: a send, its part before or after a stop, rows that stay together, or a message. The
// class that lists the events says what each needs of those placed before it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "model/fabric.h"
#include "model/limits/limits.h"
#include "model/send_table.h"
#include "place/calendar/calendar.h"
#include "place/flights/flights.h"

namespace quadrille {

// The first and the last step in which an event may start, as far as those placed before it say.
struct StartBounds {
  std::int64_t first = 1;
  std::int64_t last = std::numeric_limits<std::int64_t>::max();
  std::uint32_t last_from = 0;  // whose event asks for `last` (Events::owner)

  // At most one more than max_step.
  std::uint32_t first_step() const {
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(first, 1, std::int64_t{max_step} + 1));
  }
  void not_before(std::int64_t step) { first = first < step ? step : first; }
  void not_after(std::int64_t step, std::uint32_t from) {
    if (step < last) last = step, last_from = from;
  }
};

class Events {
 public:
  virtual ~Events() = default;

  virtual Moving what() const { return Moving::packets; }
  // A pass begins, with nothing placed. The events are 0 … size() - 1, in the order in which they are placed.
  virtual void begin() = 0;
  virtual std::uint32_t size() const = 0;
  virtual StartBounds bounds(std::uint32_t event) = 0;
  // The first start from `first` on at which there is room for the event. bounds() was asked for the same event just
  // before. Fills `taken`.
  virtual std::uint32_t find(std::uint32_t event, std::uint32_t first, const Calendar& calendar) = 0;
  virtual void place(std::uint32_t event, std::uint32_t start) = 0;

  // The owner is put off if this event is to start later; owners with several events put off the one that leaves.
  virtual std::uint32_t owner(std::uint32_t event) const { return event; }
  virtual bool leaves(std::uint32_t) const { return true; }
  // Called where the event missed the last start that the other owner asked for.
  virtual void late(std::uint32_t, std::uint32_t) {}
  // The start that is written, for events that may stay where they are written.
  virtual std::uint32_t written(std::uint32_t) const { return 1; }
  // No event from this one on starts before that step.
  virtual std::uint32_t none_before(std::uint32_t) const { return 1; }

  // The resources of the event for which find() was asked last.
  std::span<const Use> uses() const { return taken; }

 protected:
  std::vector<Use> taken;
};

struct PlacingRule {
  // If not 0, all events must keep to their last starts: an event that asked for a last start which another one misses
  // is put off by as many steps, and all are placed again, up to so many times.
  std::uint64_t passes = 0;
};

// Places the events on an empty fabric. Whether all kept to their last starts. Throws EvaluationError at a limit, and
// where an event ends after the last step that there may be.
bool place_events(Events& events, const Fabric& fabric, const PlacingRule& rule, const Limits& limits);

// Whether there is room for all events where they are written.
bool fit_as_written(Events& events, const Fabric& fabric, const Limits& limits);
// The same of flights.
bool fit_as_written(const Flights& flights, const Fabric& fabric, const Limits& limits);

// So many passes that these rows are placed some `in_all` times in all: some seconds.
std::uint64_t passes_of(std::uint64_t rows, std::uint64_t in_all);

}  // namespace quadrille
