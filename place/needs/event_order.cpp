// Events that wait for one another, on a circle, cannot move apart: the steps that they have now are right, so they
// keep their distances. These clusters are the strongly connected components of the waits (Tarjan, Depth-First Search
// and Linear Graph Algorithms, 1972), found without recursion. Clusters lie on no circle, so they can be placed one
// after another.
//
// For example, two processors exchange their contributions in one step: neither row may arrive before the other leaves,
// so both stay in one step. Cost: events and waits; a heap of clusters.
#include "place/needs/event_order.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>

namespace quadrille {

std::uint32_t EventOrder::add_event(std::uint32_t step) {
  steps_.push_back(step);
  last_.push_back(-1);
  return static_cast<std::uint32_t>(steps_.size() - 1);
}

void EventOrder::add(std::uint32_t from, std::uint32_t to, std::uint32_t steps) {
  if (from == to) return;
  waits_.push_back({from, steps, last_[to]});
  last_[to] = static_cast<std::int64_t>(waits_.size() - 1);
}

// Whatever the distance is, it is one that both may have: only that they are on a circle counts.
void EventOrder::tie(std::uint32_t a, std::uint32_t b) {
  add(a, b, 0);
  add(b, a, 0);
}

// The component of each event, by number.
std::vector<std::uint32_t> EventOrder::components() const {
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  const std::size_t count = steps_.size();
  std::vector<std::uint32_t> component(count, none), met(count, none), lowest(count, 0);
  std::vector<std::uint32_t> open;                           // met, and not yet in a component
  std::vector<std::pair<std::uint32_t, std::int64_t>> path;  // an event, and its next wait
  std::uint32_t meetings = 0, components = 0;
  const auto meet = [&](std::uint32_t event) {
    met[event] = lowest[event] = meetings++;
    open.push_back(event);
    path.emplace_back(event, last_[event]);
  };
  for (std::uint32_t root = 0; root < count; ++root) {
    if (met[root] == none) meet(root);
    while (!path.empty()) {
      auto& [event, wait] = path.back();
      if (wait >= 0) {
        const Wait& it = waits_[static_cast<std::size_t>(wait)];
        wait = it.next;
        if (met[it.from] == none) {
          meet(it.from);
        } else if (component[it.from] == none) {
          lowest[event] = std::min(lowest[event], met[it.from]);
        }
        continue;
      }
      const std::uint32_t done = event;
      path.pop_back();
      if (!path.empty()) lowest[path.back().first] = std::min(lowest[path.back().first], lowest[done]);
      if (lowest[done] != met[done]) continue;
      for (std::uint32_t member = none; member != done; open.pop_back()) {
        member = open.back();
        component[member] = components;
      }
      ++components;
    }
  }
  return component;
}

std::vector<EventOrder::Cluster> EventOrder::clusters() const {
  const std::vector<std::uint32_t> component = components();
  std::vector<Cluster> all(component.empty() ? 0 : *std::ranges::max_element(component) + 1);
  for (std::uint32_t event = 0; event < component.size(); ++event) {
    Cluster& cluster = all[component[event]];
    cluster.step = cluster.events.empty() ? steps_[event] : std::min(cluster.step, steps_[event]);
    cluster.events.push_back(event);
  }
  std::vector<std::vector<std::uint32_t>> after(all.size());
  std::vector<std::uint32_t> missing(all.size(), 0);
  for (std::uint32_t event = 0; event < component.size(); ++event) {
    for_all_before(event, [&](std::uint32_t from, std::uint32_t) {
      if (component[from] == component[event]) return;
      after[component[from]].push_back(component[event]);
      ++missing[component[event]];
    });
  }
  using Ready = std::pair<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>;  // step, first event; cluster
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
  const auto add = [&](std::uint32_t c) { ready.push({{all[c].step, all[c].events.front()}, c}); };
  for (std::uint32_t c = 0; c < all.size(); ++c) {
    if (missing[c] == 0) add(c);
  }
  std::vector<Cluster> result;
  while (!ready.empty()) {
    const std::uint32_t next = ready.top().second;
    ready.pop();
    result.push_back(std::move(all[next]));
    for (const std::uint32_t c : after[next]) {
      if (--missing[c] == 0) add(c);
    }
  }
  return result;
}

}  // namespace quadrille
