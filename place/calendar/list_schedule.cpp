// For example, two events on one channel may both start in step 1; they are placed in the steps 1 and 2. If the second
// must start no later than the first, it misses its last start by one step. So the first is put off by one step, and in
// the next pass the second finds step 1 free, and the first step 2.
//
// Cost: for each pass, the events with what they take, and the starts tried (calendar.h).
#include "place/calendar/list_schedule.h"

#include <fmt/format.h>

#include <optional>

#include "model/text/evaluation_error.h"

namespace quadrille {
namespace {

class Scheduler {
 public:
  Scheduler(Events& events, const Fabric& fabric, const Limits& limits)
      : events_(events), fabric_(fabric), pulse_(limits, 256) {}

  // Whether all kept to their last starts; if not, and put-offs are noted, those who ask for these are put off.
  bool pass(bool exactly) {
    constexpr std::uint32_t least_between_looks = std::uint32_t{1} << 14;
    Calendar calendar(fabric_, events_.what());
    std::uint64_t next_look = std::max(least_between_looks, calendar.resources()) - std::uint64_t{1};
    events_.begin();
    bool all_well = true;
    for (std::uint32_t e = 0; e < events_.size(); ++e) {
      if (pulse_.reached()) fail_at_limit(pulse_.reason(), "retiming the schedule");
      if (e == next_look) {
        calendar.forget_before(events_.none_before(e));
        next_look += std::max(least_between_looks, calendar.resources());
      }
      StartBounds bounds = events_.bounds(e);
      if (exactly && events_.leaves(e)) bounds.not_before(entry(not_before_, events_.owner(e)));
      const std::uint32_t start = place(e, bounds, calendar);
      if (!exactly) continue;
      if (events_.leaves(e)) entry(starts_, events_.owner(e)) = start;
      if (start <= bounds.last) continue;
      all_well = false;
      events_.late(e, bounds.last_from);
      std::uint32_t& first = entry(not_before_, bounds.last_from);
      first = std::max(first, entry(starts_, bounds.last_from) + static_cast<std::uint32_t>(start - bounds.last));
    }
    return all_well;
  }

  bool fits() {
    Calendar calendar(fabric_, events_.what());
    events_.begin();
    for (std::uint32_t e = 0; e < events_.size(); ++e) {
      if (pulse_.reached()) fail_at_limit(pulse_.reason(), "retiming the schedule");
      events_.bounds(e);
      StartBounds bounds;
      bounds.not_before(events_.written(e));
      if (place(e, bounds, calendar) != events_.written(e)) return false;
    }
    return true;
  }

 private:
  std::uint32_t place(std::uint32_t e, const StartBounds& bounds, Calendar& calendar) {
    const std::uint32_t start = events_.find(e, bounds.first_step(), calendar);
    std::uint32_t length = 0;
    for (const Use& use : events_.uses()) length = std::max(length, use.offset);
    if (start > max_step - length) {
      fail({},
           fmt::format("the retimed schedule ends after {} {}; that is the limit",
                       fabric_.in_rounds() ? "round" : "step", max_step),
           Code::limit);
    }
    calendar.book(events_.uses(), start);
    events_.place(e, start);
    return start;
  }

  static std::uint32_t& entry(std::vector<std::uint32_t>& list, std::uint32_t owner) {
    if (owner >= list.size()) list.resize(owner + 1, 1);
    return list[owner];
  }

  Events& events_;
  const Fabric& fabric_;
  Pulse pulse_;
  std::vector<std::uint32_t> not_before_;  // by owner
  std::vector<std::uint32_t> starts_;      // likewise: of the event that leaves, as placed last
};

// Flights, each with its hops as far from one another as they are.
class WrittenFlights final : public Events {
 public:
  WrittenFlights(const Flights& flights, const Fabric& fabric) : flights_(flights), hops_(flights, fabric) {}

  void begin() override {}
  std::uint32_t size() const override { return static_cast<std::uint32_t>(flights_.list.size()); }
  StartBounds bounds(std::uint32_t) override { return {}; }
  std::uint32_t find(std::uint32_t f, std::uint32_t first, const Calendar& calendar) override {
    route_.clear();
    taken.clear();
    for (const Hop& hop : hops_.of(flights_.list[f])) route_.push_back({hop.channel, hop.step - written(f)});
    calendar.add_route(route_, taken);
    Calendar::add_up(taken);
    return calendar.ever_free(taken) ? calendar.first_free(taken, first) : 0;
  }
  void place(std::uint32_t, std::uint32_t) override {}
  std::uint32_t written(std::uint32_t f) const override {
    const Flight& flight = flights_.list[f];
    return flight.hops == 0 ? flight.start : std::ranges::min_element(flights_.of(flight), {}, &Hop::step)->step;
  }

 private:
  const Flights& flights_;
  FlightHops hops_;
  std::vector<TimedChannel> route_;
};

}  // namespace

bool place_events(Events& events, const Fabric& fabric, const PlacingRule& rule, const Limits& limits) {
  Scheduler scheduler(events, fabric, limits);
  if (rule.passes == 0) {
    scheduler.pass(false);
    return true;
  }
  for (std::uint64_t pass = 0; pass < rule.passes; ++pass) {
    if (scheduler.pass(true)) return true;
  }
  return false;
}

bool fit_as_written(Events& events, const Fabric& fabric, const Limits& limits) {
  return Scheduler(events, fabric, limits).fits();
}

bool fit_as_written(const Flights& flights, const Fabric& fabric, const Limits& limits) {
  WrittenFlights events(flights, fabric);
  return fit_as_written(events, fabric, limits);
}

std::uint64_t passes_of(std::uint64_t rows, std::uint64_t in_all) {
  return std::clamp<std::uint64_t>(in_all / (rows + 1), 4, 100);
}

}  // namespace quadrille
