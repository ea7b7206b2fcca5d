// Events, and what comes before what: edges from an earlier event to a later one, and their transitive closure.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "model/limits/work.h"

namespace quadrille::programs {

using EventEdge = std::pair<std::uint32_t, std::uint32_t>;  // the earlier event first

class OrderedEvents {
 public:
  OrderedEvents() = default;
  // `never` are events that never begin. Throws Ended.
  OrderedEvents(std::uint32_t events, const std::vector<EventEdge>& edges, const std::vector<std::uint32_t>& never,
                Work& work);
  // With an order of all events that the edges allow. Throws Ended.
  OrderedEvents(const std::vector<EventEdge>& edges, std::vector<std::uint32_t> order, Work& work);

  std::span<const std::uint32_t> next(std::uint32_t event) const {
    return std::span(successors_).subspan(starts_[event], starts_[event + 1] - starts_[event]);
  }
  // All events, each after those that come before it. If some wait for one another for ever, only the events before
  // those.
  const std::vector<std::uint32_t>& order() const { return order_; }
  bool acyclic() const { return order_.size() + 1 == starts_.size(); }

  // The result of unordered(). Each given pair's first event comes before its second in order(). `pairs` are the
  // indices, increasing, of the pairs whose first event does not come before the second.
  struct Unordered {
    std::vector<std::size_t> pairs;
    bool partial = false;  // `enough` were found before all had been looked at
  };
  // Cost: (events) x (different first events) / 512. Throws Ended.
  Unordered unordered(const std::vector<EventEdge>& pairs, std::size_t enough, Work& work) const;

 private:
  void add(std::uint32_t events, const std::vector<EventEdge>& edges, Work& work);

  std::vector<std::uint32_t> starts_ = {0};  // by event: where its successors begin
  std::vector<std::uint32_t> successors_ = {};
  std::vector<std::uint32_t> order_ = {};
};

}  // namespace quadrille::programs
