// Idea: consider a value with time reversed. Then its contributions, which come together at the target, are one
// packet that spreads from there, from processor to processor, in flights. Switches only pass it on, and each flight
// is for one processor. So a tree grows. In each turn, every processor outside the tree has a flight that would bring
// it the packet first; the tree takes the processor whose flight arrives first, or the one whose flight arrives last.
// Afterwards time is turned round: every processor sends its partial reduction after all processors that had the
// packet from it have sent theirs.
//
//   4 servers of 4 processors at a core switch, farthest first: the target tells one processor in each other server in
//   steps 1, 2 and 3, and then each tells its neighbours; turned round, servers reduce before anything crosses the core
//
// The trees of several values grow together, in turn.
//
// Cost: for each value, whenever the tree grows, each processor outside looks at a flight from each in the tree: n³
// flights.
// (Early and late completion first: Bhat, Raghavendra, Prasanna, "Efficient collective communication in distributed
// heterogeneous systems", 2003.)
#include <algorithm>
#include <limits>
#include <optional>

#include "model/route.h"
#include "verifier/search/heuristics/flights.h"
#include "verifier/search/heuristics/schedules.h"

namespace quadrille::searching {
namespace {

constexpr std::uint64_t most_flights = std::uint64_t{1} << 24;
constexpr std::uint32_t most_steps = 1U << 24;

class Trees {
 public:
  Trees(const Fabric& fabric, const Collective& collective, Next next, Watch* watch)
      : fabric_(fabric),
        collective_(collective),
        shape_(*collective.shape()),
        next_(next),
        router_(fabric),
        flights_(fabric, watch) {}

  std::vector<StepRow> run() {
    const std::uint64_t n = fabric_.processors();
    const bool switches_join = fabric_.switches_reduce() && fabric_.nodes() > n;
    if (shape_.by_rank() || switches_join || collective_.ordered() || n < 2) return {};
    if (n > 4096 || collective_.values() > most_flights / (n * n * n)) return {};
    had_since_.assign(collective_.values(), std::vector<std::optional<std::uint32_t>>(n));
    for (std::uint32_t value = 0; value < collective_.values(); ++value) had_since_[value][target(value)] = 0;
    for (std::uint64_t grown = 1; grown < n; ++grown) {
      for (std::uint32_t value = 0; value < collective_.values(); ++value) {
        const std::optional<TreeFlight> next = next_flight(value);
        if (!next || next->arrival >= most_steps) return {};
        carry_out(*next, value);
      }
    }
    return turned_round();
  }

 private:
  // The packet's flight to a processor, from one that has it, in reversed time.
  struct TreeFlight {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint32_t start = 0;
    std::uint32_t arrival = std::numeric_limits<std::uint32_t>::max();
  };

  // A channel that a flight crosses, in a step of reversed time. Sender and receiver are those after time is turned
  // round.
  struct TreeCrossing {
    std::uint32_t step = 0;
    ChannelId channel;
    std::uint32_t sender = 0;
    std::uint32_t receiver = 0;
    std::uint32_t value = 0;
  };

  bool there_and_back() const { return shape_.shared(); }

  // The processor where the value comes together. If everyone wants it, the values are divided evenly among
  // processors, or all come together at n / 2 if that is not possible.
  std::uint32_t target(std::uint32_t value) const {
    const std::uint32_t n = fabric_.processors();
    if (const auto only = shape_.only_wanter(value)) return only->value;
    return collective_.values() % n == 0 ? value / (collective_.values() / n) : n / 2;
  }

  std::optional<TreeFlight> next_flight(std::uint32_t value) {
    std::optional<TreeFlight> best;
    for (std::uint32_t to = 0; to < fabric_.processors(); ++to) {
      if (had_since_[value][to]) continue;
      const TreeFlight flight = first_flight(to, value);
      const bool better = !best || (next_ == Next::nearest ? flight.arrival < best->arrival  //
                                                           : flight.arrival > best->arrival);
      if (better) best = flight;
    }
    return best;
  }

  TreeFlight first_flight(std::uint32_t to, std::uint32_t value) {
    TreeFlight best{.from = 0, .to = to};
    for (std::uint32_t from = 0; from < fabric_.processors(); ++from) {
      if (!had_since_[value][from] || !find_path(to, from)) continue;
      const auto length = static_cast<std::uint32_t>(path_.size());
      if (*had_since_[value][from] + length >= best.arrival) continue;
      const std::uint32_t start = flights_.earliest(path_, *had_since_[value][from] + 1);
      if (start + length - 1 < best.arrival) best = {from, to, start, start + length - 1};
    }
    return best;
  }

  // Finds the route on which `sender` sends to `receiver`, and reverses it, as time goes in the tree.
  bool find_path(std::uint32_t sender, std::uint32_t receiver) {
    path_.clear();
    if (!router_.append_route(NodeId{sender}, NodeId{receiver}, path_)) return false;
    std::ranges::reverse(path_);
    return true;
  }

  void carry_out(const TreeFlight& it, std::uint32_t value) {
    find_path(it.to, it.from);
    flights_.take(path_, it.start);
    std::uint32_t step = it.start;
    for (const ChannelId e : path_) crossings_.push_back({step++, e, it.to, it.from, value});
    had_since_[value][it.to] = it.arrival;
  }

  // The rows with time turned round. Results of an allreduce then go back on the trees, over the same links the other
  // way.
  std::vector<StepRow> turned_round() const {
    std::vector<StepRow> rows;
    std::uint32_t last = 0;
    for (const TreeCrossing& it : crossings_) last = std::max(last, it.step);
    for (const TreeCrossing& it : crossings_) {
      const ChunkId chunk = collective_.chunk({it.sender, it.receiver, it.value}).value();
      rows.push_back({StepId{last + 1 - it.step}, {it.channel, LaneId{0}, chunk}});
      if (!there_and_back()) continue;
      const std::optional<ChannelId> back = fabric_.reverse(it.channel);
      if (!back || fabric_.channel(*back).capacity < fabric_.channel(it.channel).capacity) return {};
      const ChunkId result = collective_.chunk({it.receiver, it.sender, it.value}).value();
      rows.push_back({StepId{last + it.step}, {*back, LaneId{0}, result}});
    }
    return rows;
  }

  const Fabric& fabric_;
  const Collective& collective_;
  DemandShape shape_;
  Next next_;
  Router router_;
  FlightRoom flights_;
  std::vector<std::vector<std::optional<std::uint32_t>>> had_since_;  // by value and processor: the step
  std::vector<ChannelId> path_;
  std::vector<TreeCrossing> crossings_;
};

}  // namespace

std::vector<StepRow> joining_trees(const Fabric& fabric, const Collective& collective, Next next, Watch* watch) {
  return Trees(fabric, collective, next, watch).run();
}

}  // namespace quadrille::searching
