// Routing policies choose the wire that a message takes next. A new policy is a small class and an entry in a list
// (driver/inputs/world.h):
//
//   class LastFirst final : public RoutingPolicy {
//     std::string_view name() const override { return "last_first"; }
//     std::string_view purpose() const override { return "the last useful wire that is free"; }
//     std::optional<std::size_t> choose(std::span<const UsefulWire> useful, RandomNumbers&) const override {
//       for (std::size_t i = useful.size(); i-- > 0;) if (useful[i].free) return i;
//       return std::nullopt;
//     }
//   };
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace quadrille {

// Pseudorandom numbers that depend only on the seed, on every machine: Steele, Lea, Flood, Fast splittable
// pseudorandom number generators (2014), SplitMix64.
class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t value = state_ += 0x9e3779b97f4a7c15;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
  }

  // A number 0 … count-1; all are equally likely, up to count/2^32. Requires 0 < count.
  std::uint32_t below(std::uint32_t count) {
    return static_cast<std::uint32_t>(((next() >> 32) * std::uint64_t{count}) >> 32);
  }

 private:
  std::uint64_t state_;
};

// A wire out of a router that brings the message nearer to its target.
struct UsefulWire {
  std::uint32_t number;  // for a hypercube the dimension; elsewhere by the router at the other end, ascending
  bool free;             // whether it can carry one more message in this cycle
};

class RoutingPolicy {
 public:
  virtual ~RoutingPolicy() = default;

  virtual std::string_view name() const = 0;     // "useful_dimension"
  virtual std::string_view purpose() const = 0;  // in a line

  // The index of the useful wire that the message takes. If it is nothing, or a wire that is not free, the message
  // waits. Called for one message after the other, the oldest first, and only if a useful wire is free. Several
  // threads may call it, with random numbers of their own.
  virtual std::optional<std::size_t> choose(std::span<const UsefulWire> useful, RandomNumbers& random) const = 0;
};

using PolicyList = std::vector<std::shared_ptr<const RoutingPolicy>>;

// useful_dimension, dimension_order, random_order.
PolicyList standard_policies();

}  // namespace quadrille
