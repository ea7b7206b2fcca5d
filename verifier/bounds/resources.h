// The resources of a fabric that can have prices (verifier/CERTIFICATES.md), and the priced capacity and demand.
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
  NodeId from;  // of the channel; of a port: the processor, twice; of `pairs`: processor 0, twice
  NodeId to;
};

// Every resource of the fabric, and for each channel the resources that one of its rows uses.
struct Resources {
  explicit Resources(const Fabric& fabric);
  std::vector<Resource> all;
  std::vector<std::vector<std::uint32_t>> used_by;  // [channel]
};

// A number of packets that must come from one processor to another, each separately.
struct PacketDemand {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint64_t packets = 1;
};

// prices[resource][t - 1], in steps t = 1 … T.
using StepPrices = std::vector<std::vector<std::uint64_t>>;

// The capacity of all resources in all these steps, at these prices. Nothing if it is more than 2^62.
std::optional<std::uint64_t> priced_capacity(const Resources& resources, const StepPrices& prices);

// The least price of all wanted packets, each on its cheapest path in T steps. Nothing if one has no path, or if the
// sum is more than 2^62. Cost: processors with wants x channels x T.
std::optional<std::uint64_t> priced_demand(const Fabric& fabric, const Resources& resources,
                                           const std::vector<PacketDemand>& wants, const StepPrices& prices,
                                           std::uint32_t T);

}  // namespace quadrille::bounds
