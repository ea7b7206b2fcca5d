// A line's messages are in one vector. Its oldest go first, so what is removed leaves a gap at the front, which is
// closed when it is longer than the line. Those that arrive go in from behind: the youngest, and what is younger than
// it.
//
// Cost: a message that joins moves those that are younger than it in memory; the line of a target is looked up in a
// table of 2 bytes for each router and target, and found by the distances when it is asked for first.
#include "runtime/router/held_messages.h"

#include <algorithm>
#include <limits>

namespace quadrille::routing {

void MessageLine::join(std::span<const WaitingMessage> arrived) {
  if (begin_ > size()) {
    messages_.erase(messages_.begin(), messages_.begin() + static_cast<std::ptrdiff_t>(begin_));
    begin_ = 0;
  }
  auto old_end = static_cast<std::ptrdiff_t>(messages_.size());
  messages_.resize(messages_.size() + arrived.size());
  const auto first = messages_.begin();
  auto end = messages_.end();
  for (std::size_t i = arrived.size(); i-- > 0;) {
    const auto place = std::upper_bound(first + static_cast<std::ptrdiff_t>(begin_), first + old_end, arrived[i]);
    end = std::move_backward(place, first + old_end, end);
    *--end = arrived[i];
    old_end = place - first;
  }
}

void MessageLine::erase(std::size_t from, std::size_t to) {
  const auto first = messages_.begin() + static_cast<std::ptrdiff_t>(begin_);
  std::move_backward(first, first + static_cast<std::ptrdiff_t>(from), first + static_cast<std::ptrdiff_t>(to));
  begin_ += to - from;
  if (!empty()) return;
  messages_.clear();
  begin_ = 0;
}

HeldMessages::HeldMessages(const Network& network, const UsefulWires& useful, Work& work)
    : network_(network), useful_(useful), lines_(network.routers(), std::vector<Line>(1)), counts_(network.routers()) {
  work.take(useful.places(), sizeof(std::uint16_t));
  line_of_.resize(useful.places());
}

std::uint16_t HeldMessages::line_for(std::uint32_t router, std::uint32_t target) {
  if (network_.dimensions || router == target) return at_target;
  std::uint16_t& known = line_of_[useful_.place(router, target)];
  if (known != 0) return known;
  std::vector<std::uint32_t> wires;
  useful_.each(router, target, [&](std::uint32_t wire) { wires.push_back(wire); });
  auto& lines = lines_[router];
  const auto same = std::ranges::find(lines.begin() + 1, lines.end(), wires, &Line::wires);
  const auto number = same - lines.begin();
  if (number > std::numeric_limits<std::uint16_t>::max()) throw Ended{Reason::limit};
  if (same == lines.end()) lines.push_back({std::move(wires), {}});
  return known = static_cast<std::uint16_t>(number);
}

void HeldMessages::join(std::uint32_t router, std::span<const WaitingMessage> arrived) {
  counts_[router] += arrived.size();
  for (const WaitingMessage it : arrived) {
    const std::uint16_t number = line_for(router, it.target);
    if (joining_.size() <= number) joining_.resize(number + std::size_t{1});
    if (joining_[number].empty()) joined_.push_back(number);
    joining_[number].push_back(it);
  }
  for (const std::uint16_t number : joined_) {
    lines_[router][number].messages.join(joining_[number]);
    joining_[number].clear();
  }
  joined_.clear();
}

void HeldMessages::erase(std::uint32_t router, std::size_t line, std::size_t from, std::size_t to) {
  lines_[router][line].messages.erase(from, to);
  counts_[router] -= to - from;
}

WaitingMessage HeldMessages::pop_youngest(std::uint32_t router) {
  MessageLine* youngest = nullptr;
  for (Line& it : lines_[router]) {
    MessageLine& line = it.messages;
    if (line.empty()) continue;
    if (!youngest || (*youngest)[youngest->size() - 1] < line[line.size() - 1]) youngest = &line;
  }
  const WaitingMessage it = (*youngest)[youngest->size() - 1];
  youngest->pop_back();
  --counts_[router];
  return it;
}

}  // namespace quadrille::routing
