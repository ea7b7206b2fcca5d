// Idea: a counter for each channel, link or port in each step. Cost of a query: steps passed over x channels of the
// path.
#include "verifier/search/heuristics/flights.h"

#include <algorithm>

namespace quadrille::searching {

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
