// The packets of use of a combining collective, and what arrives where: "The question" of
// verifier/COMBINING_FORMULA.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/work.h"

namespace quadrille::certificate {

// The partial reduction of value x that processor o sends to processor g.
struct Packet {
  std::uint32_t o = 0;
  std::uint32_t g = 0;
  std::uint32_t x = 0;
};

// What comes over channel e to its end: one of these packets, by their index among those of use.
struct ChannelArrival {
  ChannelId e;
  std::vector<std::size_t> packets;
};

class Packets {
 public:
  // Nothing if there are too many, for so many steps. Keeps references to fabric and collective. Requires a combining
  // collective. Throws Ended.
  static std::optional<Packets> find(const Fabric& fabric, const Collective& collective, std::uint32_t T, Work& work);

  const std::vector<Packet>& of_use() const { return of_use_; }

  // Hops from u to v; from p to the nearest processor that wants value x. `far` where there is no way.
  std::int64_t d(std::uint32_t u, std::uint32_t v) const { return distances_[u][v]; }
  std::int64_t r(std::uint32_t x, std::uint32_t p) const { return remaining_[x][p]; }

  bool may_hold(std::uint32_t x, std::uint32_t p, std::uint32_t k) const;
  bool can_cross(const Packet& c, ChannelId e) const;

  // What arrives at processor p with value x.
  std::vector<ChannelArrival> arrivals(std::uint32_t x, std::uint32_t p) const;

 private:
  Packets(const Fabric& fabric, const Collective& collective, Work& work);

  const Fabric& fabric_;
  const Collective& collective_;
  std::vector<std::vector<std::uint32_t>> distances_;
  std::vector<std::vector<std::uint32_t>> remaining_;
  std::vector<Packet> of_use_;
  std::vector<std::vector<std::size_t>> to_;  // [x · n + g]: packets of use
};

}  // namespace quadrille::certificate
