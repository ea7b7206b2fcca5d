// Numbers of different kinds, each with a type of its own, so that they cannot be mixed up.
#pragma once

#include <fmt/core.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ostream>

namespace quadrille {

// A number that names one thing of the kind `Tag`. Ids of different kinds neither convert nor compare.
template <class Tag, class Number>
struct Id {
  using number_type = Number;
  Number value{};

  constexpr Id() = default;
  constexpr explicit Id(Number number) : value(number) {}
  constexpr auto operator<=>(const Id&) const = default;
};

// As its number, as below for fmt.
template <class Tag, class Number>
std::ostream& operator<<(std::ostream& out, Id<Tag, Number> id) {
  return out << id.value;
}

using NodeId = Id<struct NodeTag, std::uint32_t>;        // processors first (0 … n-1), then switches
using ChannelId = Id<struct ChannelTag, std::uint32_t>;  // a directed channel of a fabric, from 0
using LaneId = Id<struct LaneTag, std::uint32_t>;        // a lane within its channel, 0 … capacity-1
using StepId = Id<struct StepTag, std::uint32_t>;        // a time step, from 1; 0 means "before the first step"
using MessageId = Id<struct MessageTag, std::uint32_t>;  // a message within its round
using ChunkId = Id<struct ChunkTag, std::uint64_t>;      // a packet label of a collective, from 0 (collective.h)

// The largest step that any table may have.
inline constexpr std::uint32_t max_step = 0x7fffffff;

}  // namespace quadrille

template <class Tag, class Number>
struct fmt::formatter<quadrille::Id<Tag, Number>> : fmt::formatter<Number> {
  template <class Context>
  auto format(quadrille::Id<Tag, Number> id, Context& context) const {
    return fmt::formatter<Number>::format(id.value, context);
  }
};

template <class Tag, class Number>
struct std::hash<quadrille::Id<Tag, Number>> {
  std::size_t operator()(quadrille::Id<Tag, Number> id) const noexcept { return std::hash<Number>{}(id.value); }
};
