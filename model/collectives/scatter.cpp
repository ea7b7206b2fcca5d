// Scatter: the root has a message for each of the others. MPI_Scatter.
//
//   scatter:root=0 among 3      chunks 0->1 and 0->2, at 0 before; 0->1 at 1 after, 0->2 at 2
//
// Numbers: id = target·parts + part, those of the root are not used; one demand a chunk, counted without the root.
#include "model/collectives/numbers.h"

namespace quadrille::collectives {
namespace {

class Scatter final : public CollectiveFamily {
 public:
  Scatter()
      : CollectiveFamily({.name = "scatter",
                          .summary = "the root has a message for each of the others",
                          .example = "scatter:root=3",
                          .demand = DemandShape{.suppliers = DemandShape::Ends::root, .unit_per_wanter = true}}) {}

  std::optional<CollectiveKind> dual() const override { return CollectiveKind::gather; }

  std::optional<CollectiveTerms> terms() const override {
    return CollectiveTerms{.rules = {from_the_root()}, .demands = terms::processors() - 1};
  }

  std::optional<std::uint64_t> ids(const CollectiveDescription& it, std::uint64_t n) const override {
    return product(n, it.parts);
  }

  void number(CollectiveNumbers& it) const override {
    it.demands = it.others() * it.parts;
    it.unicast = true;
    it.unused_first = it.root() * it.parts;
    it.unused_width = it.parts;
  }

  std::optional<ChunkId> chunk(const CollectiveNumbers& it, const ChunkName& name) const override {
    if (!is_plausible(it, name, false) || name.origin != it.root()) return std::nullopt;
    return ChunkId(*name.target * it.parts + name.part);
  }

  std::optional<ChunkId> dual_chunk(const CollectiveNumbers& it, ChunkId chunk) const override {
    return it.has(chunk) ? std::optional(chunk) : std::nullopt;  // the other end's number
  }

  ChunkName name(const CollectiveNumbers& it, ChunkId chunk) const override {
    const auto [target, part] = it.by_parts.split(chunk.value);
    return {it.description.root, narrow(target), narrow(part)};
  }

  bool starts_at(const CollectiveNumbers& it, std::uint64_t chunk, std::uint64_t processor) const override {
    return processor == it.root() && !it.unused(chunk);
  }

  std::optional<std::uint64_t> demand(const CollectiveNumbers& it, std::uint64_t chunk,
                                      std::uint64_t processor) const override {
    if (processor == it.root() || chunk - processor * it.parts >= it.parts) return std::nullopt;
    return chunk - (processor > it.root() ? it.parts : 0);
  }

  std::pair<ChunkId, NodeId> demand_at(const CollectiveNumbers& it, std::uint64_t number) const override {
    const std::uint64_t target = with(it.by_parts.quotient(number), it.root());
    return pair(number + (target > it.root() ? it.parts : 0), target);
  }
};

}  // namespace

std::shared_ptr<const CollectiveFamily> scatter() { return std::make_shared<Scatter>(); }

}  // namespace quadrille::collectives
