// The common part of combining collectives: a packet (origin, target, part) carries origin's partial reduction of
// value `part` to target, for any two processors. Numbers: id = (origin·n + target)·values + part; the diagonal is
// not used.
#pragma once

#include "model/collectives/numbers.h"

namespace quadrille::collectives {

class Combining : public CollectiveFamily {
 public:
  using CollectiveFamily::CollectiveFamily;

  std::optional<std::uint64_t> ids(const CollectiveDescription& it, std::uint64_t n) const override;
  void number(CollectiveNumbers& it) const override;
  std::optional<ChunkId> chunk(const CollectiveNumbers& it, const ChunkName& name) const override;
  ChunkName name(const CollectiveNumbers& it, ChunkId chunk) const override;
  bool starts_at(const CollectiveNumbers& it, std::uint64_t chunk, std::uint64_t processor) const override;
  std::optional<std::uint64_t> demand(const CollectiveNumbers& it, std::uint64_t chunk,
                                      std::uint64_t processor) const override;
  std::pair<ChunkId, NodeId> demand_at(const CollectiveNumbers& it, std::uint64_t number) const override;
  std::optional<Contributions> wanted_contributions(const CollectiveNumbers& it, std::uint32_t value,
                                                    std::uint32_t processor) const override;

 protected:
  // The number of demands; and the number of (value, processor), if it is a demand. Requires value < values and
  // processor < n. By default every processor wants every value: demand = value·n + processor (allreduce, prefix).
  virtual std::uint64_t count(const CollectiveNumbers& it) const { return std::uint64_t{it.values} * it.n; }
  virtual std::optional<std::uint64_t> value_demand(const CollectiveNumbers& it, std::uint32_t value,
                                                    std::uint32_t processor) const {
    return std::uint64_t{value} * it.n + processor;
  }
};

}  // namespace quadrille::collectives
