// Calendar: which lanes and ports of a fabric are taken, step by step or round by round.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "model/fabric.h"
#include "place/calendar/free_steps.h"

namespace quadrille {

// A channel that a packet crosses, counted from the packet's first step (0); a message crosses all at once.
struct TimedChannel {
  ChannelId channel;
  std::uint32_t offset = 0;
};

// So many of a resource, so many steps after the start.
struct Use {
  std::uint32_t resource = 0;  // a number of the calendar's
  std::uint32_t offset = 0;
  std::uint32_t amount = 1;
};

// What is placed: packets, which cross a channel a step (and which a fabric that counts rounds takes as well, hop by
// hop); or messages, which cross all channels of their path in one round.
enum class Moving : std::uint8_t { packets, messages };

class Calendar {
 public:
  explicit Calendar(const Fabric& fabric, Moving what = Moving::packets);

  // Adds the resources that a packet takes on that route; or a message, which has a lane of each channel to itself
  // unless paths are shared.
  void add_route(std::span<const TimedChannel> route, std::vector<Use>& uses) const;
  // Add the ports that a message of a round takes at its ends, where processors have one port.
  void add_sender(NodeId sender, std::vector<Use>& uses) const;
  void add_receiver(NodeId receiver, std::vector<Use>& uses) const;
  // Adds up the uses of one resource in one step.
  static void add_up(std::vector<Use>& uses);

  // Bit i: whether one more packet can cross the channel in step + i.
  std::uint64_t free_from(ChannelId id, std::uint32_t step) const;
  // Bit i: whether there is room for all if they start in step + i. Uses are looked at one by one.
  std::uint64_t free_from(std::span<const Use> uses, std::uint32_t step) const;
  bool free(ChannelId id, std::uint32_t step) const { return (free_from(id, step) & 1U) != 0; }

  // Whether an empty fabric has room for all of them; if not, there never is.
  bool ever_free(std::span<const Use> uses) const;
  // The first start from `first` on with room for all. Requires ever_free.
  std::uint32_t first_free(std::span<const Use> uses, std::uint32_t first) const;

  void book(std::span<const Use> uses, std::uint32_t start);

  // The caller asks for no earlier step, and books none, from now on.
  void forget_before(std::uint32_t step);
  // How many resources it looks at then.
  std::uint32_t resources() const { return static_cast<std::uint32_t>(rooms_.size()); }

 private:
  // The number of the channel's lanes, or of those of its link in half duplex.
  std::uint32_t lanes_of(ChannelId id) const { return few_only_ ? number(id.value, id) : id.value; }
  std::uint32_t lanes_of_link(ChannelId id) const;
  std::uint32_t number(std::uint64_t key, ChannelId id) const;
  template <class Visit>
  void for_all_taken(ChannelId id, const Visit& visit) const;
  std::uint32_t receptions(NodeId node) const { return ports_ + (half_ ? 0 : fabric_.processors()) + node.value; }
  std::uint32_t first_free(const Use& use, std::uint32_t first) const;

  const Fabric& fabric_;
  bool messages_;
  bool lanes_taken_;  // else paths are shared
  bool half_;
  bool single_;
  bool few_only_;            // there are too many channels for a table: those asked for get numbers, behind the ports
  std::uint32_t ports_ = 0;  // number of the first
  // By number: channels; links, if half duplex; sending ports, and receiving ones.
  mutable std::vector<FreeSteps> rooms_;
  mutable std::unordered_map<std::uint64_t, std::uint32_t> numbers_;  // of channels asked for, and of links
};

}  // namespace quadrille
