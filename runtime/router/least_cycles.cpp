// Lower bounds; the largest one is reported:
//   distance    a message crosses a wire a cycle;
//   injection   a router injects K a cycle: of m messages with d wires or more before them, the last one is injected in
//               cycle ceil(m/K), and is delivered no sooner than d-1 cycles after that; likewise a processor by its
//               lanes;
//   delivery    the same from the end;
//   wires       all wires together carry no more than their number a cycle; so do those out of a router, those into it,
//               those of a hypercube that go one way in one dimension, and those across each cut that the topology
//               knows.
//
// Example: hypercube:3, bit reversal, from 001 to 100 and so on: two wires at most, no wire twice; 2 cycles.
// Cost: linear in messages and wires, for each dimension and each cut; of more than 2^26 in all, cuts are left out.
#include "runtime/router/least_cycles.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <numeric>

#include "model/topology.h"

namespace quadrille::routing {
namespace {

constexpr std::uint64_t worth_looking = std::uint64_t{1} << 26;

std::uint64_t quotient_up(std::uint64_t a, std::uint64_t b) { return a / b + (a % b > 0 ? 1 : 0); }

class Bounds {
 public:
  Bounds(const Fabric& fabric, const Network& network, const UsefulWires& useful,
         const std::vector<RoutedMessage>& messages, const RouterOptions& options, Work& work)
      : fabric_(fabric), network_(network), messages_(messages), options_(options), work_(work) {
    for (const RoutedMessage& it : messages) distances_.push_back(useful.distance(in(it), out(it)));
  }

  LeastCycles best() {
    if (messages_.empty()) return best_;
    work_.spend(messages_.size() * 8);
    by_distance();
    by_terminals();
    by_wires();
    if (network_.dimensions) by_dimensions();
    by_cuts();
    return best_;
  }

 private:
  std::uint32_t in(const RoutedMessage& it) const { return network_.terminals[it.from].in; }
  std::uint32_t out(const RoutedMessage& it) const { return network_.terminals[it.to].out; }
  std::string name(std::uint32_t router) const { return fabric_.name(network_.nodes[router]); }

  template <class Reason>
  void offer(std::uint64_t cycles, const Reason& reason) {
    if (cycles > best_.cycles) best_ = {cycles, reason()};
  }

  void by_distance() {
    const auto farthest = std::max_element(distances_.begin(), distances_.end()) - distances_.begin();
    const RoutedMessage& it = messages_[static_cast<std::size_t>(farthest)];
    const std::uint32_t most = distances_[static_cast<std::size_t>(farthest)];
    offer(std::max(1U, most), [&] { return fmt::format("{} to {} takes {} wires", it.from, it.to, most); });
  }

  // At each gate a limited number of messages a cycle get through. Of those with d wires or more, the last one gets
  // through no sooner than their number says, and needs the d wires before or after.
  template <class Gate, class Limit, class What>
  void by_gates(const Gate& gate, const Limit& limit, const What& what) {
    std::vector<std::uint32_t> ends(std::max(network_.routers(), fabric_.processors()) + std::size_t{1}, 0);
    bool crowded = false;  // else the bound is no more than the longest distance
    for (const RoutedMessage& it : messages_) crowded |= ++ends[gate(it) + std::size_t{1}] > limit(gate(it));
    if (!crowded) return;
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    std::vector<std::uint32_t> wires(messages_.size());  // gate by gate
    for (std::size_t i = 0; i < messages_.size(); ++i) wires[ends[gate(messages_[i])]++] = distances_[i];
    std::uint32_t begin = 0;
    for (std::uint32_t at = 0; begin < wires.size(); begin = ends[at++]) {
      std::sort(wires.begin() + begin, wires.begin() + ends[at], std::greater<>());
      for (std::uint32_t i = begin; i < ends[at]; ++i) {
        offer(quotient_up(i - begin + 1, limit(at)) + std::max(1U, wires[i]) - 1, [&] {
          const std::string far = wires[i] < 2 ? "" : fmt::format(", each at least {} wires away", wires[i]);
          return fmt::format("{} {}, {} a cycle{}", i - begin + 1, what(at), limit(at), far);
        });
      }
    }
  }

  void by_terminals() {
    by_gates([&](const RoutedMessage& it) { return in(it); }, [&](std::uint32_t) { return options_.inject; },
             [&](std::uint32_t router) { return fmt::format("messages that {} injects", name(router)); });
    by_gates([&](const RoutedMessage& it) { return out(it); }, [&](std::uint32_t) { return options_.deliver; },
             [&](std::uint32_t router) { return fmt::format("messages that {} delivers", name(router)); });
    by_gates([](const RoutedMessage& it) { return it.from; },
             [&](std::uint32_t processor) { return network_.terminals[processor].lanes_in; },
             [](std::uint32_t processor) { return fmt::format("messages of processor {}", processor); });
    by_gates([](const RoutedMessage& it) { return it.to; },
             [&](std::uint32_t processor) { return network_.terminals[processor].lanes_out; },
             [](std::uint32_t processor) { return fmt::format("messages for processor {}", processor); });
  }

  void by_wires() {
    std::vector<std::uint64_t> leave(network_.routers()), enter(network_.routers());
    std::vector<std::uint64_t> lanes_out(network_.routers()), lanes_in(network_.routers());
    std::uint64_t hops = 0;
    std::uint64_t lanes = 0;
    for (std::size_t i = 0; i < messages_.size(); ++i) {
      hops += distances_[i];
      if (in(messages_[i]) == out(messages_[i])) continue;
      ++leave[in(messages_[i])];
      ++enter[out(messages_[i])];
    }
    for (std::uint32_t router = 0; router < network_.routers(); ++router) {
      for (const Wire& wire : network_.wires(router)) {
        lanes += wire.lanes;
        lanes_out[router] += wire.lanes;
        lanes_in[wire.to] += wire.lanes;
      }
    }
    if (hops > 0) {
      offer(quotient_up(hops, lanes), [&] { return fmt::format("{} hops at least, on {} wires", hops, lanes); });
    }
    for (std::uint32_t router = 0; router < network_.routers(); ++router) {
      across(leave[router], lanes_out[router], [&] { return "leave " + name(router); });
      across(enter[router], lanes_in[router], [&] { return "enter " + name(router); });
    }
  }

  template <class What>
  void across(std::uint64_t messages, std::uint64_t lanes, const What& what) {
    if (messages == 0 || lanes == 0) return;
    offer(quotient_up(messages, lanes),
          [&] { return fmt::format("{} messages {}, on {} wires", messages, what(), lanes); });
  }

  // Wires of a dimension lead from the half where its bit is 0 to the other, or back.
  void by_dimensions() {
    using EachWay = std::array<std::uint64_t, 2>;  // by the bit where they begin
    std::vector<EachWay> messages(*network_.dimensions, EachWay{});
    std::vector<EachWay> lanes(*network_.dimensions, EachWay{});
    for (const RoutedMessage& it : messages_) {
      for (std::uint32_t left = in(it) ^ out(it); left != 0; left &= left - 1) {
        const auto dimension = static_cast<std::uint32_t>(std::countr_zero(left));
        ++messages[dimension][in(it) >> dimension & 1];
      }
    }
    for (std::uint32_t router = 0; router < network_.routers(); ++router) {
      const auto wires = network_.wires(router);
      for (std::uint32_t i = 0; i < wires.size(); ++i) lanes[i][router >> i & 1] += wires[i].lanes;
    }
    for (std::uint32_t i = 0; i < *network_.dimensions; ++i) {
      for (std::size_t bit = 0; bit < 2; ++bit) {
        across(messages[i][bit], lanes[i][bit],
               [&] { return fmt::format("change bit {} of the router to {}", i, 1 - bit); });
      }
    }
  }

  void by_cuts() {
    const auto families = fabric_.topology().cuts(fabric_);
    std::uint64_t count = 0;
    for (const CutFamily& family : families) count += family.count;
    if (count > worth_looking / (messages_.size() + fabric_.processors())) return;
    for (const CutFamily& family : families) {
      for (std::uint64_t i = 0; i < family.count; ++i) by_cut(family.cut(i));
    }
  }

  void by_cut(const Cut& cut) {
    work_.spend(messages_.size() + fabric_.processors());
    std::uint64_t out = 0;
    std::uint64_t in = 0;
    for (const RoutedMessage& it : messages_) {
      if (cut.inside[it.from] == cut.inside[it.to]) continue;
      ++(cut.inside[it.from] ? out : in);
    }
    across(out, lanes_of(cut.out), [&] { return "leave " + cut.name; });
    across(in, lanes_of(cut.in), [&] { return "enter " + cut.name; });
  }

  std::uint64_t lanes_of(const std::vector<ChannelId>& channels) const {
    std::uint64_t lanes = 0;
    for (const ChannelId id : channels) lanes += fabric_.channel(id).capacity;
    return lanes;
  }

  const Fabric& fabric_;
  const Network& network_;
  const std::vector<RoutedMessage>& messages_;
  const RouterOptions& options_;
  Work& work_;
  std::vector<std::uint32_t> distances_;  // by message
  LeastCycles best_;
};

}  // namespace

LeastCycles least_cycles(const Fabric& fabric, const Network& network, const UsefulWires& useful,
                         const std::vector<RoutedMessage>& messages, const RouterOptions& options, Work& work) {
  return Bounds(fabric, network, useful, messages, options, work).best();
}

}  // namespace quadrille::routing
