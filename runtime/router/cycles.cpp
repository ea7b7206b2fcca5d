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
// Cost: in each cycle a router looks at the oldest message of each of its lines (runtime/router/held_messages.h), then
// at those that come next in lines with a free wire, until all wires are taken. On a hypercube, whose messages are one
// line, it passes over those that have none free by a bit operation each.
#include "runtime/router/cycles.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "runtime/router/held_messages.h"
#include "runtime/router/queues.h"

namespace quadrille::routing {
namespace {

class Cycles {
 public:
  explicit Cycles(const Traffic& traffic)
      : it_(traffic),
        random_(RandomNumbers(traffic.options.seed).next()),  // not what drew the messages: else they meet more often
        queues_(traffic.network, traffic.messages),
        injected_(traffic.network.terminals.size()),
        delivered_(traffic.network.terminals.size()),
        held_(traffic.network, traffic.useful, traffic.work),
        arriving_(traffic.network.routers()),
        at_target_(traffic.network.routers(), 0) {
    flights_.reserve(traffic.messages.size());
    run_.routers = traffic.network.routers();
    for (const Wire& wire : traffic.network.all_wires) run_.wires += wire.lanes;
    run_.refers = traffic.network.refers;
    run_.messages = traffic.messages.size();
  }

  // Runs until all messages are delivered, or until the bound on cycles or the limits are reached.
  RouterRun run() {
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

 private:
  using Kind = RouterEvent::Kind;

  void cycle() {
    const std::uint32_t routers = it_.network.routers();
    ++run_.cycles;
    for (std::uint32_t i = 0; i < routers; ++i) {
      const std::uint32_t router = it_.network.refers ? i : it_.network.downstream_first[i];
      if (held_.count(router) > 0 || !queues_.empty(router)) turn(router);
    }
    for (std::uint32_t router = 0; router < routers; ++router) {
      if (!arriving_[router].empty()) settle(router);
      if (at_target_[router] > 0) deliver(router);
    }
    it_.work.spend(routers);
  }

  void turn(std::uint32_t router) {
    ++turns_;
    clear_wires(router);
    route_held(router);
    refer_excess(router);
    inject(router);
    const std::size_t waiting = held_.count(router);
    run_.buffered += waiting;
    run_.peak_buffered = std::max(run_.peak_buffered, static_cast<std::uint32_t>(waiting));
  }

  void clear_wires(std::uint32_t router) {
    carried_.assign(it_.network.wires(router).size(), 0);
    full_ = 0;
    open_ = carried_.size();
  }

  // Looks at no message behind the one that takes the last free wire.
  void route_held(std::uint32_t router) {
    const std::size_t lines = held_.lines(router);
    looked_.assign(lines, {});
    next_.clear();
    for (std::size_t line = it_.network.dimensions ? 0 : 1; line < lines; ++line) {
      if (!held_.line(router, line).empty()) {
        next_.push_back({held_.line(router, line)[0].flight, static_cast<std::uint16_t>(line)});
      }
    }
    std::make_heap(next_.begin(), next_.end());
    std::size_t seen = 0;
    for (; open_ > 0 && !next_.empty(); ++seen) {
      std::pop_heap(next_.begin(), next_.end());
      const std::uint16_t line = next_.back().line;
      next_.pop_back();
      route_next(router, line);
    }
    for (std::size_t line = 0; line < lines; ++line) {
      if (looked_[line].seen > 0) held_.erase(router, line, looked_[line].kept, looked_[line].seen);
    }
    it_.work.spend(seen + lines + carried_.size());
  }

  // A router that does not refer never has too many messages, because they came only where there was room.
  void refer_excess(std::uint32_t router) {
    if (held_.count(router) <= it_.options.buffers) return;
    free_wires_.clear();
    for (std::uint32_t wire = 0; wire < carried_.size(); ++wire) {
      const std::uint32_t lanes = it_.network.wires(router)[wire].lanes;
      for (std::uint32_t lane = carried_[wire]; lane < lanes; ++lane) free_wires_.push_back(wire);
    }
    while (held_.count(router) > it_.options.buffers) {
      const std::uint32_t drawn = random_.below(static_cast<std::uint32_t>(free_wires_.size()));
      cross(router, free_wires_[drawn], held_.pop_youngest(router), Kind::referred);
      free_wires_[drawn] = free_wires_.back();
      free_wires_.pop_back();
    }
  }

  void inject(std::uint32_t router) {
    for (std::uint32_t count = 0; count < it_.options.inject && !queues_.empty(router); ++count) {
      if (!inject_front(router)) return;
    }
  }

  // Injects the first message of the queue; false if it must stay there.
  bool inject_front(std::uint32_t router) {
    const std::uint32_t message = queues_.front(router);
    const RoutedMessage& it = it_.messages[message];
    const Terminal& terminal = it_.network.terminals[it.from];
    if (!injected_.may(it.from, run_.cycles, terminal.lanes_in)) return false;
    const WaitingMessage held{static_cast<std::uint32_t>(flights_.size()), it_.network.terminals[it.to].out};
    flights_.push_back({message, it.to, run_.cycles});
    // The injection is noted first, and taken back if the message finds no place.
    note(Kind::injected, message);
    if (!route(router, held_.line_for(router, held.target), held)) {
      if (held_.count(router) >= it_.options.buffers) {
        flights_.pop_back();
        if (it_.options.trace) it_.options.trace->pop_back();
        return false;
      }
      held_.join(router, {&held, 1});
      if (held.target == router) ++at_target_[router];
    }
    injected_.serve(it.from, run_.cycles);
    queues_.pop(router);
    return true;
  }

  void settle(std::uint32_t router) {
    auto& arriving = arriving_[router];
    std::sort(arriving.begin(), arriving.end());
    held_.join(router, arriving);
    arriving.clear();
  }

  void deliver(std::uint32_t router) {
    WaitingLine& messages = held_.line(router, HeldMessages::at_target);
    std::uint32_t left = it_.options.deliver;
    std::size_t seen = 0;
    std::size_t kept = 0;
    for (; seen < messages.size() && left > 0 && at_target_[router] > 0; ++seen) {
      const WaitingMessage held = messages[seen];
      if (held.target == router && delivers(held)) {
        --at_target_[router];
        --left;
      } else {
        messages[kept++] = held;
      }
    }
    held_.erase(router, HeldMessages::at_target, kept, seen);
  }

  // False if the target has as many messages in this cycle as it takes.
  bool delivers(WaitingMessage held) {
    const std::uint32_t processor = flights_[held.flight].processor;
    if (!delivered_.may(processor, run_.cycles, it_.network.terminals[processor].lanes_out)) return false;
    delivered_.serve(processor, run_.cycles);
    finish(held.flight);
    return true;
  }

  // The data of a message that are needed at its injection and delivery only.
  struct UnderWay {
    std::uint32_t message;    // its place among those given
    std::uint32_t processor;  // its target
    std::uint32_t injected;   // the cycle
  };

  // The oldest message of a line that was not looked at in this turn.
  struct Oldest {
    std::uint32_t flight;
    std::uint16_t line;
    bool operator<(const Oldest& other) const { return flight > other.flight; }  // so that the oldest is on top
  };
  // How many messages of a line a turn has looked at, and kept.
  struct Looked {
    std::size_t seen = 0;
    std::size_t kept = 0;
  };

  bool is_blocked(std::uint16_t line) const { return line < blocked_.size() && blocked_[line] == turns_; }

  bool is_free(std::uint32_t router, std::uint32_t wire) const {
    const Wire& it = it_.network.wires(router)[wire];
    if (carried_[wire] >= it.lanes) return false;
    return it_.network.refers || held_.count(it.to) + arriving_[it.to].size() < it_.options.buffers;
  }

  // Routes the message of the line that was not looked at; then one comes next, unless the line has no free wire.
  void route_next(std::uint32_t router, std::uint16_t line) {
    WaitingLine& messages = held_.line(router, line);
    auto& [seen, kept] = looked_[line];
    const WaitingMessage it = messages[seen++];
    if (!route(router, line, it)) messages[kept++] = it;
    if (seen == messages.size() || is_blocked(line)) return;
    next_.push_back({messages[seen].flight, line});
    std::push_heap(next_.begin(), next_.end());
  }

  // Sends the message along the wire that its policy chooses; false if it waits.
  bool route(std::uint32_t router, std::uint16_t line, WaitingMessage held) {
    if (!(it_.network.dimensions ? list_dimensions(router ^ held.target) : list_wires(router, line))) return false;
    const std::optional<std::size_t> chosen = it_.policy.choose(choice_, random_);
    if (!chosen || *chosen >= choice_.size() || !choice_[*chosen].free) return false;
    cross(router, choice_[*chosen].number, held, Kind::crossed);
    return true;
  }

  // Lists the useful dimensions; false if none is free.
  bool list_dimensions(std::uint32_t useful) {
    if ((useful & ~full_) == 0) return false;
    choice_.clear();
    for (; useful != 0; useful &= useful - 1) {
      const auto dimension = static_cast<std::uint32_t>(std::countr_zero(useful));
      choice_.push_back({dimension, (full_ >> dimension & 1) == 0});
    }
    return true;
  }

  // Lists the wires of the line; false if none is free. In one turn a wire that is not free does not become so.
  bool list_wires(std::uint32_t router, std::uint16_t line) {
    if (is_blocked(line)) return false;
    choice_.clear();
    bool any = false;
    for (const std::uint32_t wire : held_.wires(router, line)) {
      const bool free = is_free(router, wire);
      any |= free;
      choice_.push_back({wire, free});
    }
    if (!any) {
      if (blocked_.size() <= line) blocked_.resize(line + std::size_t{1});
      blocked_[line] = turns_;
    }
    return any;
  }

  void cross(std::uint32_t router, std::uint32_t wire, WaitingMessage held, Kind kind) {
    const Wire& it = it_.network.wires(router)[wire];
    if (++carried_[wire] == it.lanes) {
      --open_;
      if (wire < 32) full_ |= 1U << wire;
    }
    arriving_[it.to].push_back(held);
    if (held.target == it.to) ++at_target_[it.to];
    if (held.target == router) --at_target_[router];
    ++run_.hops;
    if (kind == Kind::referred) ++run_.referrals;
    if (it_.options.trace) note(kind, flights_[held.flight].message, it.channel);
  }

  void finish(std::uint32_t flight) {
    const UnderWay& it = flights_[flight];
    ++run_.delivered;
    ++run_.delays[run_.cycles];
    ++run_.delays_inside[run_.cycles - it.injected + 1];
    note(Kind::delivered, it.message);
  }

  void note(Kind kind, std::uint32_t message, ChannelId channel = ChannelId(0)) {
    if (it_.options.trace) it_.options.trace->push_back({kind, run_.cycles, message, channel});
  }

  const Traffic& it_;
  RandomNumbers random_;
  InjectionQueues queues_;
  Served injected_;
  Served delivered_;
  std::vector<UnderWay> flights_;
  HeldMessages held_;
  std::vector<std::vector<WaitingMessage>> arriving_;  // by router, those that cross a wire to it
  std::vector<std::uint32_t> at_target_;               // by router: number of all these at their target
  RouterRun run_;

  // The state of the router whose turn it is.
  std::vector<std::uint32_t> carried_;  // by wire, messages in this cycle
  std::uint32_t full_ = 0;              // a bit for each of the first 32 wires; hypercubes have no more
  std::size_t open_ = 0;                // number of wires with a lane left
  std::uint64_t turns_ = 0;             // until now, of all routers
  std::vector<std::uint64_t> blocked_;  // by line, the last turn in which none of its wires was free
  std::vector<Oldest> next_;            // a heap
  std::vector<Looked> looked_;          // by line
  std::vector<UsefulWire> choice_;
  std::vector<std::uint32_t> free_wires_;
};

}  // namespace

RouterRun run_cycles(const Traffic& traffic) { return Cycles(traffic).run(); }

}  // namespace quadrille::routing
