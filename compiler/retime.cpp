// Retiming: the same sends in the same order, each as early as the fabric allows.
//
// One pass over the flights in order of departure. Each takes the first step in which all its hops find a free lane
// (and free ports), not before what it carries has arrived and not before an earlier send of its processor. What is
// taken is booked in a calendar per channel. Cost: hops · (steps tried).
//
// Where packets combine, a send must also leave before what it did not carry arrives. What was placed too early for
// that is held back, and the pass is made again.
#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>
#include <vector>

#include "compiler/flights.h"

namespace quadrille {
namespace {

class Calendar {
 public:
  explicit Calendar(const Fabric& fabric)
      : fabric_(fabric),
        channels_(fabric.channels()),
        sends_(ports() ? fabric.processors() : 0),
        receives_(sends_.size()) {}

  bool free(ChannelId id, std::uint32_t step) const {
    const Channel& channel = fabric_.channel(id);
    std::uint32_t used = at(channels_[id.value], step);
    if (half()) used += at(channels_[fabric_.reverse(id).value], step);
    if (used >= channel.capacity) return false;
    if (!ports()) return true;
    return port_free(channel.from, sends_, receives_, step) && port_free(channel.to, receives_, sends_, step);
  }

  void book(ChannelId id, std::uint32_t step) {
    const Channel& channel = fabric_.channel(id);
    add(channels_[id.value], step);
    if (!ports()) return;
    if (fabric_.is_processor(channel.from)) add(sends_[channel.from.value], step);
    if (fabric_.is_processor(channel.to)) add(receives_[channel.to.value], step);
  }

 private:
  using Counts = std::vector<std::uint32_t>;  // by step

  bool half() const { return fabric_.rules().duplex == Duplex::half; }
  bool ports() const { return fabric_.rules().ports == Ports::single; }

  bool port_free(NodeId node, const std::vector<Counts>& own, const std::vector<Counts>& other,
                 std::uint32_t step) const {
    if (!fabric_.is_processor(node)) return true;
    return at(own[node.value], step) == 0 && (!half() || at(other[node.value], step) == 0);
  }

  static std::uint32_t at(const Counts& counts, std::uint32_t step) { return step < counts.size() ? counts[step] : 0; }
  static void add(Counts& counts, std::uint32_t step) {
    if (step >= counts.size()) counts.resize(std::max<std::size_t>(step + 1, counts.size() * 2));
    ++counts[step];
  }

  const Fabric& fabric_;
  std::vector<Counts> channels_;
  std::vector<Counts> sends_;
  std::vector<Counts> receives_;
};

// Copying: a packet may leave a processor once it has arrived there.
class Copies {
 public:
  explicit Copies(const Fabric& fabric) : fabric_(fabric) {}

  std::uint32_t earliest(const Flight& flight) const {
    const auto found = arrived_.find(key(flight.source, flight.chunk));
    return found == arrived_.end() ? 1 : found->second + 1;
  }

  void place(const Flight& flight, std::span<const Hop> hops) {
    for (const Hop& hop : hops) {
      const NodeId to = fabric_.channel(hop.channel).to;
      if (!fabric_.is_processor(to)) continue;
      const auto [first, fresh] = arrived_.emplace(key(to, flight.chunk), hop.step);
      if (!fresh) first->second = std::min(first->second, hop.step);
    }
  }

 private:
  std::uint64_t key(NodeId processor, ChunkId chunk) const {
    return chunk.value * fabric_.processors() + processor.value;
  }

  const Fabric& fabric_;
  std::unordered_map<std::uint64_t, std::uint32_t> arrived_;
};

// Combining: a packet that leaves its origin carries the words that arrived there, for its value, in the steps before;
// one that leaves another processor, what brought it there. Both must be the same as in the original; where the
// operation is ordered, so must be the order in which words arrive, or there would be gaps between them.
class Words {
 public:
  Words(const Fabric& fabric, const Collective& collective, const Router* written_for)
      : fabric_(fabric), collective_(collective), written_for_(written_for) {}

  // Bounds of the step in which the flight leaves, and whose arrival the last one comes from.
  struct Bounds {
    std::int64_t first = 1;
    std::int64_t last = std::numeric_limits<std::int64_t>::max();
    std::size_t last_from = 0;  // a flight; only if there is such a bound
  };

  Bounds bounds(const Flight& flight, std::span<const Hop> original) const {
    Bounds bounds;
    const std::uint32_t departure = original.front().step;
    const auto not_after = [&](const Event& event, std::int64_t step) {
      if (step >= bounds.last) return;
      bounds.last = step;
      bounds.last_from = event.flight;
    };
    for (const Event& arrival : at(arrivals_, read_by(flight))) {
      if (arrival.original < departure) {
        bounds.first = std::max(bounds.first, arrival.step + 1);
      } else {
        not_after(arrival, arrival.step);
      }
    }
    for (std::size_t i = 0; i < original.size(); ++i) {
      if (!fabric_.is_processor(fabric_.channel(original[i].channel).to)) continue;
      const std::int64_t offset = original[i].step - departure;
      const std::uint32_t arrival = written_arrival(flight, original, i);
      const Key written = written_by(flight, original[i]);
      for (const Event& reader : at(departures_, written)) {
        if (reader.original <= arrival) bounds.first = std::max(bounds.first, reader.step - offset);
      }
      if (!collective_.ordered()) continue;
      for (const Event& other : at(arrivals_, written)) {
        if (other.original <= arrival) bounds.first = std::max(bounds.first, other.step - offset);
        if (other.original >= arrival) not_after(other, other.step - offset);
      }
    }
    return bounds;
  }

  void place(std::size_t number, const Flight& flight, std::span<const Hop> original, std::uint32_t start) {
    const std::uint32_t departure = original.front().step;
    departures_[read_by(flight)].push_back({departure, start, number});
    for (std::size_t i = 0; i < original.size(); ++i) {
      if (!fabric_.is_processor(fabric_.channel(original[i].channel).to)) continue;
      arrivals_[written_by(flight, original[i])].push_back(
          {written_arrival(flight, original, i), start + (original[i].step - departure), number});
    }
  }

 private:
  // A departure or an arrival: its step in the original, and now.
  struct Event {
    std::uint32_t original = 0;
    std::int64_t step = 0;
    std::size_t flight = 0;
  };
  // A processor's own word of a value, or a packet that comes through.
  struct Key {
    std::uint32_t processor = 0;
    bool own = false;
    std::uint64_t what = 0;
    auto operator<=>(const Key&) const = default;
  };
  using Events = std::map<Key, std::vector<Event>>;

  static std::span<const Event> at(const Events& events, const Key& key) {
    const auto found = events.find(key);
    return found == events.end() ? std::span<const Event>() : std::span<const Event>(found->second);
  }

  Key key(NodeId processor, bool own, ChunkId chunk) const {
    return {processor.value, own, own ? collective_.value_of(chunk) : chunk.value};
  }
  Key read_by(const Flight& flight) const {
    return key(flight.source, collective_.name(flight.chunk).origin == flight.source.value, flight.chunk);
  }
  Key written_by(const Flight& flight, const Hop& hop) const {
    const NodeId to = fabric_.channel(hop.channel).to;
    return key(to, collective_.name(flight.chunk).target == to.value, flight.chunk);
  }

  // The step in which the hop's end is reached on the fabric that the schedule is written for.
  std::uint32_t written_arrival(const Flight& flight, std::span<const Hop> original, std::size_t i) const {
    const NodeId to = fabric_.channel(original[i].channel).to;
    if (written_for_ == nullptr || !fabric_.is_processor(to)) return original[i].step;
    const auto distance = written_for_->distance(flight.source, to);
    return distance && *distance > 0 ? original[i].step - static_cast<std::uint32_t>(i + 1) + *distance
                                     : original[i].step;
  }

  const Fabric& fabric_;
  const Collective& collective_;
  const Router* written_for_;
  Events arrivals_;
  Events departures_;
};

class Retimer {
 public:
  Retimer(const Flights& flights, const Fabric& fabric, const Collective& collective, const Router* written_for)
      : original_(flights),
        fabric_(fabric),
        collective_(collective),
        written_for_(written_for),
        not_before_(flights.list.size(), 1) {}

  Flights run() {
    constexpr int most_passes = 100;
    for (int pass = 0; pass < most_passes; ++pass) {
      if (place_all()) return std::move(result_);
    }
    // Words that cannot be kept apart (two that cross a half-duplex link, say) may join earlier than they did.
    keep_apart_ = false;
    not_before_.assign(not_before_.size(), 1);
    place_all();
    return std::move(result_);
  }

 private:
  // What has been placed in a pass.
  struct Placed {
    explicit Placed(const Retimer& r)
        : calendar(r.fabric_),
          copies(r.fabric_),
          words(r.fabric_, r.collective_, r.written_for_),
          last_departure(r.fabric_.processors(), 1) {}

    Calendar calendar;
    Copies copies;
    Words words;
    std::vector<std::uint32_t> last_departure;  // by processor
  };

  // Whether all words are what they were; if not, what was too early has been put off.
  bool place_all() {
    result_ = original_;
    Placed placed(*this);
    bool same = true;
    for (std::size_t f = 0; f < original_.list.size(); ++f) {
      const Flight& flight = original_.list[f];
      const Words::Bounds bounds = bounds_of(flight, placed);
      const std::uint32_t start =
          first_room(flight,
                     std::max({bounds.first, std::int64_t{placed.last_departure[flight.source.value]},
                               std::int64_t{not_before_[f]}}),
                     placed.calendar);
      if (keep_apart_ && start > bounds.last) {
        put_off(bounds.last_from, start - bounds.last);
        same = false;
      }
      place(f, start, placed);
    }
    return same;
  }

  Words::Bounds bounds_of(const Flight& flight, const Placed& placed) const {
    if (collective_.combining()) return placed.words.bounds(flight, original_.of(flight));
    Words::Bounds bounds;
    bounds.first = placed.copies.earliest(flight);
    return bounds;
  }

  // The first start from `first` on for which every hop finds room.
  std::uint32_t first_room(const Flight& flight, std::int64_t first, const Calendar& calendar) const {
    const auto hops = original_.of(flight);
    auto start = static_cast<std::uint32_t>(first);
    const auto fits = [&](const Hop& hop) {
      return calendar.free(hop.channel, start + (hop.step - hops.front().step));
    };
    while (!std::all_of(hops.begin(), hops.end(), fits)) ++start;
    return start;
  }

  // In the next pass the flight, which is placed, starts so many steps later at least.
  void put_off(std::size_t f, std::int64_t steps) {
    const std::int64_t start = result_.of(result_.list[f]).front().step + steps;
    not_before_[f] = std::max(not_before_[f], static_cast<std::uint32_t>(start));
  }

  void place(std::size_t f, std::uint32_t start, Placed& placed) {
    const Flight& flight = original_.list[f];
    const auto original = original_.of(flight);
    const auto hops = result_.of(flight);
    for (Hop& hop : hops) hop.step = start + (hop.step - original.front().step);
    for (const Hop& hop : hops) placed.calendar.book(hop.channel, hop.step);
    placed.last_departure[flight.source.value] = start;
    if (collective_.combining()) {
      placed.words.place(f, flight, original, start);
    } else {
      placed.copies.place(flight, hops);
    }
  }

  const Flights& original_;
  const Fabric& fabric_;
  const Collective& collective_;
  const Router* written_for_;
  std::vector<std::uint32_t> not_before_;  // by flight
  bool keep_apart_ = true;
  Flights result_;
};

}  // namespace

Flights retimed(const Flights& flights, const Fabric& fabric, const Collective& collective, const Router* written_for) {
  return Retimer(flights, fabric, collective, written_for).run();
}

}  // namespace quadrille
