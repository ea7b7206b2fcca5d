// Prices that show a bound by counting alone (verifier/CERTIFICATES.md): the priced demand is more than the priced
// capacity.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/fabric.h"
#include "verifier/bounds.h"

namespace quadrille::bounds {

enum class PortDirection : std::uint8_t { in, out };

// What a processor receives (sends) costs these prices in the steps from `first` on.
void price_port(const Fabric& fabric, NodeId processor, PortDirection direction, std::uint32_t first,
                const std::vector<std::uint64_t>& prices, std::vector<PriceList>& lists);

// The links of these channels, by number, each once.
std::vector<ChannelId> links_of(const Fabric& fabric, std::span<const ChannelId> channels);

// The channels out of a node, and those into it.
std::vector<ChannelId> channels_at(const Fabric& fabric, NodeId node);

// Every row of these channels costs 1 in steps first … last; in half duplex, every row of their links. Nothing if
// last < first.
void price_channels(const Fabric& fabric, std::span<const ChannelId> channels, std::uint32_t first, std::uint32_t last,
                    std::vector<PriceList>& lists);

// Whether a value may have to cross a link in both directions: it then counts twice in some bounds, and pays once.
bool values_go_both_ways(const Collective& collective);

// As price_channels, for all that a processor sends and receives.
void price_processor(const Fabric& fabric, NodeId processor, std::uint32_t first, std::uint32_t last,
                     std::vector<PriceList>& lists);

// The same prices, with one list for each resource: those of several lists are summed up.
std::vector<PriceList> one_for_each(const std::vector<PriceList>& lists);

}  // namespace quadrille::bounds
