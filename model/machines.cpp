#include "model/machines.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace quadrille {
namespace {

struct Link {
  std::uint32_t a;
  std::uint32_t b;
  std::uint32_t capacity;
};

constexpr std::array<Link, 16> dgx1_links{{{0, 1, 2},
                                           {0, 2, 1},
                                           {0, 3, 1},
                                           {0, 4, 2},
                                           {1, 2, 1},
                                           {1, 3, 2},
                                           {1, 5, 1},
                                           {2, 3, 2},
                                           {2, 6, 2},
                                           {3, 7, 1},
                                           {4, 5, 2},
                                           {4, 6, 1},
                                           {4, 7, 1},
                                           {5, 6, 1},
                                           {5, 7, 2},
                                           {6, 7, 2}}};

GraphShape dgx1() {
  GraphShape shape{8, {}, {}};
  for (const Link& link : dgx1_links) {
    shape.channels.push_back({NodeId{link.a}, NodeId{link.b}, link.capacity, 0});
    shape.channels.push_back({NodeId{link.b}, NodeId{link.a}, link.capacity, 0});
  }
  std::sort(shape.channels.begin(), shape.channels.end(),
            [](const Channel& a, const Channel& b) { return std::tie(a.from, a.to) < std::tie(b.from, b.to); });
  return shape;
}

}  // namespace

std::optional<GraphShape> machine(std::string_view name) {
  if (name == "dgx1") return dgx1();
  return std::nullopt;
}

std::optional<std::string> machine_name(const GraphShape& shape) {
  if (shape == dgx1()) return "dgx1";
  return std::nullopt;
}

}  // namespace quadrille
