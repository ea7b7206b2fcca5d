// EventOrder: which events must not precede which others, given a step for each that satisfies all of this.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace quadrille {

class EventOrder {
 public:
  // Adds an event that is in that step now, and gives its number.
  std::uint32_t add_event(std::uint32_t step);

  // Event `to` comes at least that many steps after `from`, as it does now.
  void add(std::uint32_t from, std::uint32_t to, std::uint32_t steps);

  // Both events keep their distance.
  void tie(std::uint32_t a, std::uint32_t b);

  // Events that keep their distances, since none can move alone.
  struct Cluster {
    std::vector<std::uint32_t> events;  // in order
    std::uint32_t step = 0;             // the first one's
  };
  // All events, each cluster behind those that it has to wait for; otherwise in the order of their steps.
  std::vector<Cluster> clusters() const;

  // Calls visit(from, steps) for each event that this one waits for.
  template <class Visit>
  void for_all_before(std::uint32_t event, const Visit& visit) const {
    for (std::int64_t i = last_[event]; i >= 0; i = waits_[static_cast<std::size_t>(i)].next) {
      visit(waits_[static_cast<std::size_t>(i)].from, waits_[static_cast<std::size_t>(i)].steps);
    }
  }

  std::uint32_t step(std::uint32_t event) const { return steps_[event]; }

 private:
  struct Wait {
    std::uint32_t from = 0;
    std::uint32_t steps = 0;
    std::int64_t next = -1;  // index of the event's next one
  };
  std::vector<std::uint32_t> components() const;

  std::vector<std::uint32_t> steps_;  // by event
  std::vector<std::int64_t> last_;    // likewise: index into waits_
  std::vector<Wait> waits_;
};

}  // namespace quadrille
