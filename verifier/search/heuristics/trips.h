// Trips are packets for one processor each. Planned together, they take routes that load the fabric evenly, and then a
// step for each hop. Beside them stand the two kinds of trees that are planned as a whole: for copies, and for sums.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/watch.h"
#include "verifier/search/problem/rows.h"
#include "verifier/search/problem/symmetry.h"

namespace quadrille::searching {

// Shifts are a group of a fabric's automorphisms, each of which, but for the identity, moves every processor: what is
// planned for one processor serves, shifted, for all others of its orbit at once.
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

// A packet, and with it all that shifts make of it: they go at the same time.
struct PlannedTrip {
  NodeId from;
  NodeId to;
  std::vector<ChannelId> route = {};      // from `from` to `to`
  std::vector<std::uint32_t> steps = {};  // by hop, increasing
};

// SharedRoom counts how often the hops of one orbit, shifted to all places, may use something in a step: channels and,
// by the fabric's rules, links and ports.
class SharedRoom {
 public:
  // Keeps references to neither argument.
  SharedRoom(const Fabric& fabric, const ShiftGroup& shifts);

  struct ResourceUse {
    std::uint32_t resource = 0;
    std::uint32_t amount = 0;
  };
  // The uses of a hop over the orbit's channels.
  const std::vector<ResourceUse>& uses(std::uint32_t channel_orbit) const { return uses_[channel_orbit]; }
  std::uint32_t resources() const { return static_cast<std::uint32_t>(room_.size()); }
  std::uint32_t room(std::uint32_t resource) const { return room_[resource]; }
  // Whether hops over different orbits never get into each other's way.
  bool apart() const { return apart_; }

 private:
  std::vector<std::vector<ResourceUse>> uses_;
  std::vector<std::uint32_t> room_;
  bool apart_ = true;
};

// Chooses routes such that the most loaded resource has little to carry. Returns the steps that its load takes; 0 if
// some trip has no route, or none that shifts can go at once. Ends as soon as that is `enough`. Cost: some thirty
// searches for a shortest path for each trip. Throws Ended when the watch has reached its limits.
std::uint64_t choose_routes(const Fabric& fabric, const ShiftGroup& shifts, const SharedRoom& room,
                            std::vector<PlannedTrip>& trips, std::uint64_t enough, Watch& watch);

// Chooses steps for the hops of the routes; returns the last step. Where shifts commute, hops may change their order,
// and no schedule over these routes is shorter. Elsewhere it ends as soon as the last step is `enough`. Throws Ended
// likewise.
std::uint64_t choose_steps(const Fabric& fabric, const ShiftGroup& shifts, const SharedRoom& room,
                           std::vector<PlannedTrip>& trips, std::uint64_t enough, Watch& watch);

// Trees of flights in which contributions come together, planned backwards: a result spreads from the processor that
// wants it, as a copy would, and every flight is then flown the other way round.
//
// A schedule that is its own image under all shifts; no rows if some processor cannot send to where its contribution is
// wanted, or if it would take more than `at_most` steps. `seed` decides ties. Requires a collective that wants every
// value at one processor, in any order of addition, and switches that do not reduce. Throws Ended when the watch has
// reached its limits.
std::vector<StepRow> flight_trees(const Fabric& fabric, const Collective& collective, const ShiftGroup& shifts,
                                  std::uint32_t seed, std::uint64_t at_most, Watch& watch);

// Spanning trees of an all-gather or a broadcast, grown together: in each step every channel brings a chunk to a
// processor that lacks it, where there is one.
//
// A schedule that is its own image under all shifts; no rows if some processor cannot be reached, or if it would take
// more than `at_most` steps. `seed` decides ties. Requires a fabric without switches, with a port for each link and in
// full duplex, and a copying collective that wants every chunk everywhere. Cost: steps x channels x chunks of one
// processor of each orbit. Throws Ended when the watch has reached its limits.
std::vector<StepRow> spanning_trees(const Fabric& fabric, const Collective& collective, const ShiftGroup& shifts,
                                    std::uint32_t seed, std::uint64_t at_most, Watch& watch);

}  // namespace quadrille::searching
