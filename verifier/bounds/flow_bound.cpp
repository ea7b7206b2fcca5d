// The bound of fractional flows over time (flow.h), and the choice of the packets to ask about.
//
// Prices make a packet pay for the cheapest path to one processor. (CERTIFICATES.md lets a chunk pay for the dearest
// of its demands, so it may pay for any one of them.) If every chunk has one source and one target, the question is
// about all of them. Else a question is about the packets that one processor wants, or about those that others want
// of one processor. Such questions are asked for one of each class of processors that look the same.
//
//   in an allgather on a ring of 8, all processors look the same, so one question is left: the 7 chunks that 0 wants.
//   Of its own chunk, which the others want, one packet would be asked about, and that shows no more than its
//   distance.
//
// Cost: a linear program for each question and number of steps, until one finds no more.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <new>
#include <set>
#include <utility>

#include "model/text/counted.h"
#include "verifier/bounds.h"
#include "verifier/bounds/flow.h"
#include "verifier/bounds/parts.h"

namespace quadrille {
namespace {

using bounds::PacketDemand;
using Wants = std::vector<PacketDemand>;

constexpr std::uint32_t most_nodes = 300;
constexpr std::uint64_t most_demands = std::uint64_t{1} << 17;
constexpr std::uint64_t most_pairs = std::uint64_t{1} << 22;  // of contributors and processors that want their values
constexpr std::size_t most_questions = 8;
constexpr int most_iterations = 50000;

// Every demand as (thing, from, to). For a combining value, each contributor to the wanted partial reduction has a
// demand. Custom chunks that start at several processors are left out.
struct Demand {
  std::uint64_t thing;
  std::uint32_t from;
  std::uint32_t to;
};

std::vector<Demand> demands_of(const Collective& collective) {
  std::vector<Demand> all;
  for (std::uint64_t i = 0; i < collective.demands(); ++i) {
    const auto [thing, processor] = collective.demand_at(i);
    const std::uint32_t to = processor.value;
    if (collective.combining()) {
      const auto wanted = collective.wanted_contributions(static_cast<std::uint32_t>(thing.value), processor);
      for (std::uint32_t p = wanted->first; p <= wanted->second; ++p) {
        if (p != to) all.push_back({thing.value, p, to});
      }
      continue;
    }
    std::vector<std::uint32_t> starts{collective.name(thing).origin};
    if (collective.listed()) {
      starts.clear();
      for (std::uint32_t p = 0; p < collective.processors(); ++p) {
        if (collective.starts_at(thing, NodeId{p})) starts.push_back(p);
      }
    }
    if (starts.size() == 1) all.push_back({thing.value, starts.front(), to});
  }
  return all;
}

// The demands for which `chosen` is true; of each thing, the farthest one.
template <typename Chosen>
Wants farthest_of_each(const std::vector<Demand>& demands, const std::vector<std::vector<std::uint32_t>>& hops,
                       const Chosen& chosen) {
  std::map<std::uint64_t, Demand> farthest;
  for (const Demand& demand : demands) {
    if (!chosen(demand)) continue;
    const auto [it, added] = farthest.try_emplace(demand.thing, demand);
    if (!added && hops[demand.from][demand.to] > hops[it->second.from][it->second.to]) it->second = demand;
  }
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> packets;
  for (const auto& [thing, demand] : farthest) ++packets[{demand.from, demand.to}];
  Wants wants;
  for (const auto& [pair, number] : packets) wants.push_back({pair.first, pair.second, number});
  return wants;
}

std::vector<Wants> questions(const Fabric& fabric, const Collective& collective, const Limits& limits) {
  const std::vector<Demand> demands = demands_of(collective);
  std::vector<std::vector<std::uint32_t>> hops;
  for (std::uint32_t p = 0; p < fabric.processors(); ++p) hops.push_back(distances(fabric, NodeId{p}, Direction::from));
  if (!collective.combining() && collective.unicast()) {
    return {farthest_of_each(demands, hops, [](const Demand&) { return true; })};
  }
  std::vector<Wants> result;
  std::set<std::pair<bool, std::vector<std::uint64_t>>> known;  // by how a processor's wants look from it
  for (std::uint32_t p = 0; p < fabric.processors() && result.size() < most_questions; ++p) {
    for (const bool to : {true, false}) {
      if (limits.reached() != Reason::none) return result;
      Wants wants = farthest_of_each(demands, hops, [&](const Demand& it) { return (to ? it.to : it.from) == p; });
      std::vector<std::uint64_t> look;
      for (const PacketDemand& want : wants) look.insert(look.end(), want.packets, hops[want.from][want.to]);
      std::sort(look.begin(), look.end());
      if (look.size() > 1 && known.emplace(to, look).second) result.push_back(std::move(wants));
    }
  }
  return result;
}

// The evidence that so many steps are too few.
struct Found {
  std::uint32_t steps;
  bounds::Infeasibility by;
};

std::vector<PriceList> lists_of(const bounds::Resources& resources, const bounds::StepPrices& prices) {
  std::vector<PriceList> lists;
  for (std::size_t r = 0; r < prices.size(); ++r) {
    const auto is_price = [](std::uint64_t price) { return price > 0; };
    const auto first = std::find_if(prices[r].begin(), prices[r].end(), is_price);
    const auto end = std::find_if(prices[r].rbegin(), prices[r].rend(), is_price).base();
    if (first == prices[r].end()) continue;
    lists.push_back({resources.all[r].name, static_cast<std::uint32_t>(first - prices[r].begin()) + 1, {first, end}});
  }
  return lists;
}

// Prices at which T steps are too few. Nothing, too, if memory runs out in the linear program, most of whose code is a
// library's.
std::optional<bounds::Infeasibility> infeasibility(const bounds::Flow& flow, std::uint32_t T, const Limits& limits) {
  try {
    return flow.infeasibility(T, most_iterations, limits);
  } catch (const std::bad_alloc&) {
    limits.tell(Reason::limit);
    return std::nullopt;
  }
}

// Prices for T steps: the ones found for T, or else those of another linear program.
std::vector<PriceList> prices_at(const bounds::Flow& flow, const Found& known, std::uint32_t T, const Limits& limits) {
  if (T == known.steps) return lists_of(flow.resources(), known.by.prices);
  const auto found = infeasibility(flow, T, limits);
  return found ? lists_of(flow.resources(), found->prices) : std::vector<PriceList>();
}

std::string reason_of(const bounds::Infeasibility& found, std::uint64_t packets, std::uint32_t T) {
  return fmt::format("{} must pay {} in {}, all that can be carried is worth {} (a linear program; after {})",
                     counted(packets, "packet"), found.demand, counted(T, "step"), found.capacity,
                     bounds::lemma_3_source);
}

}  // namespace

std::optional<Bound> flow_bound(const Fabric& fabric, const Collective& collective, std::uint64_t at_least,
                                std::uint64_t most_rows, const Limits& limits) {
  if (fabric.nodes() > most_nodes || collective.demands() > most_demands) return std::nullopt;
  if (at_least == 0 || at_least > most_rows) return std::nullopt;
  // The restriction is the same as in lower_bounds().
  if (collective.idempotent() || collective.leaves_own_out()) return std::nullopt;
  Limits later = limits;  // for prices that are asked for after this function has returned
  later.progress = {};
  std::optional<Bound> best;
  auto T = static_cast<std::uint32_t>(at_least);
  const bool combining = collective.combining();
  if (combining && collective.demands() > most_pairs / fabric.processors()) return std::nullopt;
  // Each question goes on where the one before it ended, because bounds only grow.
  for (Wants& wants : questions(fabric, collective, limits)) {
    if (limits.reached() != Reason::none) break;
    const auto flow = std::make_shared<const bounds::Flow>(fabric, std::move(wants), limits);
    while (flow->size(T) <= most_rows && limits.reached() == Reason::none) {
      auto found = infeasibility(*flow, T, limits);
      if (!found) break;
      best = Bound{BoundKind::flow_over_time, T + 1, reason_of(*found, flow->packets(), T), std::nullopt,
                   [flow, later, known = std::make_shared<const Found>(Found{T, std::move(*found)})](
                       std::uint32_t steps) { return prices_at(*flow, *known, steps, later); }};
      ++T;
    }
  }
  return best;
}

}  // namespace quadrille
