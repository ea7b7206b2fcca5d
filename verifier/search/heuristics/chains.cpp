// Idea: along the line of processors 0, 1, 2, …, each joins the partial reduction that it gets to its own
// contribution and sends the result on. So each partial reduction is an interval, which is also right for ordered
// operations. A reduction goes to its root from both ends; an allreduce goes to the middle and back.
//
//   allreduce of 5: 0 -> 1 -> 2 <- 3 <- 4, then 2 -> 1 -> 0 and 2 -> 3 -> 4; with several values, one behind the other
//
// A hop of the line is the fabric's default route. A packet starts in the first step from which all of its route is
// free. Cost: rows x the steps in which a start is looked for. The schedule is right everywhere, but short on lines
// only. It gives the search something to improve on.
#include <algorithm>
#include <cstdint>

#include "model/route.h"
#include "verifier/search/heuristics/flights.h"
#include "verifier/search/heuristics/schedules.h"

namespace quadrille::searching {
namespace {

constexpr std::uint64_t most_flights = std::uint64_t{1} << 20;
constexpr std::uint32_t most_steps = 1U << 24;

class Chains {
 public:
  Chains(const Fabric& fabric, const Collective& collective, Watch* watch)
      : fabric_(fabric), collective_(collective), router_(fabric), flights_(fabric, watch) {}

  std::vector<StepRow> run() {
    const std::uint32_t n = fabric_.processors();
    if (std::uint64_t{collective_.values()} * n * 2 > most_flights) return {};
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
  FlightRoom flights_;
  bool possible_ = true;
  std::vector<ChannelId> path_;
  std::vector<StepRow> rows_;
};

}  // namespace

std::vector<StepRow> chain_schedule(const Fabric& fabric, const Collective& collective, Watch* watch) {
  return Chains(fabric, collective, watch).run();
}

// Idea: a counter for each channel, link or port in each step. Cost of a query: steps passed over x channels of the
// path.

std::uint32_t FlightRoom::earliest(const std::vector<ChannelId>& path, std::uint32_t start) const {
  for (;; ++start) {
    require_open(watch_);
    if (free(path, start)) return start;
  }
}

void FlightRoom::take(const std::vector<ChannelId>& path, std::uint32_t start) {
  for (const ChannelId e : path) {
    for (const std::uint64_t use : uses(e, start)) ++used_[use];
    ++start;
  }
}

bool FlightRoom::free(const std::vector<ChannelId>& path, std::uint32_t step) const {
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

std::uint32_t FlightRoom::room(ChannelId e) const {
  const std::uint32_t capacity = fabric_.channel(e).capacity;
  if (fabric_.rules().duplex != Duplex::half) return capacity;
  return std::min(capacity, fabric_.channel(fabric_.link(e)).capacity);
}

// The counters that a use of the channel in a step takes: that of the channel or link, and those of the ports.
std::vector<std::uint64_t> FlightRoom::uses(ChannelId e, std::uint32_t step) const {
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

}  // namespace quadrille::searching
