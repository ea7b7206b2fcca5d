// Idea, example and cost: prices.h. (Weak duality: whatever prices are put on capacity, a schedule must pay for what it
// uses, and cannot pay more than the price of all capacity.)
#include "verifier/certificate/prices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory_resource>
#include <utility>
#include <vector>

#include "model/collective.h"
#include "model/limits/work.h"

namespace quadrille::certificate {
namespace {

// --- wants ---------------------------------------------------------------------------------------------------------

// Wants has a collective's demands, as prices see them.
//
// Idea: reduce a collective to what prices charge for: who must get what from where, which rows must come in, which
// must go out.
//
//   prefix, processor 2: it wants the contributions of 0 and 1, so 0->2 and 1->2; one reception at 2; a send of 0 and
//   one of 1
//
// Cost: linear in the demands; combining: in the contributions that they ask for. Parts of a message are wanted alike,
// so only one part is looked at.

// Something (a chunk, or a value) that starts at a set of processors must get to a processor.
struct Want {
  std::uint32_t starts;  // number of the set
  std::uint32_t thing;
  NodeId processor;
};

// A thing and a processor where it must be in at least one row.
struct Visit {
  std::uint32_t thing;
  NodeId processor;
};

struct Wants {
  using StartSet = std::pmr::vector<NodeId>;
  explicit Wants(Work& work) : starts(&work), wants(&work), receptions(&work), sends(&work) {}

  std::pmr::vector<StartSet> starts;
  std::pmr::vector<Want> wants;  // by set
  std::size_t things = 0;
  std::uint64_t alike = 1;             // each stands for so many: the parts of a message start and are wanted alike
  std::pmr::vector<Visit> receptions;  // each once: of those who want it and are not among its starts
  std::pmr::vector<Visit> sends;       // each once: combining collectives only, of those who contribute to it
};

using StartSet = Wants::StartSet;

StartSet start_processors(const Collective& collective, ChunkId chunk, Work& work) {
  if (!collective.listed()) return {{NodeId(collective.name(chunk).origin)}, &work};
  StartSet starts(&work);
  work.spend(collective.processors());
  for (std::uint32_t p = 0; p < collective.processors(); ++p) {
    if (collective.starts_at(chunk, NodeId(p))) starts.emplace_back(p);
  }
  return starts;
}

Wants wants_of_copying(const Collective& collective, Work& work) {
  Wants result(work);
  std::pmr::map<ChunkId, std::pair<std::uint32_t, std::uint32_t>> chunks(&work);  // number, and that of its set
  std::pmr::map<StartSet, std::uint32_t> sets(&work);
  for (std::uint64_t i = 0; i < collective.demands(); ++i) {
    work.spend(1);
    const auto [chunk, processor] = collective.demand_at(i);
    auto known = chunks.find(chunk);
    if (known == chunks.end()) {
      const auto next = static_cast<std::uint32_t>(sets.size());
      const auto set = sets.emplace(start_processors(collective, chunk, work), next).first;
      known = chunks.emplace(chunk, std::pair(static_cast<std::uint32_t>(chunks.size()), set->second)).first;
    }
    result.wants.push_back({known->second.second, known->second.first, processor});
    if (!collective.starts_at(chunk, processor)) result.receptions.push_back({known->second.first, processor});
  }
  result.things = chunks.size();
  result.starts.resize(sets.size());
  for (const auto& [starts, number] : sets) result.starts[number] = starts;
  return result;
}

// Every contribution to what a processor must end with has to come to it from the processor that makes it.
Wants wants_of_combining(const Collective& collective, Work& work) {
  Wants result(work);
  result.things = collective.values();
  for (std::uint32_t p = 0; p < collective.processors(); ++p) result.starts.push_back(StartSet({NodeId(p)}, &work));
  std::pmr::vector<bool> sent(result.things * collective.processors(), false, &work);
  for (std::uint64_t i = 0; i < collective.demands(); ++i) {
    work.spend(1);
    const auto [id, processor] = collective.demand_at(i);
    const auto value = static_cast<std::uint32_t>(id.value);
    const auto wanted = collective.wanted_contributions(value, processor);
    if (!wanted) continue;
    bool receives = false;
    for (std::uint32_t p = wanted->first; p <= wanted->second; ++p) {
      if (p == processor.value) continue;
      work.spend(1);
      result.wants.push_back({p, value, processor});
      receives = true;
      const std::size_t at = std::size_t{value} * collective.processors() + p;
      if (!sent[at]) result.sends.push_back({value, NodeId(p)});
      sent[at] = true;
    }
    if (receives) result.receptions.push_back({value, processor});
  }
  return result;
}

Wants wants_of_each(const Collective& collective, Work& work) {
  Wants wants = collective.combining() ? wants_of_combining(collective, work) : wants_of_copying(collective, work);
  const auto by_set = [](const Want& a, const Want& b) { return a.starts < b.starts; };
  if (!std::is_sorted(wants.wants.begin(), wants.wants.end(), by_set)) {
    work.take(wants.wants.size(), sizeof(Want));  // what a stable sort takes
    std::stable_sort(wants.wants.begin(), wants.wants.end(), by_set);
  }
  return wants;
}

// Throws Ended. The work outlives the result. Cost: time and memory in proportion to the demands; combining: to all
// contributions that they ask for.
Wants wants_of(const Collective& collective, Work& work) {
  const std::uint32_t parts = collective.description().parts;
  if (parts == 1 || collective.listed()) return wants_of_each(collective, work);
  CollectiveDescription one = collective.description();
  one.parts = 1;
  Wants wants = wants_of_each(Collective::make(one, collective.processors()).value(), work);
  wants.alike = parts;
  return wants;
}

// --- prices --------------------------------------------------------------------------------------------------------

constexpr std::uint64_t no_way = ~std::uint64_t{0};
constexpr std::size_t batch_size = 256;  // start sets that are followed through the steps together

std::uint32_t capacity_of(const Price& price, const Fabric& fabric) {
  if (price.resource == Price::Resource::pairs) return fabric.processors() / 2;
  const bool channel = price.resource == Price::Resource::channel || price.resource == Price::Resource::link;
  return channel ? fabric.channel(ChannelId(price.number)).capacity : 1;
}

// --- the price of a row -----------------------------------------------------------------------------------------

// Finds the price of each resource in each step.
class Rates {
 public:
  Rates(const Fabric& fabric, const std::vector<Price>& prices, Work& work)
      : fabric_(fabric), work_(work), lists_(&work), steps_(&work), uses_(&work) {
    for (const Price& price : prices) {
      work.spend(price.prices.size());
      lists_[{price.resource, price.number}] = &price;
      for (std::size_t i = 0; i < price.prices.size(); ++i) {
        if (price.prices[i] > 0) steps_.push_back(price.first_step + static_cast<std::uint32_t>(i));
      }
      if (steps_.size() > 2 * known_) forget_duplicates();
    }
    forget_duplicates();
    uses_.resize(fabric.channels());
    for (std::uint32_t i = 0; i < fabric.channels(); ++i) find_uses(ChannelId(i));
  }

  // The first step from `step` on in which anything has a price.
  std::optional<std::uint32_t> priced_step(std::uint32_t step) const {
    const auto found = std::lower_bound(steps_.begin(), steps_.end(), step);
    return found == steps_.end() ? std::nullopt : std::optional(*found);
  }

  // What a row of this channel pays at least, in steps 1 … last.
  std::uint64_t cheapest(ChannelId channel, std::uint32_t last) const {
    std::uint64_t least = no_way;
    for (std::uint32_t step = 1; step <= last && least > 0; ++step) {
      work_.spend(1);
      least = std::min(least, price(channel, step));
    }
    return least;
  }

  // What a row of this channel pays in this step.
  std::uint64_t price(ChannelId channel, std::uint32_t step) const {
    std::uint64_t sum = 0;
    for (const Price* list : uses_[channel.value]) {
      if (step >= list->first_step && step - list->first_step < list->prices.size()) {
        sum += list->prices[step - list->first_step];
      }
    }
    return sum;
  }

 private:
  void forget_duplicates() {
    std::sort(steps_.begin(), steps_.end());
    steps_.erase(std::unique(steps_.begin(), steps_.end()), steps_.end());
    known_ = steps_.size();
  }

  // The resources with prices that a row of the channel uses, as CERTIFICATES.md lists them. A resource that the
  // fabric's rules do not make one has no prices: the reader refuses it.
  void find_uses(ChannelId id) {
    work_.spend(1);
    std::pmr::vector<const Price*>& result = uses_[id.value];
    const auto add = [&](Price::Resource resource, std::uint32_t number) {
      const auto found = lists_.find({resource, number});
      if (found != lists_.end()) result.push_back(found->second);
    };
    const Channel& channel = fabric_.channel(id);
    add(Price::Resource::channel, id.value);
    add(Price::Resource::pairs, 0);
    add(Price::Resource::link, fabric_.link(id).value);
    if (fabric_.is_processor(channel.from)) {
      add(Price::Resource::out, channel.from.value);
      add(Price::Resource::port, channel.from.value);
    }
    if (fabric_.is_processor(channel.to)) {
      add(Price::Resource::in, channel.to.value);
      add(Price::Resource::port, channel.to.value);
    }
  }

  const Fabric& fabric_;
  Work& work_;
  std::pmr::map<std::pair<Price::Resource, std::uint32_t>, const Price*> lists_;
  std::pmr::vector<std::uint32_t> steps_;  // in which anything has a price, ascending
  std::size_t known_ = 0;                  // of them, sorted already
  std::pmr::vector<std::pmr::vector<const Price*>> uses_;
};

// --- the cheapest ways ------------------------------------------------------------------------------------------

class CheapestPaths {
 public:
  using Costs = std::pmr::vector<std::uint64_t>;

  CheapestPaths(const Certificate& certificate, const Rates& rates, Work& work)
      : fabric_(certificate.fabric), steps_(certificate.steps), rates_(rates), work_(work) {}

  // For each set its costs, by node, after the last step.
  std::pmr::vector<Costs> costs(std::span<const Wants::StartSet> sets) const {
    std::pmr::vector<Costs> now(&work_);
    now.reserve(sets.size());
    for (const auto& set : sets) {
      now.emplace_back(fabric_.nodes(), no_way);
      for (const NodeId start : set) now.back()[start.value] = 0;
    }
    Costs prices(fabric_.channels(), &work_);
    std::uint32_t step = 1;
    while (step <= steps_) {
      work_.spend(prices.size());
      for (std::uint32_t i = 0; i < fabric_.channels(); ++i) prices[i] = rates_.price(ChannelId(i), step);
      bool changed = false;
      for (auto& costs : now) changed = advance(costs, prices) || changed;
      // Where no price holds and no cost falls any more, the steps up to the next price change nothing: they are
      // skipped.
      const auto priced = rates_.priced_step(step + 1);
      const bool free = rates_.priced_step(step) != step;
      if (free && !changed && !priced) break;  // nor will anything change from now on
      step = free && !changed ? *priced : step + 1;
    }
    return now;
  }

 private:
  // One step: from the costs before it to those after it. Whether any has changed.
  bool advance(Costs& costs, const Costs& prices) const {
    work_.spend(prices.size() + costs.size());
    const Costs before(costs, &work_);
    for (std::uint32_t i = 0; i < prices.size(); ++i) {
      const Channel& channel = fabric_.channel(ChannelId(i));
      const std::uint64_t from = before[channel.from.value];
      if (from == no_way) continue;
      std::uint64_t& to = costs[channel.to.value];
      to = std::min(to, from + prices[i]);
    }
    return costs != before;
  }

  const Fabric& fabric_;
  std::uint32_t steps_;
  const Rates& rates_;
  Work& work_;
};

// --- the cheapest rows ------------------------------------------------------------------------------------------

// What the rows of the visits cost at least, by thing; each visit has one of the channels that `channels` lists for it.
// Sums end a little above largest_sum.
template <typename Channels>
CheapestPaths::Costs row_costs(const Certificate& certificate, const Rates& rates, std::size_t things,
                               const std::pmr::vector<Visit>& visits, const Channels& channels, Work& work) {
  CheapestPaths::Costs least(certificate.fabric.processors(), no_way, &work);
  for (std::uint32_t p = 0; p < least.size(); ++p) {
    for (const ChannelId id : channels(NodeId(p))) {
      if (least[p] > 0) least[p] = std::min(least[p], rates.cheapest(id, certificate.steps));
    }
  }
  CheapestPaths::Costs costs(things, 0, &work);
  for (const Visit& visit : visits) {
    work.spend(1);
    std::uint64_t& cost = costs[visit.thing];
    const std::uint64_t row = std::min(least[visit.processor.value], largest_sum);
    cost = std::min(cost + row, largest_sum + 1);
  }
  return costs;
}

// What things pay at least for the rows by which they come to those who want them, and leave those who contribute.
CheapestPaths::Costs row_payments(const Certificate& certificate, const Rates& rates, const Wants& wants, Work& work) {
  const Fabric& fabric = certificate.fabric;
  auto pays = row_costs(
      certificate, rates, wants.things, wants.receptions, [&](NodeId p) { return fabric.channels_to(p); }, work);
  const auto out = row_costs(
      certificate, rates, wants.things, wants.sends, [&](NodeId p) { return fabric.channels_from(p); }, work);
  for (std::size_t i = 0; i < pays.size(); ++i) pays[i] = std::max(pays[i], out[i]);
  return pays;
}

std::string path_text(const Wants& wants, const Want& want) {
  std::string from;
  for (const NodeId start : wants.starts[want.starts])
    from += fmt::format("{}{}", from.empty() ? "" : ", ", start.value);
  return fmt::format("from {} to {}", from.empty() ? "nowhere" : from, want.processor.value);
}

}  // namespace

std::optional<std::uint64_t> worth_of(const Certificate& certificate, const std::vector<Price>& prices) {
  std::uint64_t worth = 0;
  for (const Price& list : prices) {
    const std::uint64_t capacity = capacity_of(list, certificate.fabric);
    for (const std::uint64_t price : list.prices) {
      if (price > (largest_sum - worth) / capacity) return std::nullopt;
      worth += price * capacity;
    }
  }
  return worth;
}

Payment payment_of(const Certificate& certificate, const std::vector<Price>& prices, Work& work) {
  Payment payment;
  const Wants wants = wants_of(certificate.collective, work);
  const Rates rates(certificate.fabric, prices, work);
  const CheapestPaths ways(certificate, rates, work);
  CheapestPaths::Costs pays = row_payments(certificate, rates, wants, work);
  auto want = wants.wants.begin();
  // The largest cost of its wants is what a thing pays. Start sets go by the batch, so that the prices of a step are
  // summed up once for many.
  for (std::size_t first = 0; first < wants.starts.size(); first += batch_size) {
    const auto sets = std::span(wants.starts).subspan(first, std::min(batch_size, wants.starts.size() - first));
    const auto costs = ways.costs(sets);
    for (; want != wants.wants.end() && want->starts < first + sets.size(); ++want) {
      const std::uint64_t cost = costs[want->starts - first][want->processor.value];
      if (cost == no_way) {
        payment.no_way = path_text(wants, *want);
        return payment;
      }
      pays[want->thing] = std::max(pays[want->thing], cost);
    }
  }
  // The priced demand: what all things pay, each as often as there are parts alike.
  for (const std::uint64_t each : pays) {
    if (each > (largest_sum - payment.paid) / wants.alike) {
      payment.fault = "what must be paid passes 2^62";
      return payment;
    }
    payment.paid += each * wants.alike;
  }
  return payment;
}

}  // namespace quadrille::certificate
