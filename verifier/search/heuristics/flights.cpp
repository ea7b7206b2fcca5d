// Two ways to bring contributions together by flights. A flight is a packet's trip along a path without waiting, one
// channel a step.
//
// --- chains
//
// Idea: along the line of processors 0, 1, 2, …, each joins the partial reduction that it gets to its own
// contribution and sends the result on. So each partial reduction is an interval, which is also right for ordered
// operations. A reduction goes to its root from both ends; an allreduce goes to the middle and back.
//
//   allreduce of 5: 0 -> 1 -> 2 <- 3 <- 4, then 2 -> 1 -> 0 and 2 -> 3 -> 4; with several values, one behind the other
//
// A hop of the line is the fabric's default route. A packet starts in the first step from which all of its route is
// free. Cost: rows x the steps in which a start is looked for. The schedule is right everywhere, but short on lines
// only. It gives the search something to improve on.
//
// --- trees
//
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
#include <cstdint>
#include <limits>
#include <optional>
#include <unordered_map>

#include "model/route.h"
#include "verifier/search/heuristics/schedules.h"

namespace quadrille::searching {
namespace {

constexpr std::uint64_t most_chained = std::uint64_t{1} << 20;    // flights
constexpr std::uint64_t most_looked_at = std::uint64_t{1} << 24;  // likewise
constexpr std::uint32_t most_steps = 1U << 24;

// FreeChannels counts what flights occupy: it has a counter for each channel, link or port in each step. Cost of a
// query: steps passed over x channels of the path.
class FreeChannels {
 public:
  FreeChannels(const Fabric& fabric, Watch* watch) : fabric_(fabric), watch_(watch) {}

  // The first step, not before `start`, in which a flight can begin: every channel of the path has room when its turn
  // comes, and so have single ports and half-duplex links.
  std::uint32_t earliest(const std::vector<ChannelId>& path, std::uint32_t start) const {
    for (require_open(watch_); !free(path, start); ++start) require_open(watch_);
    return start;
  }

  // Occupies the channels, links and ports of the flight that starts in this step.
  void take(const std::vector<ChannelId>& path, std::uint32_t start) {
    for (const ChannelId e : path) {
      for (const std::uint64_t use : uses(e, start)) ++used_[use];
      ++start;
    }
  }

 private:
  bool free(const std::vector<ChannelId>& path, std::uint32_t step) const {
    for (const ChannelId e : path) {
      for (const std::uint64_t use : uses(e, step)) {
        const auto found = used_.find(use);
        const bool port = use >> 32U >= 2 * std::uint64_t{fabric_.channels()};
        if (found != used_.end() && found->second >= (port ? 1 : room(e))) return false;
      }
      ++step;
    }
    return true;
  }

  std::uint32_t room(ChannelId e) const {
    const std::uint32_t capacity = fabric_.channel(e).capacity;
    if (fabric_.rules().duplex != Duplex::half) return capacity;
    return std::min(capacity, fabric_.channel(fabric_.link(e)).capacity);
  }

  // The counters that a use of the channel in a step takes: that of the channel or link, and those of the ports.
  std::vector<std::uint64_t> uses(ChannelId e, std::uint32_t step) const {
    const bool half = fabric_.rules().duplex == Duplex::half;
    const auto use = [&](std::uint64_t resource) { return resource << 32U | step; };
    std::vector<std::uint64_t> all{use((half ? fabric_.link(e) : e).value)};
    if (fabric_.rules().ports != Ports::single) return all;
    const std::uint64_t ports = 2 * std::uint64_t{fabric_.channels()};
    const Channel& channel = fabric_.channel(e);
    if (fabric_.is_processor(channel.from)) all.push_back(use(ports + 2 * std::uint64_t{channel.from.value}));
    if (fabric_.is_processor(channel.to)) {
      all.push_back(use(ports + 2 * std::uint64_t{channel.to.value} + (half ? 0 : 1)));
    }
    return all;
  }

  const Fabric& fabric_;
  Watch* watch_;
  std::unordered_map<std::uint64_t, std::uint32_t> used_;
};

class Chains {
 public:
  Chains(const Fabric& fabric, const Collective& collective, Watch* watch)
      : fabric_(fabric), collective_(collective), router_(fabric), flights_(fabric, watch) {}

  std::vector<StepRow> run() {
    const std::uint32_t n = fabric_.processors();
    if (std::uint64_t{collective_.values()} * n * 2 > most_chained) return {};
    const DemandShape& shape = *collective_.shape();
    for (std::uint32_t value = 0; value < collective_.values() && possible_; ++value) {
      if (shape.by_rank()) {
        along(0, n - 1, value, 0);
        continue;
      }
      // The processor that wants the value. If all want it, they join it in the middle, which is nearest to both
      // ends.
      const std::uint32_t middle = shape.only_wanter(value).value_or(NodeId(n / 2)).value;
      const std::uint32_t there = std::max(along(0, middle, value, 0), along(n - 1, middle, value, 0));
      if (!shape.shared()) continue;
      along(middle, n - 1, value, there);
      along(middle, 0, value, there);
    }
    return possible_ ? std::move(rows_) : std::vector<StepRow>{};
  }

 private:
  // Sends from processor to processor, after step `after`. Returns the last step.
  std::uint32_t along(std::uint32_t from, std::uint32_t to, std::uint32_t value, std::uint32_t after) {
    while (from != to && possible_) {
      const std::uint32_t next = from < to ? from + 1 : from - 1;
      after = fly(from, next, value, after);
      from = next;
    }
    return after;
  }

  std::uint32_t fly(std::uint32_t from, std::uint32_t to, std::uint32_t value, std::uint32_t after) {
    path_.clear();
    possible_ = router_.append_route(NodeId{from}, NodeId{to}, path_) && after < most_steps;
    if (!possible_) return after;
    std::uint32_t step = flights_.earliest(path_, after + 1);
    flights_.take(path_, step);
    for (const ChannelId e : path_) {
      rows_.push_back({StepId{step++}, {e, LaneId{0}, collective_.chunk({from, to, value}).value()}});
    }
    return step - 1;
  }

  const Fabric& fabric_;
  const Collective& collective_;
  Router router_;
  FreeChannels flights_;
  bool possible_ = true;
  std::vector<ChannelId> path_;
  std::vector<StepRow> rows_;
};

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
    if (n > 4096 || collective_.values() > most_looked_at / (n * n * n)) return {};
    had_since_.assign(collective_.values(), std::vector<std::optional<std::uint32_t>>(n));
    for (std::uint32_t value = 0; value < collective_.values(); ++value) had_since_[value][target(value)] = 0;
    for (std::uint64_t grown = 1; grown < n; ++grown) {
      for (std::uint32_t value = 0; value < collective_.values(); ++value) {
        const std::optional<TreeEdge> next = next_flight(value);
        if (!next || next->arrival >= most_steps) return {};
        carry_out(*next, value);
      }
    }
    return turned_round();
  }

 private:
  // The packet's flight to a processor, from one that has it, in reversed time.
  struct TreeEdge {
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

  std::optional<TreeEdge> next_flight(std::uint32_t value) {
    std::optional<TreeEdge> best;
    for (std::uint32_t to = 0; to < fabric_.processors(); ++to) {
      if (had_since_[value][to]) continue;
      const TreeEdge flight = first_flight(to, value);
      const bool better = !best || (next_ == Next::nearest ? flight.arrival < best->arrival  //
                                                           : flight.arrival > best->arrival);
      if (better) best = flight;
    }
    return best;
  }

  TreeEdge first_flight(std::uint32_t to, std::uint32_t value) {
    TreeEdge best{.from = 0, .to = to};
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

  void carry_out(const TreeEdge& it, std::uint32_t value) {
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
  FreeChannels flights_;
  std::vector<std::vector<std::optional<std::uint32_t>>> had_since_;  // by value and processor: the step
  std::vector<ChannelId> path_;
  std::vector<TreeCrossing> crossings_;
};

}  // namespace

std::vector<StepRow> chain_schedule(const Fabric& fabric, const Collective& collective, Watch* watch) {
  return Chains(fabric, collective, watch).run();
}

std::vector<StepRow> joining_trees(const Fabric& fabric, const Collective& collective, Next next, Watch* watch) {
  return Trees(fabric, collective, next, watch).run();
}

}  // namespace quadrille::searching
