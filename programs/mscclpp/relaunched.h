// An execution plan that is launched several times, one launch after another on each rank: its events and their order.
#pragma once

#include <cstdint>
#include <vector>

#include "model/limits/work.h"
#include "programs/mscclpp/launch.h"
#include "programs/mscclpp/memory.h"
#include "programs/network.h"
#include "programs/ordered_events.h"

namespace quadrille::programs {

class Relaunched {
 public:
  // Keeps references. Throws Ended.
  Relaunched(const PlanMemory& memory, const PlanLaunch& launch, std::uint32_t ranks, std::uint32_t launches,
             Work& work);

  const PlanLaunch& launch() const { return launch_; }
  std::uint32_t launches() const { return launches_; }
  std::uint32_t ranks() const { return ranks_; }
  std::uint32_t events() const { return launches_ * each() + ranks_; }
  // An event of a launch. The start of the launch after the last one is the end of that.
  std::uint32_t number(std::uint32_t launch, std::uint32_t event) const { return launch * each() + event; }
  std::uint32_t launch_of(std::uint32_t number) const { return number / each(); }
  std::uint32_t event_of(std::uint32_t number) const { return number % each(); }
  const PlanEvent& event(std::uint32_t number) const { return launch_.events[event_of(number)]; }
  bool is_start(std::uint32_t number) const { return event_of(number) < ranks_; }

  // Events in an order in which they may come to an end; not all if some wait for ever.
  const std::vector<std::uint32_t>& run() const { return run_; }
  bool ends() const { return run_.size() == events(); }
  // Whether the event has come to an end in that run.
  bool ended(std::uint32_t number) const { return done_[number]; }

  // What is written before the first event of an edge is seen after the second one. Requires ends().
  const OrderedEvents& strong() const { return strong_; }
  // Likewise, and edges of which both ends come one after the other alone: packets, and relaxed signals.
  const OrderedEvents& any() const { return any_; }

  // From who writes packets to the event that says that they are there, within a launch.
  const std::vector<EventEdge>& packet_needs() const { return packet_needs_; }

 private:
  void find_writers();
  void add_packets();
  void add_counters();
  void add_launches();
  void simulate();
  void order();

  const PlanMemory& memory_;
  const PlanLaunch& launch_;
  std::uint32_t ranks_;
  std::uint32_t launches_;
  Work& work_;
  std::uint32_t each() const { return static_cast<std::uint32_t>(launch_.events.size()); }

  std::vector<std::vector<std::uint32_t>> writers_ = {};  // of packets, by rank and cell: events of a launch
  std::vector<EventEdge> packet_edges_ = {};              // within a launch
  std::vector<EventEdge> packet_needs_ = {};
  std::vector<std::uint32_t> never_ = {};  // events of a launch that wait for packets that no one writes
  std::vector<EventEdge> strong_edges_ = {};
  std::vector<EventEdge> weak_edges_ = {};
  std::vector<std::uint32_t> run_ = {};
  std::vector<bool> done_ = {};
  OrderedEvents strong_ = {};
  OrderedEvents any_ = {};
};

}  // namespace quadrille::programs
