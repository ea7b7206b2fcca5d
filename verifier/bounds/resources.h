// Resources are the parts of a fabric that can be priced (verifier/CERTIFICATES.md). The functions below evaluate
// prices.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/fabric.h"

namespace quadrille::bounds {

enum class ResourceKind : std::uint8_t { channel, link, port, out, in, pairs };

struct Resource {
  ResourceKind kind = ResourceKind::channel;
  std::string name;  // "channel 0->1.0"
  std::uint32_t capacity = 1;
  NodeId from;  // of the channel; of a port: the processor, twice; of what is one: processor 0, twice
  NodeId to;
};

// Every resource of the fabric, and for each channel those that one of its rows uses.
struct Resources {
  explicit Resources(const Fabric& fabric);
  std::vector<Resource> all;
  std::vector<std::vector<std::uint32_t>> used_by;  // [channel]
};

// A want: so many packets must come from one processor to another, each by itself.
struct PacketDemand {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint64_t packets = 1;
};

// prices[resource][t - 1], in steps t = 1 … T.
using StepPrices = std::vector<std::vector<std::uint64_t>>;

// Returns the priced capacity of the resources in all these steps; nothing if it is more than 2^62.
std::optional<std::uint64_t> priced_capacity(const Resources& resources, const StepPrices& prices);

// Returns the priced demand: the sum of the prices of the wanted packets, each on its cheapest route in T steps.
// Returns nothing if a packet has no route, or the sum is more than 2^62. Cost: processors with wants x channels x T.
std::optional<std::uint64_t> priced_demand(const Fabric& fabric, const Resources& resources,
                                           const std::vector<PacketDemand>& wants, const StepPrices& prices,
                                           std::uint32_t T);

}  // namespace quadrille::bounds
