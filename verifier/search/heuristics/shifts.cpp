// Idea: the images of the first processor that has no orbit yet are an orbit; as many images as there are elements must
// differ, or some element keeps a processor in place. Likewise for channels.
//
//   the rotations of a ring of 6: one orbit of processors, two of channels; those by 2 and 4: two and four
//   its reflections: no shifts, as each of them keeps a processor or a channel in place
//
// Cost: elements x (processors + channels).
#include "verifier/search/heuristics/shifts.h"

#include <limits>

namespace quadrille::searching {
namespace {

constexpr std::uint32_t no_orbit = std::numeric_limits<std::uint32_t>::max();

}  // namespace

std::optional<Shifts> Shifts::make(const Fabric& fabric, const Group& group) {
  Shifts shifts(fabric, group);
  return shifts.place_all() ? std::optional(std::move(shifts)) : std::nullopt;
}

bool Shifts::place_all() {
  const auto place = [&](auto first, std::vector<decltype(first)>& orbits, std::vector<Place>& places) {
    if (places[first.value].orbit != no_orbit) return true;
    const auto orbit = static_cast<std::uint32_t>(orbits.size());
    orbits.push_back(first);
    for (std::uint32_t shift = 0; shift < number(); ++shift) {
      Place& here = places[image(first, shift).value];
      if (here.orbit != no_orbit) return false;
      here = {orbit, shift};
    }
    return true;
  };
  processor_places_.assign(fabric_->processors(), {no_orbit, 0});
  channel_places_.assign(fabric_->channels(), {no_orbit, 0});
  for (std::uint32_t p = 0; p < fabric_->processors(); ++p) {
    if (!place(NodeId{p}, processors_, processor_places_)) return false;
  }
  for (std::uint32_t e = 0; e < fabric_->channels(); ++e) {
    if (!place(ChannelId{e}, channels_, channel_places_)) return false;
  }
  return true;
}

ChannelId Shifts::image(ChannelId channel, std::uint32_t shift) const {
  if (shift == 0) return channel;  // the identity is the first element
  const Channel ends = fabric_->channel(channel);
  return fabric_->channel_between(image(ends.from, shift), image(ends.to, shift)).value();
}

// Elements that agree on one processor agree everywhere, so that products can be compared there.
bool Shifts::commute() const {
  if (processor_orbits() != 1) return false;
  const NodeId base = first_processor(0);
  for (std::uint32_t a = 1; a < number(); ++a) {
    for (std::uint32_t b = 1; b < a; ++b) {
      if (image(image(base, a), b) != image(image(base, b), a)) return false;
    }
  }
  return true;
}

}  // namespace quadrille::searching
