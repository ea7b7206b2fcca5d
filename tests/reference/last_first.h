// A routing policy for tests, simple enough to be followed by hand: of the useful wires the last that is free.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "runtime/router/routing_policy.h"

namespace quadrille::reference {

class LastFirst final : public RoutingPolicy {
 public:
  std::string_view name() const override { return "last_first"; }
  std::string_view purpose() const override { return "the last useful wire that is free"; }
  std::optional<std::size_t> choose(std::span<const UsefulWire> useful, RandomNumbers&) const override {
    for (std::size_t i = useful.size(); i-- > 0;) {
      if (useful[i].free) return i;
    }
    return std::nullopt;
  }
};

}  // namespace quadrille::reference
