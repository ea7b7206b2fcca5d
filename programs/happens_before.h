// The happens-before relation of a program: it holds whatever the timing is, and however deep the queues are.
#pragma once

#include <cstdint>
#include <vector>

#include "model/limits/work.h"
#include "programs/network.h"
#include "programs/ordered_events.h"

namespace quadrille::programs {

// Events are an action's begin and end, and for each of its chunks the moment at which it is read, sent, received and
// written; if a reduction reads its source before the message arrives, that moment, too.
class HappensBefore {
 public:
  // Keeps references. Throws Ended.
  HappensBefore(const Program& program, const ProgramNetwork& network, Work& work);

  std::uint32_t begin(std::uint32_t action) const { return first_[action]; }
  std::uint32_t end(std::uint32_t action) const { return first_[action] + 1; }
  std::uint32_t at_chunk(std::uint32_t action, std::uint32_t chunk) const { return first_[action] + 2 + chunk; }
  std::uint32_t read_at(std::uint32_t action, std::uint32_t chunk) const;

  std::uint32_t events() const { return first_.back(); }
  std::uint32_t action_of(std::uint32_t event) const;
  const OrderedEvents& graph() const { return order_; }
  const std::vector<std::uint32_t>& order() const { return order_.order(); }
  bool acyclic() const { return order_.acyclic(); }

  // The actions that must have begun before the event, with its own, in an order in which they may end. Throws Ended.
  std::vector<std::uint32_t> before(std::uint32_t event) const;

 private:
  void add_block(const Lane& lane);
  void add_action(std::uint32_t action);
  void tie(std::uint32_t action);
  void leave_open(std::uint32_t action, std::uint32_t last);
  void edge(std::uint32_t from, std::uint32_t to) { edges_.emplace_back(from, to); }
  void finish();

  bool early(std::uint32_t action) const;
  bool leaky(std::uint32_t action) const;

  const Program& program_;
  const ProgramNetwork& network_;
  Work& work_;
  bool one_by_one_ = false;                // whether chunks always travel alone
  std::vector<std::uint32_t> first_ = {};  // by action: its first event; one more at the end
  std::vector<EventEdge> edges_ = {};
  OrderedEvents order_ = {};
};

}  // namespace quadrille::programs
