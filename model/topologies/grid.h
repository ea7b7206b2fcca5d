#pragma once

#include "model/topology.h"

namespace quadrille {

// Processors are the points of a grid; the last coordinate varies fastest: (x0, x1) is x0·extents[1] + x1. Rings and
// tori close every dimension of three or more points to a ring; lines, meshes and hypercubes do not. A hypercube's
// extents are 2,2,…,2; ring and line have one dimension. A dimension of two points has one link, and one of one point
// has none.
class Grid final : public Topology {
 public:
  // `kind` is ring, line, mesh, torus or hypercube.
  Grid(std::string kind, std::vector<std::uint32_t> extents, std::uint32_t capacity = 1);

  const std::vector<std::uint32_t>& extents() const { return extents_; }
  bool wraps() const { return wraps_; }

  std::string_view family() const override { return kind_; }
  std::vector<TopologyArgument> arguments() const override;
  std::optional<WiringSize> size() const override;
  Result<Wiring> wiring(Span where) const override;
  std::shared_ptr<const Routes> routes(const Fabric& fabric) const override;
  bool shortest_by_default() const override { return true; }
  bool processors_alike() const override;
  std::vector<std::uint32_t> shifts() const override;
  std::vector<std::uint32_t> dimensions() const override { return extents_; }
  std::optional<std::vector<std::uint32_t>> hamiltonian_cycle() const override;
  std::vector<NodePosition> positions(const Fabric& fabric) const override;
  std::vector<CutFamily> cuts(const Fabric& fabric) const override;
  std::optional<std::vector<Symmetry>> symmetries(const Fabric& fabric) const override;

 private:
  std::optional<Diagnostic> fault(Span where) const;
  Diagnostic refused(Span where) const;

  std::string kind_;
  std::vector<std::uint32_t> extents_;
  bool wraps_;
  std::uint32_t capacity_;
};

}  // namespace quadrille
