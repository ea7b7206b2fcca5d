// Retiming: the same sends in the same order, each as early as the fabric allows.
//
// One pass over the flights in order of departure. Each takes the first step in which all its hops find a free lane
// (and free ports), not before what it carries has arrived and not before an earlier send of its processor. What is
// taken is booked in a calendar per channel. Cost: hops · (steps tried).
#include <algorithm>
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

// When each packet may leave each processor. Copying: once the chunk has arrived. Combining: once every word that had
// arrived in the original, in that value, has.
class Readiness {
 public:
  Readiness(const Fabric& fabric, const Collective& collective) : fabric_(fabric), collective_(collective) {}

  std::uint32_t earliest(const Flight& flight) const {
    const auto found = ready_.find(key(flight.source, flight.chunk));
    return found == ready_.end() ? 1 : found->second + 1;
  }

  void arrive(const Flight& flight, std::span<const Hop> hops) {
    for (const Hop& hop : hops) {
      const NodeId to = fabric_.channel(hop.channel).to;
      if (!fabric_.is_processor(to)) continue;
      const std::uint32_t step = hop.step;
      const auto [place, fresh] = ready_.emplace(key(to, flight.chunk), step);
      if (fresh) continue;
      // A copy is there with its first arrival; a sum only with its last.
      place->second = collective_.combining() ? std::max(place->second, step) : std::min(place->second, step);
    }
  }

 private:
  std::uint64_t key(NodeId processor, ChunkId chunk) const {
    const std::uint64_t what = collective_.combining() ? collective_.value_of(chunk) : chunk.value;
    return what * fabric_.processors() + processor.value;
  }

  const Fabric& fabric_;
  const Collective& collective_;
  std::unordered_map<std::uint64_t, std::uint32_t> ready_;
};

}  // namespace

Flights retimed(const Flights& flights, const Fabric& fabric, const Collective& collective) {
  Flights result = flights;
  Calendar calendar(fabric);
  Readiness readiness(fabric, collective);
  std::vector<std::uint32_t> last_departure(fabric.processors(), 1);
  for (const Flight& flight : result.list) {
    const auto hops = result.of(flight);
    const std::uint32_t original = hops.front().step;
    std::uint32_t start = std::max(readiness.earliest(flight), last_departure[flight.source.value]);
    const auto fits = [&] {
      return std::all_of(hops.begin(), hops.end(),
                         [&](const Hop& hop) { return calendar.free(hop.channel, start + (hop.step - original)); });
    };
    while (!fits()) ++start;
    for (Hop& hop : hops) {
      hop.step = start + (hop.step - original);
      calendar.book(hop.channel, hop.step);
    }
    last_departure[flight.source.value] = start;
    readiness.arrive(flight, hops);
  }
  return result;
}

}  // namespace quadrille
