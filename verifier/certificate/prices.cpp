#include "verifier/certificate/prices.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "verifier/certificate/wants.h"

namespace quadrille::certificate {
namespace {

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
  Rates(const Fabric& fabric, const std::vector<Price>& prices) : fabric_(fabric) {
    for (const Price& price : prices) {
      lists_[{price.resource, price.number}] = &price;
      for (std::size_t i = 0; i < price.prices.size(); ++i) {
        if (price.prices[i] > 0) steps_.insert(price.first_step + static_cast<std::uint32_t>(i));
      }
    }
    uses_.resize(fabric.channels());
    for (std::uint32_t i = 0; i < fabric.channels(); ++i) uses_[i] = used_by(ChannelId(i));
  }

  // The first step from `step` on in which anything has a price.
  std::optional<std::uint32_t> priced_step(std::uint32_t step) const {
    const auto found = steps_.lower_bound(step);
    return found == steps_.end() ? std::nullopt : std::optional(*found);
  }

  // What a row of this channel pays at least, in steps 1 … last.
  std::uint64_t cheapest(ChannelId channel, std::uint32_t last) const {
    std::uint64_t least = no_way;
    for (std::uint32_t step = 1; step <= last && least > 0; ++step) least = std::min(least, price(channel, step));
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
  // The resources with prices that a row of the channel uses, as CERTIFICATES.md lists them. A resource that the
  // fabric's rules do not make one has no prices: the reader refuses it.
  std::vector<const Price*> used_by(ChannelId id) const {
    std::vector<const Price*> result;
    const auto add = [&](Price::Resource resource, std::uint32_t number) {
      const auto found = lists_.find({resource, number});
      if (found != lists_.end()) result.push_back(found->second);
    };
    const Channel& channel = fabric_.channel(id);
    add(Price::Resource::channel, id.value);
    add(Price::Resource::pairs, 0);
    add(Price::Resource::link, std::min(id, fabric_.reverse(id)).value);
    if (fabric_.is_processor(channel.from)) {
      add(Price::Resource::out, channel.from.value);
      add(Price::Resource::port, channel.from.value);
    }
    if (fabric_.is_processor(channel.to)) {
      add(Price::Resource::in, channel.to.value);
      add(Price::Resource::port, channel.to.value);
    }
    return result;
  }

  const Fabric& fabric_;
  std::map<std::pair<Price::Resource, std::uint32_t>, const Price*> lists_;
  std::set<std::uint32_t> steps_;
  std::vector<std::vector<const Price*>> uses_;
};

// --- the cheapest ways ------------------------------------------------------------------------------------------

class Ways {
 public:
  Ways(const Certificate& certificate, const Rates& rates, const Limits& limits)
      : fabric_(certificate.fabric), steps_(certificate.steps), rates_(rates), limits_(limits) {}

  // For each set its costs, by node, after the last step; nothing if a limit was reached.
  std::optional<std::vector<std::vector<std::uint64_t>>> costs(std::span<const std::vector<NodeId>> sets) const {
    std::vector<std::vector<std::uint64_t>> now;
    for (const auto& set : sets) {
      now.emplace_back(fabric_.nodes(), no_way);
      for (const NodeId start : set) now.back()[start.value] = 0;
    }
    std::vector<std::uint64_t> prices(fabric_.channels());
    std::uint32_t step = 1;
    while (step <= steps_) {
      if (limits_.reached() != Reason::none) return std::nullopt;
      for (std::uint32_t i = 0; i < fabric_.channels(); ++i) prices[i] = rates_.price(ChannelId(i), step);
      bool changed = false;
      for (auto& costs : now) changed = advance(costs, prices) || changed;
      const auto priced = rates_.priced_step(step + 1);
      const bool free = rates_.priced_step(step) != step;
      if (free && !changed && !priced) break;  // nor will anything change from now on
      step = free && !changed ? *priced : step + 1;
    }
    return now;
  }

 private:
  // One step: from the costs before it to those after it. Whether any has changed.
  bool advance(std::vector<std::uint64_t>& costs, const std::vector<std::uint64_t>& prices) const {
    const std::vector<std::uint64_t> before = costs;
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
  const Limits& limits_;
};

// --- the cheapest rows ------------------------------------------------------------------------------------------

// What the rows of the visits cost at least, by thing; each visit has one of the channels that `channels` lists for it.
// Sums end a little above largest_sum.
template <typename Channels>
std::vector<std::uint64_t> row_costs(const Certificate& certificate, const Rates& rates, std::size_t things,
                                     const std::vector<Visit>& visits, const Channels& channels) {
  std::vector<std::uint64_t> least(certificate.fabric.processors(), no_way);
  for (std::uint32_t p = 0; p < least.size(); ++p) {
    for (const ChannelId id : channels(NodeId(p))) {
      if (least[p] > 0) least[p] = std::min(least[p], rates.cheapest(id, certificate.steps));
    }
  }
  std::vector<std::uint64_t> costs(things, 0);
  for (const Visit& visit : visits) {
    std::uint64_t& cost = costs[visit.thing];
    const std::uint64_t row = std::min(least[visit.processor.value], largest_sum);
    cost = std::min(cost + row, largest_sum + 1);
  }
  return costs;
}

// What things pay at least for the rows by which they come to those who want them, and leave those who contribute.
std::vector<std::uint64_t> row_payments(const Certificate& certificate, const Rates& rates, const Wants& wants) {
  const Fabric& fabric = certificate.fabric;
  auto pays =
      row_costs(certificate, rates, wants.things, wants.receptions, [&](NodeId p) { return fabric.channels_to(p); });
  const auto out =
      row_costs(certificate, rates, wants.things, wants.sends, [&](NodeId p) { return fabric.channels_from(p); });
  for (std::size_t i = 0; i < pays.size(); ++i) pays[i] = std::max(pays[i], out[i]);
  return pays;
}

std::string way_text(const Wants& wants, const Want& want) {
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

Payment payment_of(const Certificate& certificate, const std::vector<Price>& prices, const Limits& limits) {
  Payment payment;
  const auto unknown = [&](Reason reason, std::string why) {
    payment.reason = reason;
    payment.fault = std::move(why);
    return payment;
  };
  const auto wants = wants_of(certificate.collective);
  if (!wants) return unknown(Reason::limit, "the collective asks for more than the judge can count one by one");
  const Rates rates(certificate.fabric, prices);
  const Ways ways(certificate, rates, limits);
  std::vector<std::uint64_t> pays = row_payments(certificate, rates, *wants);
  auto want = wants->wants.begin();
  for (std::size_t first = 0; first < wants->starts.size(); first += batch_size) {
    const auto sets = std::span(wants->starts).subspan(first, std::min(batch_size, wants->starts.size() - first));
    const auto costs = ways.costs(sets);
    if (!costs) return unknown(limits.reached(), std::string(to_string(limits.reached())));
    for (; want != wants->wants.end() && want->starts < first + sets.size(); ++want) {
      const std::uint64_t cost = (*costs)[want->starts - first][want->processor.value];
      if (cost == no_way) {
        payment.no_way = way_text(*wants, *want);
        return payment;
      }
      pays[want->thing] = std::max(pays[want->thing], cost);
    }
  }
  for (const std::uint64_t each : pays) {
    if (each > (largest_sum - payment.paid) / wants->alike) {
      payment.fault = "what must be paid passes 2^62";
      return payment;
    }
    payment.paid += each * wants->alike;
  }
  return payment;
}

}  // namespace quadrille::certificate
