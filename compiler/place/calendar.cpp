// A packet that crosses a channel takes a lane of it; on half-duplex links one of both directions together; and where
// processors have one port only, those of its two ends. In which steps each of these has room is kept 64 steps to a
// word (free_steps.h), so a route is asked for 64 starts at once: the words of its hops, each moved by the hop's
// offset, have a common bit for each start in which all are free. For example, with one lane taken in the steps 1, 2
// and 4, the first free step from 1 on is 3; that of a route which crosses it at offset 0 and a free channel at offset
// 1 is 3, too. Where a hop alone is full for 64 steps, all starts up to its next free step are skipped.
//
// Cost: hops for each 64 starts that are tried; memory, a bit or a few (those of the capacity) for each channel and
// step between the first and the last that is booked and not forgotten.
#include "compiler/place/calendar.h"

#include <algorithm>
#include <bit>

namespace quadrille {

Calendar::Calendar(const Fabric& fabric) : fabric_(fabric) {
  channels_.reserve(fabric.channels());
  for (const Channel& channel : fabric.all_channels()) channels_.emplace_back(channel.capacity);
  if (half()) links_ = channels_;  // together both directions carry what the lower-numbered one may
  if (ports()) sends_.assign(fabric.processors(), FreeSteps(1));
  if (ports() && !half()) receives_ = sends_;
}

// Calls visit(FreeSteps) for all that a packet takes one of when it crosses the channel. Of calendars that may be
// changed and of others.
template <class Self, class Visit>
void Calendar::for_all_that(Self& self, ChannelId id, const Visit& visit) {
  visit(self.channels_[id.value]);
  if (self.half()) visit(self.links_[self.fabric_.link(id).value]);
  if (!self.ports()) return;
  const Channel& channel = self.fabric_.channel(id);
  if (self.fabric_.is_processor(channel.from)) visit(self.sends_[channel.from.value]);
  if (self.fabric_.is_processor(channel.to)) visit((self.half() ? self.sends_ : self.receives_)[channel.to.value]);
}

std::uint64_t Calendar::free_from(ChannelId id, std::uint32_t step) const {
  std::uint64_t free = ~std::uint64_t{0};
  for_all_that(*this, id, [&](const FreeSteps& steps) { free &= steps.from(step); });
  return free;
}

bool Calendar::free(std::span<const TimedChannel> route, std::uint32_t start) const {
  return std::all_of(route.begin(), route.end(),
                     [&](const TimedChannel& hop) { return free(hop.channel, start + hop.offset); });
}

std::uint32_t Calendar::first_free(std::span<const TimedChannel> route, std::uint32_t first) const {
  for (;;) {
    std::uint64_t starts = ~std::uint64_t{0};
    std::uint32_t next = first + FreeSteps::window;
    for (const TimedChannel& hop : route) {
      const std::uint64_t free = free_from(hop.channel, first + hop.offset);
      starts &= free;
      if (starts != 0) continue;
      if (free == 0) next = first_free(hop.channel, next + hop.offset) - hop.offset;
      break;
    }
    if (starts != 0) return first + static_cast<std::uint32_t>(std::countr_zero(starts));
    first = next;
  }
}

std::uint32_t Calendar::first_free(ChannelId id, std::uint32_t first) const {
  for (;; first += FreeSteps::window) {
    if (const std::uint64_t free = free_from(id, first))
      return first + static_cast<std::uint32_t>(std::countr_zero(free));
  }
}

void Calendar::book(ChannelId id, std::uint32_t step) {
  for_all_that(*this, id, [&](FreeSteps& steps) { steps.take(step); });
}

void Calendar::book(std::span<const TimedChannel> route, std::uint32_t start) {
  for (const TimedChannel& hop : route) book(hop.channel, start + hop.offset);
}

void Calendar::forget_before(std::uint32_t step) {
  for (auto* list : {&channels_, &links_, &sends_, &receives_}) {
    for (FreeSteps& steps : *list) steps.forget_before(step);
  }
}

}  // namespace quadrille
