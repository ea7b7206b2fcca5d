// Collective: what must be where before and after; and the names of the packets that a table moves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/demand_shape.h"
#include "model/ids.h"
#include "model/standard_families.h"
#include "model/text/result.h"

namespace quadrille {

// How a row names its packet: columns origin, target, part. No target is `*`, "for everyone".
// Copying collectives: the chunk that `origin` held at the start, meant for `target`.
// Combining collectives: the partial reduction of value `part` that processor `origin` sends to processor `target`.
struct ChunkName {
  std::uint32_t origin = 0;
  std::optional<std::uint32_t> target;
  std::uint32_t part = 0;
  bool operator==(const ChunkName&) const = default;
  auto operator<=>(const ChunkName&) const = default;
};

// "3->5", "3->*".
std::string to_string(const ChunkName& name);

// What is known of a combining operation, besides that it is associative.
enum class Operation : std::uint8_t {
  commutative,  // a + b = b + a: contributions are joined in any order, each once
  ordered,      // not so: contributions are joined with their neighbours only
  idempotent    // commutative, and a + a = a: a contribution may come again (maximum, minimum, and, or)
};
std::string_view to_string(Operation operation);
// That of the name; nothing for an unknown one.
std::optional<Operation> operation_named(std::string_view name);

class CollectiveFamily;  // model/collective_family.h
struct CollectiveFacts;
struct CollectiveNumbers;

// Which collective: one of those that Quadrille knows by itself, or a family that a linked program brings along.
class CollectiveKind {
 public:
  enum class Known : std::uint8_t {
    broadcast,
    scatter,
    gather,
    allgather,
    total_exchange,  // copying
    reduce,
    reduce_scatter,
    allreduce,
    prefix,
    exclusive_prefix,
    barrier,  // combining
    custom,   // copying, by pre- and postcondition
    linked    // neither of these
  };

  static const CollectiveKind broadcast, scatter, gather, allgather, total_exchange;
  static const CollectiveKind reduce, reduce_scatter, allreduce, prefix, exclusive_prefix, barrier, custom;

  constexpr CollectiveKind() = default;  // broadcast
  constexpr explicit CollectiveKind(Known known) : known_(known) {}
  // Keeps a pointer: the family must live as long as there are collectives of it.
  explicit CollectiveKind(const CollectiveFamily& family);

  const CollectiveFamily& family() const;
  const CollectiveFacts& facts() const;  // of the family: its names, whether it has a root, combines, …

  constexpr operator Known() const { return known_; }  // for `switch`
  constexpr bool operator==(const CollectiveKind&) const = default;

 private:
  Known known_ = Known::broadcast;
  const CollectiveFamily* linked_ = nullptr;
};

inline constexpr CollectiveKind CollectiveKind::broadcast{Known::broadcast};
inline constexpr CollectiveKind CollectiveKind::scatter{Known::scatter};
inline constexpr CollectiveKind CollectiveKind::gather{Known::gather};
inline constexpr CollectiveKind CollectiveKind::allgather{Known::allgather};
inline constexpr CollectiveKind CollectiveKind::total_exchange{Known::total_exchange};
inline constexpr CollectiveKind CollectiveKind::reduce{Known::reduce};
inline constexpr CollectiveKind CollectiveKind::reduce_scatter{Known::reduce_scatter};
inline constexpr CollectiveKind CollectiveKind::allreduce{Known::allreduce};
inline constexpr CollectiveKind CollectiveKind::prefix{Known::prefix};
inline constexpr CollectiveKind CollectiveKind::exclusive_prefix{Known::exclusive_prefix};
inline constexpr CollectiveKind CollectiveKind::barrier{Known::barrier};
inline constexpr CollectiveKind CollectiveKind::custom{Known::custom};

// One chunk of a collective that lists them: who holds it before, who must have it after.
struct CustomChunk {
  ChunkName name;
  std::vector<std::uint32_t> held_by;
  std::vector<std::uint32_t> wanted_by;
};

// A collective's description before it is bound to a number of processors.
struct CollectiveDescription {
  CollectiveKind kind;
  std::uint32_t root = 0;   // of rooted collectives
  std::uint32_t parts = 1;  // pieces per message (combining: values per processor); at least 1
  // Combining. Prefixes: never commutative, but ordered instead; barrier: always idempotent.
  Operation operation = Operation::commutative;
  std::vector<CustomChunk> chunks;  // custom; other listed collectives fill them in
};

// Immutable; copying is cheap.
//
// Copying collectives speak of chunks; a demand is a pair (chunk, processor) that must hold at the end and does not at
// the beginning. Demands are numbered 0 … demands()-1.
//
// Combining collectives speak of values 0 … values()-1. Processor p begins with its own contribution {p} to every
// value. A partial reduction is known by its contribution set (ordered: an interval). A packet (origin, target, part)
// carries origin's current partial reduction of value `part`; when it reaches processor `target` it is joined to what
// target holds, if the two sets are disjoint (ordered: and the join is an interval); it replaces that, if it contains
// all of it; anything else counts a contribution twice, which is an error (idempotent: all are united). Demands are
// pairs (value, processor): the contributions that must be there.
class Collective {
 public:
  // Binds a description to n processors, or says what is wrong (root >= n, no parts, more than 2^62 packet names, …).
  static Result<Collective> make(CollectiveDescription description, std::uint32_t processors, Span where = {});

  CollectiveKind kind() const;
  const CollectiveDescription& description() const;
  std::uint32_t processors() const;
  bool rooted() const;          // it has a root, description().root
  bool combining() const;       // else it copies
  Operation operation() const;  // combining only
  bool ordered() const { return operation() == Operation::ordered; }
  bool idempotent() const { return operation() == Operation::idempotent; }
  bool listed() const;     // by pre- and postcondition, chunk by chunk: description().chunks
  bool symmetric() const;  // any permutation of the processors maps it to itself
  // What it asks for; nothing of a list that follows no standard collective's.
  const std::optional<DemandShape>& shape() const;

  // --- packet names; ids are 0 … chunk_ids()-1, though not every id need be used -------------------------------
  std::uint64_t chunk_ids() const;
  std::optional<ChunkId> chunk(const ChunkName& name) const;  // nothing if the collective has no such packet
  ChunkName name(ChunkId chunk) const;                        // requires chunk < chunk_ids()
  bool has(ChunkId chunk) const;                              // whether the id is some packet's
  // The index of the first of these ids that is no packet's; chunks.size() if there is none. For many ids at once.
  std::size_t first_unknown(std::span<const ChunkId> chunks) const;
  std::string label(ChunkId chunk) const;  // "3->5", "3->*", "3->5 part 1"

  // What `send source -> target` carries when the schedule does not say (target: nothing for a multicast): total
  // exchange and combining (source, target); scatter (root, target) from the root; gather (source, root); broadcast
  // (root, *); allgather (source, *); listed ones (source, target), or else (source, *). Nothing where that is not a
  // packet of the collective (then the file must say).
  std::optional<ChunkId> default_chunk(std::uint32_t source, std::optional<std::uint32_t> target,
                                       std::uint32_t part) const;

  // The packet that plays this one's part when the collective is reversed in time (dual()).
  // Nothing where it depends on the hop, too (broadcast and reduce, allgather and reduce_scatter).
  std::optional<ChunkId> dual_chunk(ChunkId chunk) const;
  // scatter <-> gather, broadcast <-> reduce, allgather <-> reduce_scatter, total exchange <-> itself; nothing for
  // others.
  static std::optional<CollectiveKind> dual(CollectiveKind kind);

  // --- copying --------------------------------------------------------------------------------------------------
  bool starts_at(ChunkId chunk, NodeId processor) const;
  std::uint64_t demands() const;
  std::optional<std::uint64_t> demand(ChunkId chunk, NodeId processor) const;  // its number, if it is one
  std::pair<ChunkId, NodeId> demand_at(std::uint64_t number) const;            // combining: (value, processor)
  bool unicast() const;                                                        // no chunk has more than one demand

  // --- combining ------------------------------------------------------------------------------------------------
  std::uint32_t values() const;
  std::uint32_t value_of(ChunkId packet) const;  // the packet's `part`
  // The contributions first … last that `processor` must end with in this value; nothing if none is asked of it.
  std::optional<std::pair<std::uint32_t, std::uint32_t>> wanted_contributions(std::uint32_t value,
                                                                              NodeId processor) const;

  // What a processor wants leaves out what it contributes, so that it keeps a word for each.
  bool leaves_own_out() const { return shape() && shape()->leaves_own_out(); }

  // Whether several processors end with the same contributions of one value, so that their results can differ in how
  // these have been joined (model/MODEL.md, Agreement): not where the operation is idempotent.
  bool results_can_differ() const;

  // The notation of table headers and the command line: `total_exchange`, `scatter:root=3,parts=2`,
  // `reduce:root=0,ordered`, `custom:{…}` (JSON).
  std::string notation() const;

 private:
  explicit Collective(std::shared_ptr<const CollectiveNumbers> numbers);
  std::shared_ptr<const CollectiveNumbers> numbers_;
  const CollectiveFamily* family_;
};

// The standard collective of that shape, if there is one (of everyone's contributions at everyone: allreduce).
std::optional<Collective> collective_of_shape(const DemandShape& shape, std::uint32_t processors,
                                              Operation operation = Operation::commutative);
// The collective of these chunks (custom).
Result<Collective> collective_of_chunks(std::vector<CustomChunk> chunks, std::uint32_t processors);

// Both traditions' names: alltoall, multinode_broadcast, scan, …; nothing for an unknown name.
std::optional<CollectiveKind> collective_kind(std::string_view name, const Families& families = standard_families());
std::vector<std::string> collective_names(const Families& families = standard_families());  // without aliases
std::string_view to_string(CollectiveKind kind);

// The collective that `source.text` writes, for n processors.
Result<Collective> parse_collective(const Source& source, std::uint32_t source_number, std::uint32_t processors,
                                    const Families& families = standard_families());

}  // namespace quadrille
