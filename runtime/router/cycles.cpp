// A cycle is a turn of every router, and then one delivery for each; runtime/router/router.h describes a turn.
//
// Example: hypercube:1, B = 1, both processors send two messages to each other. Cycle 1: each router injects one, whose
// wire is free; both cross, and are delivered. Cycle 2: the same with the others. 2 cycles, 4 hops.
//
// Messages cross their wires all at once, though routers have their turns one after the other: crossing messages are
// in `arriving_` until all routers have had their turns. If messages wait for room, routers downstream have their
// turns first, so that it is known what they keep: the room left is B, less what they keep, less what is on its way
// there already.
//
// Cost: each message that a router holds is looked at once a cycle: on a hypercube by a bit operation, and one for
// each useful dimension if any is free; elsewhere by a distance for each wire.
#include "runtime/router/cycles.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace quadrille::routing {

Cycles::Cycles(const Traffic& traffic)
    : it_(traffic),
      random_(RandomNumbers(traffic.options.seed).next()),  // not what drew the messages: else they meet more often
      queues_(traffic.network, traffic.messages),
      injected_(traffic.network.terminals.size()),
      delivered_(traffic.network.terminals.size()),
      held_(traffic.network.routers()),
      arriving_(traffic.network.routers()),
      at_target_(traffic.network.routers(), 0),
      blocked_(traffic.network.routers(), 0) {
  flights_.reserve(traffic.messages.size());
  run_.routers = traffic.network.routers();
  for (const Wire& wire : traffic.network.all_wires) run_.wires += wire.lanes;
  run_.refers = traffic.network.refers;
  run_.messages = traffic.messages.size();
}

RouterRun Cycles::run() {
  try {
    while (run_.delivered < run_.messages) {
      if (run_.cycles == it_.options.most_cycles) throw Ended{Reason::limit};
      cycle();
    }
  } catch (const Ended& ended) {
    run_.reason = ended.reason;
  }
  return std::move(run_);
}

void Cycles::cycle() {
  const std::uint32_t routers = it_.network.routers();
  ++run_.cycles;
  for (std::uint32_t i = 0; i < routers; ++i) {
    const std::uint32_t router = it_.network.refers ? i : it_.network.downstream_first[i];
    if (!held_[router].empty() || !queues_.empty(router)) turn(router);
  }
  for (std::uint32_t router = 0; router < routers; ++router) {
    if (!arriving_[router].empty()) settle(router);
    if (at_target_[router] > 0) deliver(router);
  }
  it_.work.spend(routers);
}

void Cycles::turn(std::uint32_t router) {
  ++turns_;
  clear_wires(router);
  waiting_.clear();
  it_.work.spend(held_[router].size() + carried_.size());
  route_held(router);
  refer_excess(router);
  inject(router);
  run_.buffered += waiting_.size();
  run_.peak_buffered = std::max(run_.peak_buffered, static_cast<std::uint32_t>(waiting_.size()));
  std::swap(held_[router], waiting_);
}

void Cycles::clear_wires(std::uint32_t router) {
  carried_.assign(it_.network.wires(router).size(), 0);
  full_ = 0;
}

void Cycles::route_held(std::uint32_t router) {
  for (const WaitingMessage held : held_[router]) {
    if (!route(router, held)) waiting_.push_back(held);
  }
}

// A router that does not refer never has too many messages, because they came only where there was room.
void Cycles::refer_excess(std::uint32_t router) {
  if (waiting_.size() <= it_.options.buffers) return;
  free_wires_.clear();
  for (std::uint32_t wire = 0; wire < carried_.size(); ++wire) {
    const std::uint32_t lanes = it_.network.wires(router)[wire].lanes;
    for (std::uint32_t lane = carried_[wire]; lane < lanes; ++lane) free_wires_.push_back(wire);
  }
  while (waiting_.size() > it_.options.buffers) {
    const std::uint32_t drawn = random_.below(static_cast<std::uint32_t>(free_wires_.size()));
    cross(router, free_wires_[drawn], waiting_.back(), Kind::referred);
    waiting_.pop_back();
    free_wires_[drawn] = free_wires_.back();
    free_wires_.pop_back();
  }
}

void Cycles::inject(std::uint32_t router) {
  for (std::uint32_t count = 0; count < it_.options.inject && !queues_.empty(router); ++count) {
    if (!inject_front(router)) return;
  }
}

// Injects the first message of the queue; false if it must stay there.
bool Cycles::inject_front(std::uint32_t router) {
  const std::uint32_t message = queues_.front(router);
  const RoutedMessage& it = it_.messages[message];
  const Terminal& terminal = it_.network.terminals[it.from];
  if (!injected_.may(it.from, run_.cycles, terminal.lanes_in)) return false;
  const WaitingMessage held{static_cast<std::uint32_t>(flights_.size()), it_.network.terminals[it.to].out};
  flights_.push_back({message, it.to, run_.cycles});
  // The injection is noted first, and taken back if the message finds no place.
  note(Kind::injected, message);
  if (!route(router, held)) {
    if (waiting_.size() >= it_.options.buffers) {
      flights_.pop_back();
      if (it_.options.trace) it_.options.trace->pop_back();
      return false;
    }
    waiting_.push_back(held);
    if (held.target == router) ++at_target_[router];
  }
  injected_.serve(it.from, run_.cycles);
  queues_.pop(router);
  return true;
}

bool Cycles::is_free(std::uint32_t router, std::uint32_t wire) const {
  const Wire& it = it_.network.wires(router)[wire];
  if (carried_[wire] >= it.lanes) return false;
  return it_.network.refers || held_[it.to].size() + arriving_[it.to].size() < it_.options.buffers;
}

// Sends the message along the wire that its policy chooses; false if it waits.
bool Cycles::route(std::uint32_t router, WaitingMessage held) {
  if (!(it_.network.dimensions ? list_dimensions(router ^ held.target) : list_wires(router, held.target))) return false;
  const std::optional<std::size_t> chosen = it_.policy.choose(choice_, random_);
  if (!chosen || *chosen >= choice_.size() || !choice_[*chosen].free) return false;
  cross(router, choice_[*chosen].number, held, Kind::crossed);
  return true;
}

// Lists the useful dimensions; false if none is free.
bool Cycles::list_dimensions(std::uint32_t useful) {
  if ((useful & ~full_) == 0) return false;
  choice_.clear();
  for (; useful != 0; useful &= useful - 1) {
    const auto dimension = static_cast<std::uint32_t>(std::countr_zero(useful));
    choice_.push_back({dimension, (full_ >> dimension & 1) == 0});
  }
  return true;
}

// In one turn a wire that is not free does not become so.
bool Cycles::list_wires(std::uint32_t router, std::uint32_t target) {
  if (blocked_[target] == turns_) return false;
  choice_.clear();
  bool any = false;
  it_.useful.each(router, target, [&](std::uint32_t wire) {
    const bool free = is_free(router, wire);
    any |= free;
    choice_.push_back({wire, free});
  });
  if (!any) blocked_[target] = turns_;
  return any;
}

void Cycles::cross(std::uint32_t router, std::uint32_t wire, WaitingMessage held, Kind kind) {
  const Wire& it = it_.network.wires(router)[wire];
  if (++carried_[wire] == it.lanes && wire < 32) full_ |= 1U << wire;
  arriving_[it.to].push_back(held);
  if (held.target == it.to) ++at_target_[it.to];
  if (held.target == router) --at_target_[router];
  ++run_.hops;
  if (kind == Kind::referred) ++run_.referrals;
  if (it_.options.trace) note(kind, flights_[held.flight].message, it.channel);
}

// Arrived messages join the held ones, by age.
void Cycles::settle(std::uint32_t router) {
  auto& held = held_[router];
  auto& arriving = arriving_[router];
  std::sort(arriving.begin(), arriving.end());
  const auto middle = static_cast<std::ptrdiff_t>(held.size());
  held.insert(held.end(), arriving.begin(), arriving.end());
  std::inplace_merge(held.begin(), held.begin() + middle, held.end());
  arriving.clear();
}

void Cycles::deliver(std::uint32_t router) {
  std::uint32_t left = it_.options.deliver;
  std::erase_if(held_[router], [&](WaitingMessage held) {
    if (held.target != router || left == 0) return false;
    const InjectedMessage& it = flights_[held.flight];
    if (!delivered_.may(it.processor, run_.cycles, it_.network.terminals[it.processor].lanes_out)) return false;
    delivered_.serve(it.processor, run_.cycles);
    --left;
    --at_target_[router];
    finish(held.flight);
    return true;
  });
}

void Cycles::finish(std::uint32_t flight) {
  const InjectedMessage& it = flights_[flight];
  ++run_.delivered;
  ++run_.delays[run_.cycles];
  ++run_.delays_inside[run_.cycles - it.injected + 1];
  note(Kind::delivered, it.message);
}

void Cycles::note(Kind kind, std::uint32_t message, ChannelId channel) {
  if (it_.options.trace) it_.options.trace->push_back({kind, run_.cycles, message, channel});
}

}  // namespace quadrille::routing
