// The messages that routers hold, in lines: those of a router that have the same useful wires are one line, by age. So
// a router passes over a whole line once its wires are taken.
//
// Example: on a ring a router has four lines at most: messages at their target, those that go one way, those that go
// the other, and those to the router opposite, which may go either way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/limits/work.h"
#include "runtime/router/network.h"
#include "runtime/router/queues.h"
#include "runtime/router/useful_wires.h"

namespace quadrille::routing {

// Messages, the oldest first. Cost: to remove some moves those before them only.
class MessageLine {
 public:
  std::size_t size() const { return messages_.size() - begin_; }
  bool empty() const { return size() == 0; }
  WaitingMessage& operator[](std::size_t i) { return messages_[begin_ + i]; }
  const WaitingMessage& operator[](std::size_t i) const { return messages_[begin_ + i]; }

  // Puts messages in their places among these. Requires that they are in the order of their age.
  void join(std::span<const WaitingMessage> arrived);
  // Removes those at from, …, to - 1. Requires from <= to <= size().
  void erase(std::size_t from, std::size_t to);
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
  HeldMessages(const Network& network, const UsefulWires& useful, Work& work);

  // Of all lines of the router.
  std::size_t count(std::uint32_t router) const { return counts_[router]; }

  // Lines are numbered from 0. Messages may be changed, but not their order by age.
  std::size_t lines(std::uint32_t router) const { return lines_[router].size(); }
  MessageLine& line(std::uint32_t router, std::size_t line) { return lines_[router][line].messages; }
  // The useful wires of its messages, ascending; none for the line 0.
  const std::vector<std::uint32_t>& wires(std::uint32_t router, std::size_t line) const {
    return lines_[router][line].wires;
  }
  // The line for messages to this target; a new one if there is none. Throws Ended if there are more than 65535.
  std::uint16_t line_for(std::uint32_t router, std::uint32_t target);

  // Requires that the messages are in the order of their age.
  void join(std::uint32_t router, std::span<const WaitingMessage> arrived);
  // Removes the messages at from, …, to - 1 of a line.
  void erase(std::uint32_t router, std::size_t line, std::size_t from, std::size_t to);
  // Removes the youngest of the router. Requires that it holds one.
  WaitingMessage pop_youngest(std::uint32_t router);

 private:
  struct Line {
    std::vector<std::uint32_t> wires;
    MessageLine messages;
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
