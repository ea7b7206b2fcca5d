// What every formula says of the fabric's rules: constraints 7 to 10 of verifier/FORMULA.md.
#pragma once

#include <cstdint>
#include <functional>

#include "model/fabric.h"
#include "verifier/certificate/formulas/writer.h"

namespace quadrille::certificate {

// What moves: chunks, or packets, in their order.
struct TrafficLiterals {
  std::function<Literals(ChannelId, std::uint32_t step)> crosses;        // the channel, in this step
  std::function<Literals(std::uint32_t node, std::uint32_t step)> held;  // those that this switch buffers in this step
};

void write_rules(const Fabric& fabric, std::uint32_t T, const TrafficLiterals& traffic, Writer& writer);

}  // namespace quadrille::certificate
