// Turns the argument of a bound by counting into `price` lines, which the judge of certificates can check
// independently.
//
//   sends of processor 3 in steps 2 to 4 cost 1. With multiple ports this is "channel 3->x 2: 1 1 1" for each channel
//   out of 3; with a single port it is "out 3 2: 1 1 1".
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "verifier/bounds/parts.h"

namespace quadrille::bounds {
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

std::vector<ChannelId> channels_at(const Fabric& fabric, NodeId node) {
  const auto out = fabric.channels_from(node);
  const auto in = fabric.channels_to(node);
  std::vector<ChannelId> channels(out.begin(), out.end());
  channels.insert(channels.end(), in.begin(), in.end());
  return channels;
}

bool values_go_both_ways(const Collective& collective) {
  return collective.combining() && collective.shape()->shared();
}

void price_processor(const Fabric& fabric, NodeId processor, std::uint32_t first, std::uint32_t last,
                     std::vector<PriceList>& lists) {
  if (fabric.rules().ports != Ports::single) {
    price_channels(fabric, channels_at(fabric, processor), first, last, lists);
  } else if (first <= last) {
    lists.push_back({fmt::format("port {}", processor.value), first, ones(first, last)});
  }
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
