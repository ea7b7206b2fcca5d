#include "verifier/bounds/prices.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace quadrille::bounds {
namespace {

std::vector<std::uint64_t> ones(std::uint32_t first, std::uint32_t last) {
  return std::vector<std::uint64_t>(last < first ? 0 : last - first + 1, 1);
}

}  // namespace

void price_port(const Fabric& fabric, NodeId processor, Way way, std::uint32_t first,
                const std::vector<std::uint64_t>& prices, std::vector<PriceList>& lists) {
  if (prices.empty()) return;
  if (fabric.rules().ports == Ports::single) {
    lists.push_back({fmt::format("{} {}", way == Way::in ? "in" : "out", processor.value), first, prices});
    return;
  }
  for (const ChannelId id : way == Way::in ? fabric.channels_to(processor) : fabric.channels_from(processor)) {
    lists.push_back({"channel " + fabric.name(id), first, prices});
  }
}

void price_channels(const Fabric& fabric, std::span<const ChannelId> channels, std::uint32_t first, std::uint32_t last,
                    std::vector<PriceList>& lists) {
  if (last < first) return;
  if (fabric.rules().duplex == Duplex::full) {
    for (const ChannelId id : channels) lists.push_back({"channel " + fabric.name(id), first, ones(first, last)});
    return;
  }
  std::set<ChannelId> links;
  for (const ChannelId id : channels) links.insert(std::min(id, fabric.reverse(id)));
  for (const ChannelId id : links) lists.push_back({"link " + fabric.name(id), first, ones(first, last)});
}

bool values_go_both_ways(const Collective& collective) {
  return collective.kind() == CollectiveKind::allreduce || collective.kind() == CollectiveKind::prefix;
}

std::vector<PriceList> added_up(std::vector<PriceList> lists) {
  std::vector<PriceList> sums;
  std::map<std::string, std::size_t> number;
  for (PriceList& list : lists) {
    const auto [known, is_new] = number.try_emplace(list.resource, sums.size());
    if (is_new) {
      sums.push_back(std::move(list));
      continue;
    }
    PriceList& sum = sums[known->second];
    const std::uint32_t first = std::min(sum.first, list.first);
    const std::size_t end = std::max(sum.first + sum.prices.size(), list.first + list.prices.size());
    sum.prices.insert(sum.prices.begin(), sum.first - first, 0);
    sum.prices.resize(end - first);
    for (std::size_t i = 0; i < list.prices.size(); ++i) sum.prices[list.first - first + i] += list.prices[i];
    sum.first = first;
  }
  return sums;
}

void price_processor(const Fabric& fabric, NodeId processor, std::uint32_t first, std::uint32_t last,
                     std::vector<PriceList>& lists) {
  if (fabric.rules().ports != Ports::single) {
    price_channels(fabric, fabric.channels_from(processor), first, last, lists);
  } else if (first <= last) {
    lists.push_back({fmt::format("port {}", processor.value), first, ones(first, last)});
  }
}

}  // namespace quadrille::bounds
