// The messages that routers hold, in lines: those of a router that have the same useful wires are one line, by age. So
// a router passes over a whole line once its wires are taken.
//
// Example: on a ring a router has four lines at most: messages at their target, those that go one way, those that go
// the other, and those to the router opposite, which may go either way.
//
// A line's messages are in one vector. Its oldest go first, so what is removed leaves a gap at the front, which is
// closed when it is longer than the line. Those that arrive go in from behind: the youngest, and what is younger than
// it.
//
// Cost: a message that joins moves those that are younger than it in memory; the line of a target is looked up in a
// table of 2 bytes for each router and target, and found by the distances when it is asked for first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "model/limits/work.h"
#include "runtime/router/network.h"
#include "runtime/router/queues.h"
#include "runtime/router/useful_wires.h"

namespace quadrille::routing {

// Messages, the oldest first. Cost: to remove some moves those before them only.
class WaitingLine {
 public:
  std::size_t size() const { return messages_.size() - begin_; }
  bool empty() const { return size() == 0; }
  WaitingMessage& operator[](std::size_t i) { return messages_[begin_ + i]; }
  const WaitingMessage& operator[](std::size_t i) const { return messages_[begin_ + i]; }

  // Puts messages in their places among these. Requires that they are in the order of their age.
  void join(std::span<const WaitingMessage> arrived) {
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

  // Removes those at from, …, to - 1. Requires from <= to <= size().
  void erase(std::size_t from, std::size_t to) {
    const auto first = messages_.begin() + static_cast<std::ptrdiff_t>(begin_);
    std::move_backward(first, first + static_cast<std::ptrdiff_t>(from), first + static_cast<std::ptrdiff_t>(to));
    begin_ += to - from;
    if (!empty()) return;
    messages_.clear();
    begin_ = 0;
  }

  void pop_back() { messages_.pop_back(); }

 private:
  std::vector<WaitingMessage> messages_;
  std::size_t begin_ = 0;  // what is before it has been removed
};

class HeldMessages {
 public:
  // The line of messages at their target; on a hypercube, where few have the same useful dimensions, of all messages.
  static constexpr std::uint16_t at_target = 0;

  // Requires that both live as long. Throws Ended if the table of lines is larger than the limits.
  HeldMessages(const Network& network, const UsefulWires& useful, Work& work)
      : network_(network),
        useful_(useful),
        lines_(network.routers(), std::vector<Line>(1)),
        counts_(network.routers()) {
    work.take(useful.places(), sizeof(std::uint16_t));
    line_of_.resize(useful.places());
  }

  // The number of messages in all lines of the router.
  std::size_t count(std::uint32_t router) const { return counts_[router]; }

  // Lines are numbered from 0. Messages may be changed, but not their order by age.
  std::size_t lines(std::uint32_t router) const { return lines_[router].size(); }
  WaitingLine& line(std::uint32_t router, std::size_t line) { return lines_[router][line].messages; }
  // The useful wires of its messages, ascending; none for the line 0.
  const std::vector<std::uint32_t>& wires(std::uint32_t router, std::size_t line) const {
    return lines_[router][line].wires;
  }

  // The line for messages to this target; a new one if there is none. Throws Ended if there are more than 65535.
  std::uint16_t line_for(std::uint32_t router, std::uint32_t target) {
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

  // Requires that the messages are in the order of their age.
  void join(std::uint32_t router, std::span<const WaitingMessage> arrived) {
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

  // Removes the messages at from, …, to - 1 of a line.
  void erase(std::uint32_t router, std::size_t line, std::size_t from, std::size_t to) {
    lines_[router][line].messages.erase(from, to);
    counts_[router] -= to - from;
  }

  // Removes the youngest of the router. Requires that it holds one.
  WaitingMessage pop_youngest(std::uint32_t router) {
    WaitingLine* youngest = nullptr;
    for (Line& it : lines_[router]) {
      WaitingLine& line = it.messages;
      if (line.empty()) continue;
      if (!youngest || (*youngest)[youngest->size() - 1] < line[line.size() - 1]) youngest = &line;
    }
    const WaitingMessage it = (*youngest)[youngest->size() - 1];
    youngest->pop_back();
    --counts_[router];
    return it;
  }

 private:
  struct Line {
    std::vector<std::uint32_t> wires;
    WaitingLine messages;
  };

  const Network& network_;
  const UsefulWires& useful_;
  std::vector<std::vector<Line>> lines_;              // by router
  std::vector<std::size_t> counts_;                   // by router
  std::vector<std::uint16_t> line_of_;                // as the table of distances; 0 where it was not asked yet
  std::vector<std::vector<WaitingMessage>> joining_;  // by line, while messages join; empty otherwise
  std::vector<std::uint16_t> joined_;                 // the lines that are not empty there
};

}  // namespace quadrille::routing
