// The tracks of a trace: one for each lane that is used, and those for each processor's simultaneous sends and
// receptions.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "model/fabric.h"
#include "model/ids.h"

namespace quadrille::driver {

inline constexpr std::uint32_t processors_process = 1;
inline constexpr std::uint32_t links_process = 2;

struct TraceTrack {
  std::uint32_t process = 0;
  std::uint32_t number = 0;  // of all tracks
  std::string name;
  std::uint64_t order = 0;  // among the process's
};

class TraceTracks {
 public:
  // Requires that the fabric outlives it.
  explicit TraceTracks(const Fabric& fabric) : fabric_(fabric) {}

  // The track of a lane. Lanes may be out of range, because tables may be wrong.
  std::uint32_t of_lane(ChannelId channel, LaneId lane);

  // The track for what a processor sends over a lane, or receives from it, in the current step. Several lanes at a
  // time have a track each, in the order in which they are asked for. `step`: any number that identifies the step.
  std::uint32_t of_processor(NodeId processor, bool sends, std::uint32_t lane_track, std::uint64_t step);

  // The tracks that are new since the last call.
  std::vector<TraceTrack> take_new();

 private:
  struct AtOnce {
    std::uint64_t step = 0;
    std::map<std::uint32_t, std::uint32_t> slots;  // by the lane's track
  };
  std::uint32_t add(std::uint32_t process, std::string name, std::uint64_t order);

  const Fabric& fabric_;
  std::map<std::pair<ChannelId, LaneId>, std::uint32_t> lanes_;
  std::map<std::pair<NodeId, bool>, AtOnce> at_once_;
  std::map<std::tuple<NodeId, bool, std::uint32_t>, std::uint32_t> processors_;  // by processor, direction and slot
  std::vector<TraceTrack> new_;
  std::uint32_t last_ = links_process;  // track numbers differ from process numbers
};

}  // namespace quadrille::driver
