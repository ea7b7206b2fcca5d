// From a shape to the nodes and channels that it stands for. Only fabric.cpp needs this.
#pragma once

#include <cstdint>
#include <vector>

#include "model/fabric.h"

namespace quadrille {

struct Wiring {
  std::uint32_t processors = 0;
  std::uint32_t nodes = 0;
  std::vector<Channel> channels;            // by (from, to) ascending; with every channel also its reverse
  std::vector<std::uint32_t> level_starts;  // trees and stars: first node of level 0, 1, …, then `nodes`; else empty
};

// The layout of a shape, or what is wrong with it. Shapes beyond max_fabric_size are refused without being tried.
Result<Wiring> lay_out(const Shape& shape, Span where);

// The layout of a graph, the one shape that is given channel by channel.
Result<Wiring> lay_out_graph(const GraphShape& shape, Span where);

// "… is too large; a fabric has at most 2^26 nodes and 2^26 channels".
Diagnostic too_large(Span where, const std::string& what);

}  // namespace quadrille
