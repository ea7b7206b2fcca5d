// A flight is a packet's trip along a path without waiting, one channel a step. FlightRoom counts what flights
// occupy.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "model/fabric.h"
#include "model/limits/watch.h"

namespace quadrille::searching {

class FlightRoom {
 public:
  // Keeps a reference to the fabric. Its functions throw Ended when the watch, if there is one, has reached its
  // limits.
  FlightRoom(const Fabric& fabric, Watch* watch) : fabric_(fabric), watch_(watch) {}

  // The first step, not before `start`, in which a flight can begin: every channel of the path has room when its turn
  // comes, and so have single ports and half-duplex links. Looks at every step in between.
  std::uint32_t earliest(const std::vector<ChannelId>& path, std::uint32_t start) const;

  // Occupies the channels, links and ports of the flight that starts in this step.
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
