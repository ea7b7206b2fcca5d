// Flights are packets that go along a path without waiting, one channel a step. This class books the channels, ports
// and links that they take.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "model/fabric.h"
#include "verifier/search/solver/watch.h"

namespace quadrille::searching {

class FlightRoom {
 public:
  // Keeps a reference to the fabric. Throws Ended from its functions when the watch, if there is one, has reached
  // its limits.
  FlightRoom(const Fabric& fabric, Watch* watch) : fabric_(fabric), watch_(watch) {}

  // Returns the first step, from `start` on, in which a flight can start: every channel of the path then has room when
  // its turn comes, and so have single ports and half-duplex links. Cost: a look at every step in between.
  std::uint32_t earliest(const std::vector<ChannelId>& path, std::uint32_t start) const;

  // Books the flight that starts in this step.
  void take(const std::vector<ChannelId>& path, std::uint32_t start);

 private:
  bool free(const std::vector<ChannelId>& path, std::uint32_t step) const;
  std::uint32_t room(ChannelId e) const;
  std::vector<std::uint64_t> uses(ChannelId e, std::uint32_t step) const;

  const Fabric& fabric_;
  Watch* watch_;
  std::unordered_map<std::uint64_t, std::uint32_t> used_;
};

}  // namespace quadrille::searching
