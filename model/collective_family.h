// A family of collectives defines which processors must hold what before and after, and numbers packets and demands.
// A family that lists its chunks (ListedCollective) is a name and a list. The standard families compute their
// numbers, for tables of billions of rows.
//
// A linked program may add listed families only; Collective::make refuses others. The functions of a closed form
// could contradict each other (starts_at and demand_at, say), and the checker, which calls them, would say "holds" of
// a table that delivers nothing. The standard closed forms are tested against their definitions, name by name. Those
// of a list are computed from the list, by functions that cannot be overridden.
//
//   class Transpose final : public ListedCollective { … chunks(…): processor (i, j) sends to (j, i) … };
//   families.collectives.push_back(std::make_shared<Transpose>());
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "model/collective.h"
#include "model/terms/collective_terms.h"
#include "model/terms/divider.h"

namespace quadrille {

// A collective bound to n processors. Packets have ids 0 … ids-1, and demands have numbers 0 … demands-1.
struct CollectiveNumbers {
  CollectiveDescription description;
  std::uint32_t n = 1;
  std::uint32_t values = 0;         // combining
  std::uint64_t parts = 1;          // pieces per (origin, target): `parts`, or combining: `values`
  std::uint32_t message_parts = 1;  // chunks of the largest message; listed: number() finds it
  std::uint64_t ids = 0;
  std::uint64_t demands = 0;
  bool unicast = false;  // whether no chunk has more than one demand
  // Ids i with (i - unused_first) mod unused_period < unused_width are not used.
  std::uint64_t unused_first = 0;
  std::uint64_t unused_width = 0;
  std::uint64_t unused_period = ~std::uint64_t{0};
  Divider by_parts, by_n, by_row, by_others;  // parts, n, n·parts, n - 1
  std::optional<DemandShape> shape;           // with root and parts; listed: number() finds it
  // Listed: the demands of chunk c are numbers first_demand[c] … first_demand[c+1]-1, at wanted[number].
  std::vector<std::uint64_t> first_demand;
  std::vector<std::uint32_t> wanted;

  std::uint64_t root() const { return description.root; }
  std::uint64_t others() const { return n - 1; }
  bool unused(std::uint64_t id) const {
    return unused_width != 0 && id >= unused_first && (id - unused_first) % unused_period < unused_width;
  }
  bool has(ChunkId chunk) const { return chunk.value < ids && !unused(chunk.value); }
};

// Facts that are true of all collectives of a family.
struct CollectiveFacts {
  std::string name;                       // "total_exchange"
  std::vector<std::string> aliases = {};  // "alltoall"
  std::string summary;                    // "everyone sends a message of its own to everyone else"
  std::string example;                    // "total_exchange:parts=2"
  bool rooted = false;                    // takes `root`
  bool combining = false;                 // takes `ordered` and `idempotent`
  bool always_ordered = false;            // unless it is idempotent: without order it means nothing
  bool always_idempotent = false;         // and takes no argument
  bool listed = false;                    // by pre- and postcondition, chunk by chunk
  bool chunks_given = false;              // listed: the list is an argument
  // Not for listed families, whose lists determine it. It also determines `rooted` and `combining`.
  std::optional<DemandShape> demand = {};
};

// What is wrong with an argument of that name, whatever its value: "allreduce has no argument `root`; expected …".
// Empty if the family takes it. An operation's name (`ordered`) is an argument's, too.
std::string fault_of_argument(const CollectiveFacts& facts, std::string_view name);

class CollectiveFamily {
 public:
  using Contributions = std::pair<std::uint32_t, std::uint32_t>;  // first, last

  explicit CollectiveFamily(CollectiveFacts facts) : facts_(std::move(facts)) {
    if (facts_.demand)
      std::tie(facts_.rooted, facts_.combining) = std::pair(facts_.demand->rooted(), facts_.demand->combining());
  }
  CollectiveFamily(const CollectiveFamily&) = delete;
  CollectiveFamily& operator=(const CollectiveFamily&) = delete;
  virtual ~CollectiveFamily() = default;

  const CollectiveFacts& facts() const { return facts_; }

  // The collective that is this one time-reversed; nothing if there is none.
  virtual std::optional<CollectiveKind> dual() const { return std::nullopt; }

  // Terms by which the prover knows all collectives of the family at once, except those of several parts. Nothing:
  // the prover reports that it does not support the collective. If packets have targets, the terms of dual() are
  // these with source and target exchanged.
  virtual std::optional<CollectiveTerms> terms() const { return std::nullopt; }
  // The same for families that combine.
  virtual std::optional<ReductionTerms> reduction_terms() const { return std::nullopt; }

  // Completes a description (listed: its chunks) for n processors. Returns the error in it; empty if there is none.
  virtual std::string complete(CollectiveDescription&, std::uint32_t /*n*/) const { return {}; }

  // The number of pieces for one (origin, target).
  virtual std::uint64_t pieces(const CollectiveDescription& it, std::uint64_t /*n*/) const { return it.parts; }
  // The number of packet ids; nothing if it is above 2^62.
  virtual std::optional<std::uint64_t> ids(const CollectiveDescription& it, std::uint64_t n) const = 0;
  // Sets demands, unicast, the unused ids, and everything about lists. Requires that all else is set.
  virtual void number(CollectiveNumbers& it) const = 0;

  // The packet with this name; nothing if there is none. `default_chunk` is described at Collective::default_chunk.
  virtual std::optional<ChunkId> chunk(const CollectiveNumbers& it, const ChunkName& name) const = 0;
  virtual std::optional<ChunkId> default_chunk(const CollectiveNumbers& it, std::uint32_t source,
                                               std::optional<std::uint32_t> target, std::uint32_t part) const {
    return chunk(it, {source, target, part});
  }
  // Copying: the packet with the same role in dual(); nothing if that combines.
  virtual std::optional<ChunkId> dual_chunk(const CollectiveNumbers&, ChunkId) const { return std::nullopt; }
  // Requires chunk < ids.
  virtual ChunkName name(const CollectiveNumbers& it, ChunkId chunk) const = 0;

  // Requires processor < n and chunk < ids.
  virtual bool starts_at(const CollectiveNumbers& it, std::uint64_t chunk, std::uint64_t processor) const = 0;
  virtual std::optional<std::uint64_t> demand(const CollectiveNumbers& it, std::uint64_t chunk,
                                              std::uint64_t processor) const = 0;
  // Requires number < demands. Combining: (value, processor).
  virtual std::pair<ChunkId, NodeId> demand_at(const CollectiveNumbers& it, std::uint64_t number) const = 0;

  // Combining: the contributions that the processor must end with; nothing if it wants none.
  virtual std::optional<Contributions> wanted_contributions(const CollectiveNumbers&, std::uint32_t /*value*/,
                                                            std::uint32_t /*processor*/) const {
    return std::nullopt;
  }

 private:
  CollectiveFacts facts_;
};

// A copying collective whose chunks are listed one by one. Its cost in memory is that of the list.
class ListedCollective : public CollectiveFamily {
 public:
  // Sets the facts that a list cannot support: the family does not combine, is not ordered, and is not taken for
  // symmetric.
  explicit ListedCollective(CollectiveFacts facts);

  // The chunks among n processors: who holds each, and who wants it. They may have any order. Errors in the list
  // (processors that do not exist, a chunk that is listed twice or held by nobody) become errors of Collective::make.
  virtual std::vector<CustomChunk> chunks(const CollectiveDescription& it, std::uint32_t n) const = 0;

  std::optional<CollectiveKind> dual() const final { return std::nullopt; }
  std::string complete(CollectiveDescription& it, std::uint32_t n) const final;
  std::uint64_t pieces(const CollectiveDescription& it, std::uint64_t) const final { return it.parts; }
  std::optional<std::uint64_t> ids(const CollectiveDescription& it, std::uint64_t n) const final;
  void number(CollectiveNumbers& it) const final;
  std::optional<ChunkId> chunk(const CollectiveNumbers& it, const ChunkName& name) const final;
  std::optional<ChunkId> default_chunk(const CollectiveNumbers& it, std::uint32_t source,
                                       std::optional<std::uint32_t> target, std::uint32_t part) const final;
  std::optional<ChunkId> dual_chunk(const CollectiveNumbers&, ChunkId) const final { return std::nullopt; }
  ChunkName name(const CollectiveNumbers& it, ChunkId chunk) const final;
  bool starts_at(const CollectiveNumbers& it, std::uint64_t chunk, std::uint64_t processor) const final;
  std::optional<std::uint64_t> demand(const CollectiveNumbers& it, std::uint64_t chunk,
                                      std::uint64_t processor) const final;
  std::pair<ChunkId, NodeId> demand_at(const CollectiveNumbers& it, std::uint64_t number) const final;
  std::optional<Contributions> wanted_contributions(const CollectiveNumbers&, std::uint32_t,
                                                    std::uint32_t) const final {
    return std::nullopt;
  }
};

}  // namespace quadrille
