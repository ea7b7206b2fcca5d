// Each resource has a number. A packet that crosses a channel takes one of its lanes; on a half-duplex link also one of
// the lanes that both directions share; and where processors have a single port, the ports of its two ends. For each
// resource, a bit says whether there is room in a step, 64 steps to a word (free_steps.h). So 64 starts are tried at
// once: each use's word is moved by its offset, and a bit that all words have in common is a start with room for all.
// For example, with one lane taken in the steps 1, 2 and 4, the first free step from 1 on is 3; a route that crosses it
// at offset 0 and a free channel at offset 1 starts in step 3, too. Where one use alone has no room for 64 steps, all
// starts up to its next free step are skipped.
//
// Cost: the uses, for each 64 starts that are tried. Memory: as many bits as the capacity has digits, for each resource
// and step between the first and the last that is booked and not forgotten.
#include "place/calendar/calendar.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include "model/per_channel.h"

namespace quadrille {
namespace {

constexpr std::uint32_t most_in_table = 1U << 12;  // a calendar is made anew for each pass

}  // namespace

Calendar::Calendar(const Fabric& fabric, Moving what)
    : fabric_(fabric),
      messages_(what == Moving::messages),
      lanes_taken_(!messages_ || fabric.rules().paths == Paths::held),
      half_(fabric.rules().duplex == Duplex::half),
      single_(fabric.rules().ports == Ports::single),
      few_only_(too_many_for_a_table(fabric, most_in_table)) {
  ports_ = few_only_ ? 0 : (half_ ? 2 : 1) * fabric.channels();
  rooms_.reserve(ports_ + (single_ ? 2 * fabric.processors() : 0));
  if (!few_only_) {
    for (const Channel& channel : fabric.all_channels()) rooms_.emplace_back(channel.capacity);
    // Together both directions carry what the lower-numbered one may.
    for (std::uint32_t i = fabric.channels(); i < ports_; ++i) rooms_.push_back(rooms_[i - fabric.channels()]);
  }
  if (single_) rooms_.resize(ports_ + (half_ ? 1 : 2) * fabric.processors(), FreeSteps(1));
}

std::uint32_t Calendar::lanes_of_link(ChannelId id) const {
  const ChannelId link = fabric_.link(id);
  return few_only_ ? number(std::uint64_t{fabric_.channels()} + link.value, link) : fabric_.channels() + link.value;
}

std::uint32_t Calendar::number(std::uint64_t key, ChannelId id) const {
  const auto [place, added] = numbers_.try_emplace(key, resources());
  if (added) rooms_.emplace_back(fabric_.channel(id).capacity);
  return place->second;
}

// Calls visit(number) for all that is taken of by what crosses the channel.
template <class Visit>
void Calendar::for_all_taken(ChannelId id, const Visit& visit) const {
  if (lanes_taken_) visit(lanes_of(id));
  if (lanes_taken_ && half_) visit(lanes_of_link(id));
  if (!single_ || messages_) return;
  const Channel& channel = fabric_.channel(id);
  if (fabric_.is_processor(channel.from)) visit(ports_ + channel.from.value);
  if (fabric_.is_processor(channel.to)) visit(receptions(channel.to));
}

void Calendar::add_route(std::span<const TimedChannel> route, std::vector<Use>& uses) const {
  for (const TimedChannel& hop : route) {
    for_all_taken(hop.channel, [&](std::uint32_t resource) { uses.push_back({resource, hop.offset}); });
  }
}

void Calendar::add_sender(NodeId sender, std::vector<Use>& uses) const {
  if (single_ && fabric_.is_processor(sender)) uses.push_back({ports_ + sender.value});
}

void Calendar::add_receiver(NodeId receiver, std::vector<Use>& uses) const {
  if (single_ && fabric_.is_processor(receiver)) uses.push_back({receptions(receiver)});
}

void Calendar::add_up(std::vector<Use>& uses) {
  const auto when = [](const Use& use) { return std::pair(use.offset, use.resource); };
  std::ranges::sort(uses, {}, when);
  std::size_t kept = 0;
  for (std::size_t i = 1; i < uses.size(); ++i) {
    if (when(uses[i]) == when(uses[kept])) {
      uses[kept].amount += uses[i].amount;
    } else {
      uses[++kept] = uses[i];
    }
  }
  if (!uses.empty()) uses.resize(kept + 1);
}

std::uint64_t Calendar::free_from(ChannelId id, std::uint32_t step) const {
  std::uint64_t free = ~std::uint64_t{0};
  for_all_taken(id, [&](std::uint32_t resource) { free &= rooms_[resource].from(step); });
  return free;
}

std::uint64_t Calendar::free_from(std::span<const Use> uses, std::uint32_t step) const {
  std::uint64_t free = ~std::uint64_t{0};
  for (const Use& use : uses) free &= rooms_[use.resource].from(step + use.offset, use.amount);
  return free;
}

bool Calendar::ever_free(std::span<const Use> uses) const {
  return std::ranges::all_of(uses, [&](const Use& use) { return rooms_[use.resource].ever(use.amount); });
}

std::uint32_t Calendar::first_free(std::span<const Use> uses, std::uint32_t first) const {
  for (;;) {
    std::uint64_t starts = ~std::uint64_t{0};
    std::uint32_t next = first + FreeSteps::window;
    for (const Use& use : uses) {
      const std::uint64_t free = rooms_[use.resource].from(first + use.offset, use.amount);
      starts &= free;
      if (starts != 0) continue;
      if (free == 0) next = first_free(use, next + use.offset) - use.offset;
      break;
    }
    if (starts != 0) return first + static_cast<std::uint32_t>(std::countr_zero(starts));
    first = next;
  }
}

std::uint32_t Calendar::first_free(const Use& use, std::uint32_t first) const {
  for (;; first += FreeSteps::window) {
    if (const std::uint64_t free = rooms_[use.resource].from(first, use.amount))
      return first + static_cast<std::uint32_t>(std::countr_zero(free));
  }
}

void Calendar::book(std::span<const Use> uses, std::uint32_t start) {
  for (const Use& use : uses) {
    for (std::uint32_t i = 0; i < use.amount; ++i) rooms_[use.resource].take(start + use.offset);
  }
}

void Calendar::forget_before(std::uint32_t step) {
  for (FreeSteps& room : rooms_) room.forget_before(step);
}

}  // namespace quadrille
