// What of a program happens before what, whatever the timing, and however deep the queues are.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "model/limits/work.h"
#include "programs/network.h"

namespace quadrille::programs {

// Events: an action's begin, its end, and for each of its chunks the moment at which that is read, sent, received and
// written; and where a reduction reads its source before the message arrives, that moment.
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
  std::span<const std::uint32_t> next(std::uint32_t event) const;

  // All events, each after those that happen before it; if some wait for one another for ever, only those before them.
  const std::vector<std::uint32_t>& order() const { return order_; }
  bool acyclic() const { return order_.size() == events(); }

  // Pairs of events, the first before the second in order(), of which the first does not happen before the second:
  // their numbers in the list, increasing.
  struct Unordered {
    std::vector<std::size_t> pairs;
    bool partial = false;  // `enough` were found before all had been looked at
  };
  // Cost: the events times the number of different first events, by 512. Throws Ended.
  Unordered unordered(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs, std::size_t enough) const;

  // The actions that must have begun before that event, its own included, in an order in which they may end. Throws
  // Ended.
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
  bool one_by_one_ = false;                // chunks always travel alone
  std::vector<std::uint32_t> first_ = {};  // event, by action; one more at the end
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_ = {};
  std::vector<std::uint32_t> starts_ = {};  // by event, of its successors
  std::vector<std::uint32_t> successors_ = {};
  std::vector<std::uint32_t> order_ = {};
};

}  // namespace quadrille::programs
