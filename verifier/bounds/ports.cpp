// Bounds from the packets that single processors must receive and send, and from the hops that all packets make
// together.
//
//   allgather of 8 on a ring with multiple ports: each processor lacks 7 chunks and receives 2 a step, so 4 steps
//
// Cost: linear in the needs that needs.cpp has found.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/text/counted.h"
#include "verifier/bounds/parts.h"

namespace quadrille::bounds {
namespace {

// The channels out of a node, and those into it.
std::vector<ChannelId> channels_at(const Fabric& fabric, NodeId node) {
  const auto out = fabric.channels_from(node);
  const auto in = fabric.channels_to(node);
  std::vector<ChannelId> channels(out.begin(), out.end());
  channels.insert(channels.end(), in.begin(), in.end());
  return channels;
}

// Packets that a processor can send and receive, together, in one step over half-duplex links.
std::uint64_t shared_port_capacity(const Fabric& fabric, NodeId processor) {
  if (fabric.rules().ports == Ports::single) return 1;
  std::uint64_t capacity = 0;
  for (const ChannelId id : links_of(fabric, channels_at(fabric, processor))) capacity += fabric.channel(id).capacity;
  return std::max<std::uint64_t>(capacity, 1);
}

// Rows that fit in one step over the links. In half duplex both directions share the capacity of one of them.
std::uint64_t room_of_links(const Fabric& fabric) {
  const bool half = fabric.rules().duplex == Duplex::half;
  if (!half) return fabric.lanes();
  if (fabric.least_capacity() == fabric.largest_capacity() && !fabric.has_one_way_links()) return fabric.lanes() / 2;
  std::uint64_t room = 0;
  for (ChannelId id(0); id.value < fabric.channels(); ++id.value) {
    if (fabric.link(id) == id) room += fabric.channel(id).capacity;
  }
  return room;
}

// Rows that fit in one step between processors with single ports that are linked directly; nothing elsewhere.
std::optional<std::uint64_t> room_of_ports(const Fabric& fabric) {
  if (fabric.rules().ports != Ports::single || fabric.has_switches()) return std::nullopt;
  return fabric.rules().duplex == Duplex::half ? fabric.processors() / 2 : fabric.processors();
}

std::uint64_t total(const Distances& distances) {
  std::uint64_t units = 0;
  for (const auto& [distance, number] : distances) units += distance > 0 ? number : 0;
  return units;
}

// The strictest case of this argument: units from x or more hops away are under way for x - 1 steps, and then arrive
// at `capacity` a step.
struct Lagged {
  std::uint64_t steps = 0;
  std::uint32_t distance = 0;
  std::uint64_t units = 0;
  std::uint64_t capacity = 1;
  NodeId processor;
};

// Puts the strictest case of these distances in the place of a case that is less strict.
void look_at(const Distances& distances, std::uint64_t capacity, NodeId processor, Lagged& best) {
  std::uint64_t units = 0;
  for (auto it = distances.rbegin(); it != distances.rend() && it->first > 0; ++it) {
    if (it->first == far) continue;
    units += it->second;
    const std::uint64_t steps = it->first - 1 + divided_up(units, capacity);
    if (steps > best.steps) best = {steps, it->first, units, capacity, processor};
  }
}

// For example "5 packets, 2 a step, from 3 or more hops away …". The text tells the distance only if it is more than
// one hop.
std::string moved(const Lagged& it, const std::string& distance_text) {
  std::string text = counted(it.units, "packet");
  const bool several_a_step = it.capacity > 1 && it.units > 1;
  if (several_a_step) text += fmt::format(", {} a step", it.capacity);
  return it.distance > 1 ? fmt::format("{}{} {}", text, several_a_step ? "," : "", distance_text) : text;
}

// Adds a price of 1 for everything that a processor sends and receives.
void price_processor(const Fabric& fabric, NodeId processor, std::uint32_t first, std::uint32_t last,
                     std::vector<PriceList>& lists) {
  if (fabric.rules().ports != Ports::single) {
    price_channels(fabric, channels_at(fabric, processor), first, last, lists);
  } else if (first <= last) {
    lists.push_back({fmt::format("port {}", processor.value), first, std::vector<std::uint64_t>(last - first + 1, 1)});
  }
}

// Prices of 1 for every packet that comes from (goes to) it.distance or more hops away.
std::vector<PriceList> port_price(const Fabric& fabric, const Lagged& it, PortDirection direction, std::uint32_t T) {
  std::vector<PriceList> lists;
  if (T < it.distance) return lists;
  const std::uint32_t first = direction == PortDirection::in ? it.distance : 1;
  price_port(fabric, it.processor, direction, first, std::vector<std::uint64_t>(T - it.distance + 1, 1), lists);
  return lists;
}

// The number of rows that fit in one step, over all links and through all ports.
std::uint64_t room_of_a_step(const Fabric& fabric) {
  const std::uint64_t links = room_of_links(fabric);
  return std::min(links, room_of_ports(fabric).value_or(links));
}

// Prices of 1 for every hop: on its channel; or at its ends, where ports leave less room than links.
std::function<std::vector<PriceList>(std::uint32_t)> traffic_prices(const Fabric& fabric) {
  const auto room = room_of_ports(fabric);
  const bool at_ports = room && *room <= room_of_links(fabric);
  return [fabric, at_ports](std::uint32_t T) {
    std::vector<PriceList> lists;
    const std::vector<std::uint64_t> ones(T, 1);
    if (at_ports && fabric.rules().duplex == Duplex::half) {
      if (T > 0) lists.push_back({"pairs all", 1, ones});
      return lists;
    }
    if (at_ports) {
      for (std::uint32_t p = 0; p < fabric.processors(); ++p)
        price_port(fabric, NodeId{p}, PortDirection::in, 1, ones, lists);
      return lists;
    }
    std::vector<ChannelId> channels;
    for (std::uint32_t id = 0; id < fabric.channels(); ++id) channels.emplace_back(id);
    price_channels(fabric, channels, 1, T, lists);
    return lists;
  };
}

// The hops that all needed packets make together, each on a shortest path. Each entry of the needs counts for `alike`
// processors. 0 if there are 2^64 hops or more.
std::uint64_t hops_of_all(const NeedsOfAll& needs, std::uint64_t alike) {
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max() / alike;
  std::uint64_t hops = 0;
  for (const ProcessorNeeds& it : needs.needs) {
    for (const auto& [distance, number] : it.in) {
      if (distance == 0 || distance == far) continue;
      if (number > (most - hops) / distance) return 0;
      hops += distance * number;
    }
  }
  return hops * alike;
}

}  // namespace

std::uint64_t port_capacity(const Fabric& fabric, ChannelIds channels) {
  if (fabric.rules().ports == Ports::single) return 1;
  if (!fabric.rules().shares_paths() || fabric.rules().duplex == Duplex::full) {
    return std::max<std::uint64_t>(fabric.lanes_of(channels), 1);
  }
  // The volume counts what both directions carry together by the capacity of the link (model/MODEL.md, Measures).
  std::uint64_t capacity = 0;
  for (const ChannelId id : channels) capacity += fabric.channel(fabric.link(id)).capacity;
  return std::max<std::uint64_t>(capacity, 1);
}

std::optional<Bound> distance_bound(const NeedsOfAll& needs) {
  std::uint32_t farthest = 0;
  const ProcessorNeeds* most = nullptr;
  bool receives = true;
  for (const ProcessorNeeds& it : needs.needs) {
    for (const Distances* distances : {&it.in, &it.out}) {
      if (distances->empty() || distances->rbegin()->first <= farthest) continue;
      farthest = distances->rbegin()->first;
      most = &it;
      receives = distances == &it.in;
    }
  }
  if (most == nullptr) return std::nullopt;
  const std::uint32_t processor = most->processor.value;
  Bound bound{.steps = farthest, .prices = [](std::uint32_t) { return std::vector<PriceList>{}; }};
  if (farthest == far) {
    bound.steps.reset();
    bound.reason = fmt::format("impossible: there is no way {} processor {} for all that it must {}",
                               receives ? "to" : "from", processor, receives ? "receive" : "send");
  } else {
    bound.reason = fmt::format(fmt::runtime(receives ? "processor {} needs what is {} away ({})"
                                                     : "what processor {} has is needed {} away ({})"),
                               processor, counted(farthest, "hop"), distances_source);
  }
  return bound;
}

std::optional<Bound> receptions_bound(const Fabric& fabric, const NeedsOfAll& needs) {
  Lagged best;
  for (const ProcessorNeeds& it : needs.needs) {
    look_at(it.in, port_capacity(fabric, fabric.channels_to(it.processor)), it.processor, best);
  }
  if (best.steps == 0) return std::nullopt;
  const std::string distance_text =
      fmt::format("from {0} or more hops away, {1} before step {0}", best.distance, best.units == 1 ? "not" : "none");
  return Bound{BoundKind::receptions, best.steps,
               fmt::format("processor {} must receive {} ({})", best.processor.value, moved(best, distance_text),
                           table_1_source),
               std::nullopt, [=](std::uint32_t T) { return port_price(fabric, best, PortDirection::in, T); }};
}

std::optional<Bound> sends_bound(const Fabric& fabric, const NeedsOfAll& needs) {
  Lagged best;
  for (const ProcessorNeeds& it : needs.needs) {
    look_at(it.out, port_capacity(fabric, fabric.channels_from(it.processor)), it.processor, best);
  }
  if (best.steps == 0) return std::nullopt;
  const std::string distance_text = fmt::format("to {} or more hops away, {}by step T - {}", best.distance,
                                                best.units == 1 ? "" : "the last ", best.distance - 1);
  return Bound{
      BoundKind::sends, best.steps,
      fmt::format("processor {} must send {} ({})", best.processor.value, moved(best, distance_text), table_1_source),
      std::nullopt, [=](std::uint32_t T) { return port_price(fabric, best, PortDirection::out, T); }};
}

// In half duplex, a processor's sends and receptions share its links.
std::optional<Bound> half_duplex_bound(const Fabric& fabric, const Collective& collective, const NeedsOfAll& needs) {
  if (fabric.rules().duplex != Duplex::half) return std::nullopt;
  std::optional<Bound> best;
  for (const ProcessorNeeds& it : needs.needs) {
    const std::uint64_t capacity = shared_port_capacity(fabric, it.processor);
    const std::uint64_t in = total(it.in);
    const std::uint64_t out = total(it.out);
    const std::uint64_t steps = divided_up(in + out, capacity);
    if (steps == 0 || (best && best->steps >= steps)) continue;
    best = Bound{
        BoundKind::half_duplex, steps,
        fmt::format("processor {} must send {} and receive {} over half-duplex links of capacity {} (after {})",
                    it.processor.value, counted(out, "packet"), counted(in, "packet"), capacity, single_port_source),
        std::nullopt, [fabric, processor = it.processor](std::uint32_t T) {
          std::vector<PriceList> lists;
          price_processor(fabric, processor, 1, T, lists);
          return lists;
        }};
    if (in > 0 && out > 0 && values_go_both_ways(collective)) best->prices = {};
  }
  return best;
}

// The number of rows that every schedule needs: one for each demand; for a chunk that nobody else wants, one for each
// hop. Where values are combined, each one comes into every processor that wants others' contributions, and leaves
// every processor whose contribution others want: all of them in an allreduce, else all but one.
std::uint64_t needed_rows(const Fabric& fabric, const Collective& collective, const NeedsOfAll& needs) {
  const std::uint64_t n = fabric.processors();
  if (collective.combining()) {
    const bool all = collective.shape()->all_to_all() && n > 1;
    return collective.values() * (all ? n : n - 1);
  }
  if (!collective.unicast() || !needs.complete) return collective.demands();
  return hops_of_all(needs, needs.all_alike ? n : 1);
}

// A step has room for as many rows as there are lanes; in half duplex, for half of them. Where processors are linked
// directly and have single ports, every row occupies a sender and a receiver (Single-Port Multinode Broadcasting, (2)
// and (3)).
std::optional<Bound> traffic_bound(const Fabric& fabric, const Collective& collective, const NeedsOfAll& needs) {
  const std::uint64_t rows = needed_rows(fabric, collective, needs);
  const std::uint64_t room = room_of_a_step(fabric);
  if (room == 0 || rows == 0) return std::nullopt;
  return Bound{BoundKind::traffic, divided_up(rows, room),
               fmt::format("all packets together make at least {}, and a step has room for {} (after {})",
                           counted(rows, "hop"), room, single_port_source),
               std::nullopt, traffic_prices(fabric)};
}

// Transfers: if everybody wants everyone's contribution to a value, the value takes at least 2 (n - 1) rows.
//
// Derivation (the telegraph problem of the gossip literature; e.g. F. Harary and A. Schwenk, The communication
// problem on graphs and digraphs, 1974). Put the value's rows in the order of time. Rows of one step may have any
// order, as this lets each row carry no less than it does. Consider the row with which a first processor has all
// contributions. Until then each of the n - 1 others has sent at least one row, as its own contribution has left it.
// After it each of these must receive one more. This holds for processors that are linked directly: a switch may send
// one row on twice, or join two.
//
//   all-reduce of 8 parts among 8 processors with single ports: 8 · 14 rows, 8 at a time: 14 steps, or a volume of 14
//
// Cost: linear in the channels.
std::optional<Bound> transfers_bound(const Fabric& fabric, const Collective& collective) {
  const std::uint64_t n = fabric.processors();
  if (!collective.shape() || !collective.shape()->all_to_all() || fabric.nodes() != n || n < 2) return std::nullopt;
  const std::uint64_t room = room_of_a_step(fabric);
  if (room == 0) return std::nullopt;
  const std::uint64_t rows = 2 * (n - 1) * collective.values();
  return Bound{
      BoundKind::transfers, divided_up(rows, room),
      fmt::format("each of {} takes {} between {}, and there is room for {} a step (gossip takes 2n - 2 messages)",
                  counted(collective.values(), "value"), counted(2 * (n - 1), "hop"), counted(n, "processor"), room)};
}

// --- prices ---------------------------------------------------------------------------------------------------------

// Turns the argument of a bound by counting into `price` lines, which the judge of certificates can check
// independently.
//
//   sends of processor 3 in steps 2 to 4 cost 1. With multiple ports this is "channel 3->x 2: 1 1 1" for each channel
//   out of 3; with a single port it is "out 3 2: 1 1 1".

namespace {

std::vector<std::uint64_t> ones(std::uint32_t first, std::uint32_t last) {
  return std::vector<std::uint64_t>(last < first ? 0 : last - first + 1, 1);
}

}  // namespace

void price_port(const Fabric& fabric, NodeId processor, PortDirection direction, std::uint32_t first,
                const std::vector<std::uint64_t>& prices, std::vector<PriceList>& lists) {
  if (prices.empty()) return;
  if (fabric.rules().ports == Ports::single) {
    lists.push_back(
        {fmt::format("{} {}", direction == PortDirection::in ? "in" : "out", processor.value), first, prices});
    return;
  }
  for (const ChannelId id :
       direction == PortDirection::in ? fabric.channels_to(processor) : fabric.channels_from(processor)) {
    lists.push_back({"channel " + fabric.name(id), first, prices});
  }
}

std::vector<ChannelId> links_of(const Fabric& fabric, std::span<const ChannelId> channels) {
  std::vector<ChannelId> links;
  for (const ChannelId id : channels) links.push_back(fabric.link(id));
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
  return links;
}

void price_channels(const Fabric& fabric, std::span<const ChannelId> channels, std::uint32_t first, std::uint32_t last,
                    std::vector<PriceList>& lists) {
  if (last < first) return;
  // In half duplex both directions share a link's capacity, so the link has the price.
  if (fabric.rules().duplex == Duplex::full) {
    for (const ChannelId id : channels) lists.push_back({"channel " + fabric.name(id), first, ones(first, last)});
    return;
  }
  for (const ChannelId id : links_of(fabric, channels))
    lists.push_back({"link " + fabric.name(id), first, ones(first, last)});
}

bool values_go_both_ways(const Collective& collective) {
  return collective.combining() && collective.shape()->shared();
}

std::vector<PriceList> one_for_each(const std::vector<PriceList>& lists) {
  std::vector<PriceList> result;
  std::map<std::string, std::size_t> place;  // in the result
  for (const PriceList& list : lists) {
    const auto [at, added] = place.try_emplace(list.resource, result.size());
    if (added) {
      result.push_back(list);
      continue;
    }
    PriceList& sum = result[at->second];
    const std::uint32_t first = std::min(sum.first, list.first);
    sum.prices.insert(sum.prices.begin(), sum.first - first, 0);
    sum.first = first;
    const std::size_t from = list.first - first;
    sum.prices.resize(std::max(sum.prices.size(), from + list.prices.size()));
    for (std::size_t i = 0; i < list.prices.size(); ++i) sum.prices[from + i] += list.prices[i];
  }
  return result;
}

}  // namespace quadrille::bounds
