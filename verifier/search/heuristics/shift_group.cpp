// Idea: the images of the first processor that has no orbit yet are an orbit; as many images as there are elements must
// differ, or some element keeps a processor in place. Likewise for channels; those between switches may stay where they
// are.
//
//   the rotations of a ring of 6: one orbit of processors, two of channels; those by 2 and 4: two and four
//   a reflection of it that keeps two processors in place: no shifts
//
// Cost: elements x (processors + channels).
#include "verifier/search/heuristics/shift_group.h"

#include <limits>

namespace quadrille::searching {
namespace {

constexpr std::uint32_t no_orbit = std::numeric_limits<std::uint32_t>::max();

}  // namespace

std::optional<ShiftGroup> ShiftGroup::make(const Fabric& fabric, const Group& group) {
  ShiftGroup shifts(fabric, group);
  return shifts.place_all() ? std::optional(std::move(shifts)) : std::nullopt;
}

bool ShiftGroup::place_all() {
  // Returns how many shifts map the first member to itself; 0 if it has an orbit already.
  const auto place = [&](auto first, std::vector<decltype(first)>& orbits, std::vector<OrbitPlace>& places) {
    if (places[first.value].orbit != no_orbit) return 0U;
    const auto orbit = static_cast<std::uint32_t>(orbits.size());
    orbits.push_back(first);
    std::uint32_t kept = 0;
    for (std::uint32_t shift = 0; shift < number(); ++shift) {
      const auto here = image(first, shift);
      kept += here == first ? 1 : 0;
      if (places[here.value].orbit == no_orbit) places[here.value] = {orbit, shift};
    }
    return kept;
  };
  processor_places_.assign(fabric_->processors(), {no_orbit, 0});
  channel_places_.assign(fabric_->channels(), {no_orbit, 0});
  for (std::uint32_t p = 0; p < fabric_->processors(); ++p) {
    if (place(NodeId{p}, processors_, processor_places_) > 1) return false;
  }
  for (std::uint32_t e = 0; e < fabric_->channels(); ++e) {
    if (const std::uint32_t kept = place(ChannelId{e}, channels_, channel_places_)) keep_.push_back(kept);
  }
  return true;
}

ChannelId ShiftGroup::image(ChannelId channel, std::uint32_t shift) const {
  if (shift == 0) return channel;  // the identity is the first element
  const Channel ends = fabric_->channel(channel);
  return fabric_->channel_between(image(ends.from, shift), image(ends.to, shift)).value();
}

// Elements that agree on one processor agree everywhere, so that products can be compared there.
bool ShiftGroup::commute() const {
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
