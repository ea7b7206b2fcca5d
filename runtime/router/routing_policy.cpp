// The three policies that Quadrille knows. For example, a message from 000 to 101 of a hypercube finds dimensions 0
// and 2 useful, and wire 0 is taken:
//
//   useful_dimension  takes wire 2
//   dimension_order   waits for wire 0
//   random_order      draws one of the two: takes wire 2, or waits and draws again in the next cycle
//
// Source of the first: Stanfill, Communications Architecture in the Connection Machine System (1987), §4.2.
#include "runtime/router/routing_policy.h"

namespace quadrille {
namespace {

class UsefulDimension final : public RoutingPolicy {
 public:
  std::string_view name() const override { return "useful_dimension"; }
  std::string_view purpose() const override { return "any useful wire that is free, the first of them"; }
  std::optional<std::size_t> choose(std::span<const UsefulWire> useful, RandomNumbers&) const override {
    for (std::size_t i = 0; i < useful.size(); ++i) {
      if (useful[i].free) return i;
    }
    return std::nullopt;
  }
};

class DimensionOrder final : public RoutingPolicy {
 public:
  std::string_view name() const override { return "dimension_order"; }
  std::string_view purpose() const override { return "the first useful wire, even where it has to wait for it"; }
  std::optional<std::size_t> choose(std::span<const UsefulWire>, RandomNumbers&) const override { return 0; }
};

class RandomOrder final : public RoutingPolicy {
 public:
  std::string_view name() const override { return "random_order"; }
  std::string_view purpose() const override {
    return "a useful wire drawn at random, anew in each cycle that it waits";
  }
  std::optional<std::size_t> choose(std::span<const UsefulWire> useful, RandomNumbers& random) const override {
    return random.below(static_cast<std::uint32_t>(useful.size()));
  }
};

}  // namespace

PolicyList standard_policies() {
  return {std::make_shared<const UsefulDimension>(), std::make_shared<const DimensionOrder>(),
          std::make_shared<const RandomOrder>()};
}

}  // namespace quadrille
