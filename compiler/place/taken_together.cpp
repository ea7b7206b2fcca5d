// What is taken has a number: channels first, then links, then the ports of processors, out and in. For example, a
// half-duplex link with two lanes has room for a row each way in one step; either way alone would have it for two.
// Cost: a look-up in a hash table, or up to four, for each hop.
#include "compiler/place/taken_together.h"

namespace quadrille {

// Calls visit(number, how many there is room for) for all that a row takes one of when it crosses the channel.
template <class Visit>
void TakenTogether::for_all_that(ChannelId id, const Visit& visit) const {
  const auto channels = static_cast<std::uint32_t>(fabric_.channels());
  const Channel& channel = fabric_.channel(id);
  const bool half = fabric_.rules().duplex == Duplex::half;
  visit(id.value, channel.capacity);
  if (half) visit(channels + fabric_.link(id).value, fabric_.channel(fabric_.link(id)).capacity);
  if (fabric_.rules().ports != Ports::single) return;
  const std::uint32_t ports = 2 * channels;
  if (fabric_.is_processor(channel.from)) visit(ports + channel.from.value, 1U);
  if (fabric_.is_processor(channel.to)) visit(ports + (half ? 0 : fabric_.processors()) + channel.to.value, 1U);
}

// False if that is more than there is room for somewhere.
bool TakenTogether::count(std::span<const TimedChannel> hops, std::uint32_t start, std::int32_t each) {
  bool room = true;
  for (const TimedChannel& hop : hops) {
    for_all_that(hop.channel, [&](std::uint32_t number, std::uint32_t capacity) {
      std::int32_t& taken = taken_[std::uint64_t{start + hop.offset} << 32U | number];
      taken += each;
      room = room && taken <= static_cast<std::int64_t>(capacity);
    });
  }
  return room;
}

bool TakenTogether::room(std::span<const TimedChannel> hops, std::uint32_t start) {
  const bool room = count(hops, start, 1);
  count(hops, start, -1);
  return room;
}

bool TakenTogether::shares(std::span<const TimedChannel> hops) const {
  std::unordered_map<std::uint64_t, bool> met;
  bool shared = false;
  for (const TimedChannel& hop : hops) {
    for_all_that(hop.channel, [&](std::uint32_t number, std::uint32_t) {
      shared = !met.emplace(std::uint64_t{hop.offset} << 32U | number, true).second || shared;
    });
  }
  return shared;
}

}  // namespace quadrille
