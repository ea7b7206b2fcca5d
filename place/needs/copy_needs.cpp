// No send leaves before the copy that it takes has come, nor before an earlier send of its processor. A chunk at a
// processor is a cell (cells.h) of which the first arrival counts. For example, `at 1: send 0 -> 1`, `at
// 2: send 1 -> 2` around a switch: the copy is at 1 after step 2, so the second send leaves in step 3. There may be
// millions of sends, so cells are kept only of chunks that are sent more than once.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "model/containers/packet_table.h"
#include "place/flights/flight_walk.h"
#include "place/needs/needed_passages.h"
#include "place/needs/needs.h"

namespace quadrille {
namespace {

class CopyNeeds final : public SendNeeds {
 public:
  CopyNeeds(const Flights& flights, const Fabric& written_for, const Fabric& target, const Collective& collective)
      : flights_(flights),
        written_for_(written_for),
        target_(target),
        collective_(collective),
        hops_(flights, written_for),
        repeated_(flights.list),
        last_departure_(target.processors(), 1),
        last_of_(target.processors()) {
    for (std::uint32_t s = 0; s < flights_.list.size(); ++s) last_of_[source_of(s).value] = s;
  }

  RoutedSend send(std::uint32_t s, bool stored_only) override {
    if (!passages_) passages_ = needed_passages(flights_, written_for_, collective_);
    const Flight& flight = flights_.list[s];
    auto passage = std::ranges::lower_bound(*passages_, NeededPassage{s, 0});
    const bool passed = passage != passages_->end() && passage->flight == s;
    ends_.clear();
    if (flight.hops == 0 && !passed && stored_only) {
      ends_.push_back({flight.target});
      return {flight, {}, 0, flight.source, ends_};
    }
    const FlightWalk walk(flight, hops_.of(flight), written_for_);
    for (std::uint32_t h = 0; h < walk.hops().size(); ++h) {
      const bool needed = passage != passages_->end() && *passage == NeededPassage{s, h};
      if (needed) ++passage;
      if (needed || walk.last(h)) ends_.push_back({walk.to(h), h, walk.hops()[h].step});
    }
    return {flight, walk.hops(), 0, source_of(s), ends_};
  }

  void clear() override {
    arrived_ = decltype(arrived_)(*std::pmr::get_default_resource());
    std::ranges::fill(last_departure_, 1);
  }

  void bound_departure(std::uint32_t s, StartBounds& bounds) const override {
    const ChunkId chunk = flights_.list[s].chunk;
    const NodeId source = source_of(s);
    bounds.not_before(last_departure_[source.value]);
    const std::uint32_t* arrival = repeated_.maybe(chunk) ? arrived_.find({chunk.value, source.value}) : nullptr;
    if (arrival != nullptr) bounds.not_before(std::int64_t{*arrival} + 1);
  }

  void depart(std::uint32_t s, std::uint32_t start) override {
    std::uint32_t& last = last_departure_[source_of(s).value];
    last = std::max(last, start);
  }

  void arrive(std::uint32_t s, std::uint32_t start, std::span<const TimedChannel> hops,
              std::span<const std::uint32_t>) override {
    const ChunkId chunk = flights_.list[s].chunk;
    if (!repeated_.maybe(chunk)) return;
    for (const TimedChannel& hop : hops) {
      const NodeId to = target_.channel(hop.channel).to;
      if (!target_.is_processor(to)) continue;
      const auto [first, is_new] = arrived_.insert({chunk.value, to.value});
      *first = is_new ? start + hop.offset : std::min(*first, start + hop.offset);
    }
  }

  std::uint32_t none_before(std::uint32_t s) const override {
    std::uint32_t first = std::numeric_limits<std::uint32_t>::max();
    for (std::uint32_t p = 0; p < target_.processors(); ++p) {
      if (last_of_[p] >= s) first = std::min(first, last_departure_[p]);
    }
    return first;
  }

  bool hold_as_written() const override {
    CopyNeeds placed(flights_, written_for_, written_for_, collective_);
    std::vector<TimedChannel> route;
    for (std::uint32_t s = 0; s < flights_.list.size(); ++s) {
      route.clear();
      for (const Hop& hop : placed.hops_.of(flights_.list[s])) route.push_back({hop.channel, hop.step});
      if (route.empty()) continue;
      StartBounds bounds;
      const bool starts = collective_.starts_at(flights_.list[s].chunk, source_of(s));
      if (!starts) placed.bound_departure(s, bounds);
      if (bounds.first > route.front().offset) return false;
      placed.arrive(s, 0, route, {});
    }
    return true;
  }

 private:
  NodeId source_of(std::uint32_t s) const {
    const Flight& flight = flights_.list[s];
    return flight.hops == 0 ? flight.source : written_for_.channel(flights_.of(flight).front().channel).from;
  }

  const Flights& flights_;
  const Fabric& written_for_;
  const Fabric& target_;
  const Collective& collective_;
  FlightHops hops_;
  std::optional<std::vector<NeededPassage>> passages_;  // once a route is asked for
  std::vector<SendEnd> ends_;                           // of the send asked for last
  RepeatedChunks repeated_;
  PacketTable<PlaceKey, std::uint32_t> arrived_{*std::pmr::get_default_resource()};  // the first arrival
  std::vector<std::uint32_t> last_departure_;  // by processor: of the sends placed; 1: none
  std::vector<std::uint32_t> last_of_;         // by processor: the last send that leaves it
};

}  // namespace

std::unique_ptr<SendNeeds> copy_needs(const Flights& flights, const Fabric& written_for, const Fabric& target,
                                      const Collective& collective) {
  return std::make_unique<CopyNeeds>(flights, written_for, target, collective);
}

}  // namespace quadrille
