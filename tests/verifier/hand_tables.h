// Tables written by hand, hop by hop, for the checker's tests.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "model/send_table.h"
#include "model/topologies/fat_tree.h"

namespace quadrille::tests {

struct Hop {
  std::uint32_t step;
  std::string_view from;
  std::string_view to;
  ChunkName chunk;
  std::uint32_t lane = 0;
};

inline Fabric binary_tree(std::vector<std::uint32_t> capacities, Rules rules = {}) {
  return Fabric::make(FatTree(2, std::move(capacities)), rules).value();
}

inline Collective collective(CollectiveKind kind, std::uint32_t processors, std::uint32_t root = 0) {
  return Collective::make({.kind = kind, .root = root, .chunks = {}}, processors).value();
}

inline StoredRows::StepRow step_row(const Fabric& fabric, const Collective& collective, const Hop& hop) {
  const NodeId from = *fabric.node_named(hop.from);
  const NodeId to = *fabric.node_named(hop.to);
  return {StepId{hop.step}, Row{*fabric.channel_between(from, to), LaneId{hop.lane}, *collective.chunk(hop.chunk)}};
}

inline SendTable table_of(Fabric fabric, Collective collective, std::initializer_list<Hop> hops) {
  std::vector<StoredRows::StepRow> rows;
  for (const Hop& hop : hops) rows.push_back(step_row(fabric, collective, hop));
  return {std::move(fabric), std::move(collective), "by hand", {}, std::make_shared<StoredRows>(std::move(rows))};
}

}  // namespace quadrille::tests
