#pragma once

#include "model/topology.h"

namespace quadrille {

// The product of fabrics without switches. A node is a tuple of one node of each factor; (a, b) has the number a·|B|
// + b. A link changes one component along a link of its factor. So products of rings are tori, and products of lines
// meshes.
class Product final : public Topology {
 public:
  // Requires two factors or more, without switches. Their rules do not count.
  explicit Product(std::vector<Fabric> factors) : factors_(std::move(factors)) {}

  const std::vector<Fabric>& factors() const { return factors_; }

  std::string_view family() const override { return "product"; }
  std::vector<TopologyArgument> arguments() const override;
  std::optional<WiringSize> size() const override;
  std::string title() const override;
  Result<Wiring> wiring(Span where) const override;
  std::shared_ptr<const Routes> routes(const Fabric& fabric) const override;
  bool shortest_by_default() const override;  // its routes go one factor after another
  bool processors_alike() const override;
  std::vector<LinkSpeed> link_speeds(const Fabric& fabric) const override;
  std::vector<std::uint32_t> shifts() const override;
  std::optional<std::vector<std::uint32_t>> hamiltonian_cycle() const override;
  std::vector<NodePosition> positions(const Fabric& fabric) const override;
  std::vector<CutFamily> cuts(const Fabric& fabric) const override;

 private:
  std::vector<Fabric> factors_;
};

}  // namespace quadrille
