#pragma once

#include "model/layout/positions.h"
#include "model/topology.h"

namespace quadrille {

// Every processor is linked to every other.
class Complete final : public Topology {
 public:
  explicit Complete(std::uint32_t processors, std::uint32_t capacity = 1)
      : processors_(processors), capacity_(capacity) {}

  std::string_view family() const override { return "complete"; }
  std::vector<TopologyArgument> arguments() const override;
  std::optional<WiringSize> size() const override;
  Result<Wiring> wiring(Span where) const override;
  bool shortest_by_default() const override { return true; }
  bool processors_alike() const override { return true; }
  std::vector<std::uint32_t> shifts() const override { return {processors_}; }
  std::optional<std::vector<std::uint32_t>> hamiltonian_cycle() const override;
  std::vector<NodePosition> positions(const Fabric&) const override { return layout::circle(processors_); }
  std::optional<std::vector<Symmetry>> symmetries(const Fabric& fabric) const override;

 private:
  std::uint32_t processors_;
  std::uint32_t capacity_;
};

}  // namespace quadrille
