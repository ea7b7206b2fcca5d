// Rows are placed in an order in which each comes after all rows that it waits for (joined_order.h). Rows that can only
// move together are one event. A row never has to precede a row that is placed already, so there always is a step for
// it.
//
// For example, 1 and 2 send to 0 around a switch, in the steps 1 and 3 over channels of their own, and one row leaves
// the switch in step 5: the first two are placed in step 1, and the row that leaves in step 2. In the end all sets are
// worked out from nothing, to see that each row carries what it carried (joined_rows.h). Cost: rows · log(rows), the
// steps tried, and the sets, twice.
//
// Elsewhere, each written step becomes as many steps as the longest route has channels, and every send arrives in the
// last of those of its arrival. The routes to one processor form a tree. So the sends that arrived together reach each
// switch together, and leave it as one row in the next step. joined_rows.h works out the result; if it is that of the
// written schedule, these rows are placed.
//
// For example, 1 … 7 send to 0 in one step of a complete graph; on a star that becomes seven rows in step 1 and one row
// in step 2. On a tree, sends with shorter routes leave later, and all meet on their routes. Cost: that of retiming
// rows that join, and the routes.
#include "place/steps/retime_joined.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/described.h"
#include "model/route.h"
#include "model/text/evaluation_error.h"
#include "place/held/joined_rows.h"
#include "place/held/partial_reductions.h"
#include "place/needs/joined_order.h"
#include "place/steps/tries.h"

namespace quadrille {
namespace {

class JoiningRows final : public Tries {
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
    const std::string_view as = best_of(std::array{Try{.as = "rows that join", .exactly = false}});
    if (as.empty()) return as_written("no order of their rows was found in which each carries what it carries");
    if (as == as_it_is_written) return {written_, std::string(as)};
    return {std::move(placed_), std::string(as)};
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
  bool is_worth_it(const Try&, const Try*) const override { return true; }
  bool comes_to_the_same(bool) override {
    place_events(*this, target_, {}, limits_);
    placed_ = written_;
    for (std::size_t h = 0; h < placed_.hops.size(); ++h) placed_.hops[h].step = steps_[rows_.of_hops[h]];
    return carries_the_same(placed_);
  }
  bool better_than_kept() override { return true; }
  void keep() override {}
  bool written_is_better(bool kept) override {
    return kept && placed_.last_step() > written_.last_step() && fit_as_written(rows(), target_, limits_);
  }

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
  Flights placed_;
};

// The flights by default routes, in the order of their departures; and which flight each of them was.
using Rerouted = std::pair<Flights, std::vector<std::uint32_t>>;

std::optional<Rerouted> rerouted(const Flights& flights, const Fabric& written_for, const Fabric& target) {
  const Router router(target);
  std::vector<std::vector<ChannelId>> routes;
  std::size_t longest = 1;
  for (const Flight& flight : flights.list) {
    const bool plain = !flight.named_path && flight.target != flight.source && flight.hops > 0 &&
                       written_for.is_processor(flight.source) && written_for.is_processor(flight.target);
    if (!plain || !router.append_route(flight.source, flight.target, routes.emplace_back())) return std::nullopt;
    longest = std::max(longest, routes.back().size());
  }
  if (flights.last_step() > max_step / longest) return std::nullopt;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> order;  // departure, flight
  for (std::uint32_t f = 0; f < routes.size(); ++f) {
    const auto arrival = static_cast<std::uint32_t>(flights.of(flights.list[f]).back().step * longest);
    order.emplace_back(arrival - static_cast<std::uint32_t>(routes[f].size()) + 1, f);
  }
  std::sort(order.begin(), order.end());
  Rerouted result;
  auto& [placed, origins] = result;
  for (const auto& [departure, f] : order) {
    Flight flight = flights.list[f];
    flight.first_hop = placed.hops.size();
    flight.hops = static_cast<std::uint32_t>(routes[f].size());
    for (std::uint32_t h = 0; h < flight.hops; ++h) placed.hops.push_back({routes[f][h], departure + h});
    placed.list.push_back(flight);
    origins.push_back(f);
  }
  return result;
}

bool come_to_the_same(const JoinedRows& now, const Rerouted& rerouted, const JoinedRows& before,
                      const Flights& flights) {
  if (before.faults > 0 || now.faults > 0) return false;
  for (std::size_t i = 0; i < rerouted.second.size(); ++i) {
    const std::uint32_t first_now = now.of_hops[rerouted.first.list[i].first_hop];
    const std::uint32_t first_before = before.of_hops[flights.list[rerouted.second[i]].first_hop];
    if (now.rows[first_now].carried != before.rows[first_before].carried) return false;
  }
  return same_held(now.held, before.held);
}

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

std::optional<RetimedFlights> joined_elsewhere(const Flights& flights, const Fabric& written_for,
                                               const Collective& collective, const Fabric& target, const Limits& limits,
                                               ReductionsOfSends* words) {
  const auto there = rerouted(flights, written_for, target);
  if (!there) return std::nullopt;
  try {
    const JoinedRows before = joined_rows(flights, written_for, collective, limits, words);
    const JoinedRows now = joined_rows(there->first, target, collective, limits, words);
    if (!come_to_the_same(now, *there, before, flights)) return std::nullopt;
    RetimedFlights joined = retimed_joined(there->first, target, collective, target, limits, words);
    joined.as = "sends that join where their routes meet";
    return joined;
  } catch (const EvaluationError& error) {
    const Code code = error.diagnostic.code;
    if (code == Code::unsupported || code == Code::value)
      return std::nullopt;  // no room, or no partial reductions for a sum
    throw;
  }
}

}  // namespace quadrille
