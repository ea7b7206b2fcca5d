// Prices that prove a bound by counting alone (verifier/CERTIFICATES.md): the priced demand is more than the priced
// capacity.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/fabric.h"
#include "verifier/bounds.h"

namespace quadrille::bounds {

enum class PortDirection : std::uint8_t { in, out };

// Adds these prices, from step `first` on, to the packets that a processor receives (sends).
void price_port(const Fabric& fabric, NodeId processor, PortDirection direction, std::uint32_t first,
                const std::vector<std::uint64_t>& prices, std::vector<PriceList>& lists);

// The links of these channels, in the order of their numbers, each once.
std::vector<ChannelId> links_of(const Fabric& fabric, std::span<const ChannelId> channels);

// Returns the channels out of a node, and those into it.
std::vector<ChannelId> channels_at(const Fabric& fabric, NodeId node);

// Adds a price of 1 for every row of these channels in steps first … last; in half duplex, for every row of their
// links. Does nothing if last < first.
void price_channels(const Fabric& fabric, std::span<const ChannelId> channels, std::uint32_t first, std::uint32_t last,
                    std::vector<PriceList>& lists);

// Whether a value may have to cross a link in both directions. Then it counts twice in some bounds, but pays once.
bool values_go_both_ways(const Collective& collective);

// Adds prices as price_channels() does, for everything that a processor sends and receives.
void price_processor(const Fabric& fabric, NodeId processor, std::uint32_t first, std::uint32_t last,
                     std::vector<PriceList>& lists);

// The same prices with one list for each resource: several lists of a resource are added up.
std::vector<PriceList> one_for_each(const std::vector<PriceList>& lists);

}  // namespace quadrille::bounds
