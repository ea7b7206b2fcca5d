// Rows are placed in an order in which each comes after all rows that it waits for (joined_order.h). Rows that can only
// move together are one event. A row never has to precede a row that is placed already, so there always is a step for
// it.
//
// For example, 1 and 2 send to 0 around a switch, in the steps 1 and 3 over channels of their own, and one row leaves
// the switch in step 5: the first two are placed in step 1, and the row that leaves in step 2. In the end all sets are
// worked out from nothing, to see that each row carries what it carried (joined_rows.h). Cost: rows · log(rows), the
// steps tried, and the sets, twice.
#include "place/steps/retime_joined.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "model/described.h"
#include "model/text/evaluation_error.h"
#include "place/calendar/list_schedule.h"
#include "place/held/partial_reductions.h"
#include "place/steps/joined_order.h"
#include "place/steps/joined_rows.h"

namespace quadrille {
namespace {

class JoiningRows final : public Events {
 public:
  JoiningRows(const Flights& flights, const Fabric& written_for, const Collective& collective, const Fabric& target,
              const Limits& limits, ReductionsOfSends* words)
      : written_(flights),
        collective_(collective),
        target_(target),
        limits_(limits),
        words_(words),
        rows_(joined_rows(flights, written_for, collective, limits, words)) {
    if (rows_.faults > 0) return;
    order_ = order_of(rows_, flights, target, collective);
    clusters_ = order_.clusters();
  }

  RetimedFlights run() {
    if (rows_.faults > 0) return as_written("what they carry breaks the rules of joining there");
    place_events(*this, target_, {}, limits_);
    Flights result = written_;
    for (std::size_t h = 0; h < result.hops.size(); ++h) result.hops[h].step = steps_[rows_.of_hops[h]];
    if (!carries_the_same(result))
      return as_written("no order of their rows was found in which each carries what it carries");
    if (result.last_step() > written_.last_step() && fit_as_written(rows(), target_, limits_))
      return {written_, as_it_is_written};
    return {std::move(result), "rows that join"};
  }

  void begin() override { steps_.assign(rows_.rows.size(), unplaced); }
  std::uint32_t size() const override { return static_cast<std::uint32_t>(clusters_.size()); }

  StartBounds bounds(std::uint32_t c) override {
    StartBounds bounds;
    for (const std::uint32_t event : clusters_[c].events) {
      const std::uint32_t offset = order_.step(event) - clusters_[c].step;
      order_.for_all_before(event, [&](std::uint32_t from, std::uint32_t steps) {
        if (from < steps_.size() && steps_[from] != unplaced)
          bounds.not_before(std::int64_t{steps_[from]} + steps - offset);
      });
    }
    return bounds;
  }

  std::uint32_t find(std::uint32_t c, std::uint32_t first, const Calendar& calendar) override {
    std::vector<TimedChannel> route;
    for (const std::uint32_t event : clusters_[c].events) {
      if (event < rows_.rows.size())
        route.push_back({rows_.rows[event].channel, rows_.rows[event].step - clusters_[c].step});
    }
    taken.clear();
    calendar.add_route(route, taken);
    Calendar::add_up(taken);
    if (!calendar.ever_free(taken)) refuse("rows that must be in one step have no room there");
    return calendar.first_free(taken, first);
  }

  void place(std::uint32_t c, std::uint32_t start) override {
    for (const std::uint32_t event : clusters_[c].events) {
      if (event >= steps_.size()) steps_.resize(event + 1, unplaced);
      steps_[event] = start + (order_.step(event) - clusters_[c].step);
    }
  }

 private:
  RetimedFlights as_written(const char* why_not_anew) const {
    if (!fit_as_written(rows(), target_, limits_)) refuse(why_not_anew);
    return {written_, fmt::format("it is written: {}", why_not_anew)};
  }

  // Each row once, as if each were a flight.
  Flights rows() const {
    Flights flights;
    for (const JoinedRow& row : rows_.rows) {
      Flight& flight = flights.list.emplace_back();
      flight.first_hop = flights.hops.size();
      flight.hops = 1;
      flights.hops.push_back({row.channel, row.step});
    }
    return flights;
  }

  [[noreturn]] void refuse(const char* why) const {
    fail({}, fmt::format("packets that join in switches cannot be retimed on {}: {}", described(target_), why),
         Code::unsupported);
  }

  bool carries_the_same(const Flights& flights) const {
    const JoinedRows now = joined_rows(flights, target_, collective_, limits_, words_);
    if (now.faults > 0 || now.rows.size() != rows_.rows.size()) return false;
    for (std::size_t h = 0; h < flights.hops.size(); ++h) {
      if (now.rows[now.of_hops[h]].carried != rows_.rows[rows_.of_hops[h]].carried) return false;
    }
    return same_held(now.held, rows_.held);
  }

  static constexpr std::uint32_t unplaced = 0;

  const Flights& written_;
  const Collective& collective_;
  const Fabric& target_;
  const Limits& limits_;
  ReductionsOfSends* words_;
  JoinedRows rows_;  // as written
  EventOrder order_;
  std::vector<EventOrder::Cluster> clusters_;
  std::vector<std::uint32_t> steps_;  // by event of the order
};

}  // namespace

RetimedFlights retimed_joined(const Flights& flights, const Fabric& written_for, const Collective& collective,
                              const Fabric& target, const Limits& limits, ReductionsOfSends* words) {
  return JoiningRows(flights, written_for, collective, target, limits, words).run();
}

bool need_not_join(const Flights& flights, const Fabric& fabric, const Collective& collective, const Limits& limits,
                   ReductionsOfSends* words) {
  const JoinedRows joined = joined_rows(flights, fabric, collective, limits, words);
  const PartialReductions apart = partial_reductions(flights, fabric, collective, limits, words);
  if (apart.ended != Reason::none) fail_at_limit(apart.ended, "retiming the schedule");
  return joined.faults == 0 && apart.faults == 0 && same_held(joined.held, apart.held);
}

}  // namespace quadrille
