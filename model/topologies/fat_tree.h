#pragma once

#include "model/topology.h"

namespace quadrille {

// A complete tree with arity^levels processors as leaves (model/topologies/tree.h draws one); capacities[i-1] lanes
// between levels i-1 and i, each direction, not decreasing.
class FatTree final : public Topology {
 public:
  FatTree(std::uint32_t arity, std::vector<std::uint32_t> capacities) : tree_{arity, std::move(capacities)} {}

  std::string_view family() const override { return "fat_tree"; }
  std::vector<TopologyArgument> arguments() const override;
  std::optional<WiringSize> size() const override;
  Result<Wiring> wiring(Span where) const override;
  std::shared_ptr<const Routes> routes(const Fabric& fabric) const override;
  bool shortest_by_default() const override { return true; }
  const CompleteTree* tree() const override { return &tree_; }
  bool processors_alike() const override { return true; }
  std::vector<std::uint32_t> shifts() const override;
  std::vector<CutFamily> cuts(const Fabric& fabric) const override;
  std::optional<std::vector<Symmetry>> symmetries(const Fabric& fabric) const override;

 private:
  CompleteTree tree_;
};

}  // namespace quadrille
