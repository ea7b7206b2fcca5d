// Shifts are a group of a fabric's automorphisms, each of which, but for the identity, moves every processor: what is
// planned for one processor serves, shifted, for all others of its orbit at once.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/fabric.h"
#include "model/limits/watch.h"
#include "verifier/search/problem/symmetry.h"

namespace quadrille::searching {

class ShiftGroup {
 public:
  // Nothing if an element other than the identity keeps a processor in place. Keeps references to the fabric and the
  // group.
  static std::optional<ShiftGroup> make(const Fabric& fabric, const Group& group);

  std::uint32_t number() const { return static_cast<std::uint32_t>(group_->elements.size()); }

  // The shift maps the first member of an orbit to the processor or channel that is asked for.
  struct OrbitPlace {
    std::uint32_t orbit = 0;  // numbered from 0, in the order of first members
    std::uint32_t shift = 0;
  };
  std::uint32_t processor_orbits() const { return static_cast<std::uint32_t>(processors_.size()); }
  std::uint32_t channel_orbits() const { return static_cast<std::uint32_t>(channels_.size()); }
  NodeId first_processor(std::uint32_t orbit) const { return processors_[orbit]; }
  ChannelId first_channel(std::uint32_t orbit) const { return channels_[orbit]; }
  OrbitPlace place_of(NodeId processor) const { return processor_places_[processor.value]; }
  OrbitPlace place_of(ChannelId channel) const { return channel_places_[channel.value]; }
  // How many shifts keep each channel of the orbit in place: 1, but for channels between switches.
  std::uint32_t keep_in_place(std::uint32_t channel_orbit) const { return keep_[channel_orbit]; }

  NodeId image(NodeId node, std::uint32_t shift) const { return NodeId{group_->elements[shift][node.value]}; }
  ChannelId image(ChannelId channel, std::uint32_t shift) const;
  const Permutation& permutation(std::uint32_t shift) const { return group_->elements[shift]; }

  // Whether all processors are one orbit, and it does not matter which of two shifts comes first.
  bool commute() const;

 private:
  ShiftGroup(const Fabric& fabric, const Group& group) : fabric_(&fabric), group_(&group) {}
  bool place_all();

  const Fabric* fabric_;
  const Group* group_;
  std::vector<NodeId> processors_;
  std::vector<ChannelId> channels_;
  std::vector<std::uint32_t> keep_;  // by channel orbit
  std::vector<OrbitPlace> processor_places_;
  std::vector<OrbitPlace> channel_places_;
};

// Shifts of the processors' numbers, digit by digit, since machines are numbered server by server, and the places in
// them alike: groups that move every processor and keep the fabric: cyclic shifts of some digits of the numbers,
// largest first. They are a dozen at most; none if no shift keeps the fabric, and on more than 4096 processors. Throws
// Ended when the watch has reached its limits.
std::vector<Group> numbered_shifts(const Fabric& fabric, Watch& watch);

}  // namespace quadrille::searching
