#pragma once

#include "model/topology.h"

namespace quadrille {

// Every processor is linked to one switch (1.0): a complete tree of one level.
class Star final : public Topology {
 public:
  explicit Star(std::uint32_t processors, std::uint32_t capacity = 1) : tree_{processors, {capacity}} {}

  std::string_view family() const override { return "star"; }
  std::vector<TopologyArgument> arguments() const override;
  std::optional<WiringSize> size() const override;
  Result<Wiring> wiring(Span where) const override;
  std::shared_ptr<const Routes> routes(const Fabric& fabric) const override;
  bool shortest_by_default() const override { return true; }
  const CompleteTree* tree() const override { return &tree_; }
  bool processors_alike() const override { return true; }
  std::vector<std::uint32_t> shifts() const override { return {tree_.arity}; }
  std::vector<CutFamily> cuts(const Fabric& fabric) const override;
  std::optional<std::vector<Symmetry>> symmetries(const Fabric& fabric) const override;

 private:
  CompleteTree tree_;
};

}  // namespace quadrille
