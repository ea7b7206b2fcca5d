// Meetings: which packets are in a switch at the same time. Where switches reduce, packets with one target and part
// join there if they meet (model/MODEL.md, Switches). Flights that never meet carry what they carry under `switches:
// copy`.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "place/calendar/calendar.h"
#include "place/flights/flights.h"

namespace quadrille {

class Meetings {
 public:
  // Both must outlive it. On a fabric whose switches do not reduce, no packets meet.
  Meetings(const Fabric& fabric, const Collective& collective);

  // Whether the packet, leaving in step `start`, would meet a booked one in a switch.
  bool meets(ChunkId chunk, std::span<const TimedChannel> route, std::uint32_t start) const;
  void book(ChunkId chunk, std::span<const TimedChannel> route, std::uint32_t start);

  bool apply() const { return joins_; }

 private:
  using Stay = std::tuple<NodeId, std::uint32_t, std::uint32_t, std::uint32_t>;  // switch, target, part, step

  template <class Visit>
  bool any_stay(ChunkId chunk, std::span<const TimedChannel> route, std::uint32_t start, const Visit& visit) const;

  const Fabric& fabric_;
  const Collective& collective_;
  bool joins_;
  std::set<Stay> stays_;
};

// Whether packets join in switches if these flights are made on the fabric.
bool packets_join(const Flights& flights, const Fabric& fabric, const Collective& collective);

}  // namespace quadrille
