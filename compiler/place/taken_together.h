// TakenTogether: lanes and ports of a fabric, counted, for rows that are placed together and take of the same.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>

#include "compiler/place/calendar.h"
#include "model/fabric.h"

namespace quadrille {

class TakenTogether {
 public:
  explicit TakenTogether(const Fabric& fabric) : fabric_(fabric) {}

  // Whether two of the hops take a lane or port of the same in the same step.
  bool shares(std::span<const TimedChannel> hops) const;
  // Whether there is room for all of them where nothing else is.
  bool fits_alone(std::span<const TimedChannel> hops) const { return TakenTogether(fabric_).room(hops, 1); }
  // Whether there is room for all, from that step on.
  bool room(std::span<const TimedChannel> hops, std::uint32_t start);
  void take(std::span<const TimedChannel> hops, std::uint32_t start) { count(hops, start, 1); }

 private:
  template <class Visit>
  void for_all_that(ChannelId id, const Visit& visit) const;
  bool count(std::span<const TimedChannel> hops, std::uint32_t start, std::int32_t each);

  const Fabric& fabric_;
  std::unordered_map<std::uint64_t, std::int32_t> taken_;  // by step and what is taken
};

}  // namespace quadrille
