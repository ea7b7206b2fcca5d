// The run is a simulation of what each event needs to come to an end. Counters only grow, and each is waited at in one
// order: so an event that can end stays able to, and one run decides for all.
//
// A wait is behind the signals without which its count is not reached. For example, two blocks signal once each, and a
// third waits twice: the first wait may be behind either one, so behind none; the second one is behind both. A signal
// of which k others of its launch may come first is needed by the waits from number k + 1 on.
//
// Who reads packets comes behind who writes them, byte by byte: events of both are parts of chunks, and where two of
// them meet in a cell, that byte has gone the same way. A port that moves several parts is one event, so it gets no
// such edge.
#include "programs/mscclpp/relaunched.h"

#include <algorithm>
#include <utility>

namespace quadrille::programs {

Relaunched::Relaunched(const PlanMemory& memory, const PlanLaunch& launch, std::uint32_t ranks, std::uint32_t launches,
                       Work& work)
    : memory_(memory), launch_(launch), ranks_(ranks), launches_(launches), work_(work) {
  work_.take(events(), 160);  // with edges, in both orders
  for (std::uint32_t r = 0; r < ranks; ++r) work_.take(memory.cells(r), sizeof(std::uint32_t));
  find_writers();
  add_packets();
  add_launches();
  add_counters();
  simulate();
  if (ends()) order();
}

void Relaunched::find_writers() {
  for (std::uint32_t r = 0; r < ranks_; ++r) writers_.emplace_back(memory_.cells(r), none);
  for (const PlanEffect& effect : launch_.effects) {
    for (const PlanRange& range : effect.targets) {
      if (!range.packets || range.again) continue;
      work_.spend(effect.cells);
      const std::uint32_t end = range.cell + effect.cells * memory_.packet_cells();
      for (std::uint32_t c = range.cell; c < end; ++c) writers_[range.rank][c] = effect.event;
    }
  }
}

void Relaunched::add_packets() {
  const std::uint32_t width = memory_.packet_cells();
  for (const PlanEffect& effect : launch_.effects) {
    if (!effect.waits) continue;
    for (const PlanRange& range : effect.sources) {
      if (!range.packets) continue;
      std::uint32_t last = none;
      for (std::uint32_t c = range.cell; c < range.cell + effect.cells * width; ++c) {
        work_.spend(4);
        const std::uint32_t writer = writers_[range.rank][c];
        if (writer == none) {
          never_.push_back(effect.event + 1);
        } else if (writer != last) {
          packet_needs_.emplace_back(writer, effect.event + 1);
          packet_edges_.emplace_back(writer, effect.event);
          last = writer;
        }
      }
    }
  }
}

void Relaunched::add_launches() {
  for (std::uint32_t l = 0; l < launches_; ++l) {
    work_.spend(4 * (launch_.order.size() + launch_.next.size()));
    for (const auto& [from, to] : launch_.order) strong_edges_.emplace_back(number(l, from), number(l, to));
    for (const auto& [from, to] : launch_.next) {
      if (l + 1 < launches_ || to < ranks_) strong_edges_.emplace_back(number(l, from), number(l + 1, to));
    }
    for (const auto& [from, to] : launch_.weak) weak_edges_.emplace_back(number(l, from), number(l, to));
    for (const auto& [from, to] : packet_edges_) weak_edges_.emplace_back(number(l, from), number(l, to));
  }
}

void Relaunched::add_counters() {
  for (const PlanCounter& counter : launch_.counters) {
    if (!counter.unknown.empty()) continue;
    const std::uint64_t signals = counter.releases.size();
    for (std::uint32_t l = 0; l < launches_; ++l) {
      for (std::size_t i = 0; i < counter.acquires.size(); ++i) {
        const auto& [event, relaxed] = counter.acquires[i];
        const std::uint64_t count = l * counter.acquires.size() + i + 1;
        bool found = false;
        for (std::uint32_t before = l + 1; before-- > 0 && !found;) {
          for (std::size_t j = 0; j < signals; ++j) {
            work_.spend(4);
            if (count <= counter.first + before * signals + counter.without[j]) continue;
            found = true;
            const EventEdge edge{number(before, counter.releases[j].event), number(l, event)};
            (relaxed || counter.releases[j].relaxed ? weak_edges_ : strong_edges_).push_back(edge);
          }
        }
      }
    }
  }
}

void Relaunched::simulate() {
  std::vector<EventEdge> all;
  all.reserve(strong_edges_.size() + launches_ * (launch_.needs.size() + packet_needs_.size()));
  // The counters' own edges follow from their counts.
  std::vector<std::uint32_t> waiting(events(), 0);
  const auto needs = [&](std::uint32_t from, std::uint32_t to) {
    all.emplace_back(from, to);
    ++waiting[to];
  };
  std::vector<std::uint32_t> counter_of(each(), none);
  std::vector<std::uint32_t> waits_at(each(), none);
  for (std::uint32_t c = 0; c < launch_.counters.size(); ++c) {
    for (const auto& use : launch_.counters[c].releases) counter_of[use.event] = c;
    if (!launch_.counters[c].unknown.empty()) continue;
    for (const auto& use : launch_.counters[c].acquires) waits_at[use.event] = c;
  }
  for (std::uint32_t l = 0; l < launches_; ++l) {
    for (const auto& [from, to] : launch_.order) needs(number(l, from), number(l, to));
    for (const auto& [from, to] : launch_.needs) needs(number(l, from), number(l, to));
    for (const auto& [from, to] : packet_needs_) needs(number(l, from), number(l, to));
    for (const auto& [from, to] : launch_.next) {
      if (l + 1 < launches_ || to < ranks_) needs(number(l, from), number(l + 1, to));
    }
    for (const std::uint32_t e : never_) ++waiting[number(l, e)];
    for (std::uint32_t e = 0; e < each(); ++e) waiting[number(l, e)] += waits_at[e] == none ? 0 : 1;
  }
  const OrderedEvents after(events(), all, {}, work_);  // for its edges alone
  struct Count {
    std::uint64_t value;
    std::uint64_t passed = 0;  // waits that need no more
  };
  std::vector<Count> counts;
  for (const PlanCounter& counter : launch_.counters) counts.push_back({counter.first});
  done_.assign(events(), false);
  const auto less = [&](std::uint32_t e) {
    if (--waiting[e] == 0) run_.push_back(e);
  };
  const auto pass = [&](std::uint32_t c) {
    const auto& acquires = launch_.counters[c].acquires;
    if (!launch_.counters[c].unknown.empty() || acquires.empty()) return;
    Count& count = counts[c];
    for (; count.passed < count.value && count.passed < launches_ * acquires.size(); ++count.passed) {
      less(number(static_cast<std::uint32_t>(count.passed / acquires.size()),
                  acquires[count.passed % acquires.size()].event));
    }
  };
  for (std::uint32_t e = 0; e < events(); ++e) {
    if (waiting[e] == 0) run_.push_back(e);
  }
  for (std::uint32_t c = 0; c < counts.size(); ++c) pass(c);
  for (std::size_t i = 0; i < run_.size(); ++i) {
    const std::uint32_t e = run_[i];
    done_[e] = true;
    work_.spend(4 + after.next(e).size());
    for (const std::uint32_t next : after.next(e)) less(next);
    const std::uint32_t c = counter_of[event_of(e)];
    if (c == none || launch_of(e) == launches_) continue;
    ++counts[c].value;
    pass(c);
  }
}

void Relaunched::order() {
  strong_ = OrderedEvents(strong_edges_, run_, work_);
  strong_edges_.insert(strong_edges_.end(), weak_edges_.begin(), weak_edges_.end());
  any_ = OrderedEvents(strong_edges_, run_, work_);
}

}  // namespace quadrille::programs
