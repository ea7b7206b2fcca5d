// CombiningSetting says which packets of a combining collective can be of use, where and when, and with which
// contributions. It is computed before anything is solved.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/watch.h"

namespace quadrille::searching {

// A packet: the partial reduction of `value` that `origin` sends to `target`.
struct CombiningPacket {
  std::uint32_t origin = 0;
  std::uint32_t target = 0;
  std::uint32_t value = 0;
  ChunkId chunk = {};
};

class CombiningSetting {
 public:
  // Keeps references. Cost: one search through the fabric for each node, and a packet for each pair of processors and
  // value. Requires a combining collective.
  CombiningSetting(const Fabric& fabric, const Collective& collective, Watch* watch = nullptr);

  static constexpr std::uint32_t far = std::numeric_limits<std::uint32_t>::max() / 4;

  const Fabric& fabric() const { return fabric_; }
  const Collective& collective() const { return collective_; }
  const std::vector<CombiningPacket>& names() const { return names_; }

  // Hops from one node to another; `far` where there is no path.
  std::uint32_t hops(std::uint32_t from, std::uint32_t to) const { return hops_[from * fabric_.nodes() + to]; }
  // Hops from a processor to the nearest one that wants the value. A contribution that the processor gets within the
  // last so many steps is of no use.
  std::uint32_t reach(std::uint32_t value, std::uint32_t processor) const {
    return reach_[value * fabric_.processors() + processor];
  }
  // Whether the processor may hold the contribution. It may not if it wants the value without this contribution.
  bool may_hold(std::uint32_t value, std::uint32_t processor, std::uint32_t contribution) const;
  // Whether the packet may bring the contribution to its target and be of use there.
  bool may_carry(const CombiningPacket& name, std::uint32_t contribution) const {
    return may_hold(name.value, name.origin, contribution) && may_hold(name.value, name.target, contribution);
  }
  // Whether the packet may leave `channel.from`, and come to `channel.to`, by this channel. It may not enter its
  // origin, which always sends what it holds, nor leave its target, where it ends.
  bool may_cross(const CombiningPacket& name, const Channel& channel) const {
    return channel.from.value != name.target && channel.to.value != name.origin;
  }
  // The first step in which the packet can leave `node`, and the last step, of T, in which it can reach `node` and be
  // of use; the latter may be less than 0.
  std::uint32_t first_leaving(const CombiningPacket& name, std::uint32_t node) const {
    return hops(name.origin, node) + 1;
  }
  std::int64_t last_reaching(const CombiningPacket& name, std::uint32_t node, std::uint32_t T) const {
    return std::int64_t{T} - hops(node, name.target) - reach(name.value, name.target);
  }

  // The approximate number of variables in the formula of T steps (combining_formula.h).
  std::uint64_t variables(std::uint32_t T) const;

 private:
  const Fabric& fabric_;
  const Collective& collective_;
  std::vector<std::uint32_t> hops_;
  std::vector<std::uint32_t> reach_;
  std::vector<CombiningPacket> names_;
};

// Whether a CombiningSetting of these arguments takes no more than a moment and some hundred megabytes.
bool has_combining_setting(const Fabric& fabric, const Collective& collective);

}  // namespace quadrille::searching
