// Broadcast: the root's message, in `parts` chunks, to everyone. MPI_Bcast.
//
//   broadcast:root=2 among 4      chunk 2->*, at 2 before; demands at 0, 1, 3
//
// Numbers: id = part; demand (part, d) = part·(n-1) + d'.
#include "model/collectives/numbers.h"

namespace quadrille::collectives {
namespace {

class Broadcast final : public CollectiveFamily {
 public:
  Broadcast()
      : CollectiveFamily({.name = "broadcast",
                          .summary = "the root's message to everyone",
                          .example = "broadcast:root=3",
                          .demand = DemandShape{.suppliers = DemandShape::Ends::root}}) {}

  std::optional<CollectiveKind> dual() const override { return CollectiveKind::reduce; }

  std::optional<CollectiveTerms> terms() const override {
    return CollectiveTerms{
        .for_everyone = true, .rules = {from_the_root()}, .demands = terms::processors() - 1, .origin = terms::root()};
  }

  std::optional<std::uint64_t> ids(const CollectiveDescription& it, std::uint64_t) const override { return it.parts; }

  void number(CollectiveNumbers& it) const override {
    it.demands = it.ids * it.others();
    it.unicast = it.others() <= 1;
  }

  std::optional<ChunkId> chunk(const CollectiveNumbers& it, const ChunkName& name) const override {
    if (!is_plausible(it, name, true) || name.origin != it.root()) return std::nullopt;
    return ChunkId(name.part);
  }

  std::optional<ChunkId> default_chunk(const CollectiveNumbers& it, std::uint32_t, std::optional<std::uint32_t>,
                                       std::uint32_t part) const override {
    return chunk(it, {it.description.root, std::nullopt, part});
  }

  ChunkName name(const CollectiveNumbers& it, ChunkId chunk) const override {
    return {it.description.root, std::nullopt, narrow(chunk.value)};
  }

  bool starts_at(const CollectiveNumbers& it, std::uint64_t, std::uint64_t processor) const override {
    return processor == it.root();
  }

  std::optional<std::uint64_t> demand(const CollectiveNumbers& it, std::uint64_t chunk,
                                      std::uint64_t processor) const override {
    if (processor == it.root()) return std::nullopt;
    return chunk * it.others() + without(processor, it.root());
  }

  std::pair<ChunkId, NodeId> demand_at(const CollectiveNumbers& it, std::uint64_t number) const override {
    const auto [chunk, other] = it.by_others.split(number);
    return pair(chunk, with(other, it.root()));
  }
};

}  // namespace

std::shared_ptr<const CollectiveFamily> broadcast() { return std::make_shared<Broadcast>(); }

}  // namespace quadrille::collectives
