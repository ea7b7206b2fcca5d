// The resources of a fabric that prices can be put on (verifier/CERTIFICATES.md), and what prices come to.
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

// So many packets must come from one processor to another, each one by itself.
struct PacketDemand {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint64_t packets = 1;
};

// prices[resource][t - 1], in steps t = 1 … T.
using StepPrices = std::vector<std::vector<std::uint64_t>>;

// What the resources carry in all these steps, at these prices. Nothing if it passes 2^62.
std::optional<std::uint64_t> priced_capacity(const Resources& resources, const StepPrices& prices);

// What the wanted packets pay at least, each on its cheapest way in T steps. Nothing if there is no way for one, or the
// sum passes 2^62. Cost: processors with wants x channels x T.
std::optional<std::uint64_t> priced_demand(const Fabric& fabric, const Resources& resources,
                                           const std::vector<PacketDemand>& wants, const StepPrices& prices,
                                           std::uint32_t T);

}  // namespace quadrille::bounds
