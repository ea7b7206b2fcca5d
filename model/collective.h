// Collective says which processors must hold what before and after, and names the packets that a table moves.
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

// A packet's name in a row: the columns origin, target, part. No target is `*`, "for everyone". In copying
// collectives it is the chunk that `origin` held at the start, meant for `target`. In combining collectives it is the
// partial reduction of value `part` that processor `origin` sends to processor `target`.
struct ChunkName {
  std::uint32_t origin = 0;
  std::optional<std::uint32_t> target;
  std::uint32_t part = 0;
  bool operator==(const ChunkName&) const = default;
  auto operator<=>(const ChunkName&) const = default;
};

// For example "3->5" or "3->*".
std::string to_string(const ChunkName& name);

// The properties of a combining operation, besides that it is associative.
enum class Operation : std::uint8_t {
  commutative,  // a + b = b + a: contributions are joined in any order, each once
  ordered,      // not commutative: contributions are joined with their neighbours only
  idempotent    // commutative, and a + a = a: a contribution may come again (maximum, minimum, and, or)
};
std::string_view to_string(Operation operation);
// The operation with this name; nothing for an unknown name.
std::optional<Operation> operation_named(std::string_view name);

class CollectiveFamily;  // model/collective_family.h
struct CollectiveFacts;
struct CollectiveNumbers;

// The kind of a collective: one that Quadrille knows by itself, or a family that a linked program adds.
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
  // Keeps a pointer. Requires that the family lives as long as there are collectives of it.
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

// One chunk of a collective that lists its chunks: the processors that hold it before, and those that must have it
// after.
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
  // For combining collectives. Prefixes are never commutative, but ordered instead; a barrier is always idempotent.
  Operation operation = Operation::commutative;
  std::vector<CustomChunk> chunks;  // custom; other listed collectives fill them in
};

// Immutable; copying is cheap.
//
// A copying collective is about chunks. A demand is a pair (chunk, processor) that must hold at the end and does not
// hold at the beginning. Demands are numbered 0 … demands()-1.
//
// A combining collective is about values 0 … values()-1. Processor p begins with its own contribution {p} to every
// value. A partial reduction is identified by its contribution set (ordered: an interval). A packet (origin, target,
// part) carries origin's current partial reduction of value `part`. When it reaches processor `target`, one of three
// things happens. If the two sets are disjoint (ordered: and their join is an interval), it is joined to the partial
// reduction that target holds. If it contains all of the latter, it replaces it. In any other case a contribution
// would count twice, which is an error (idempotent: all are united). Demands are pairs (value, processor): the
// contributions that must be there.
class Collective {
 public:
  // Binds a description to n processors. Errors: root >= n, no parts, more than 2^62 packet names, ….
  static Result<Collective> make(CollectiveDescription description, std::uint32_t processors, Span where = {});

  CollectiveKind kind() const;
  const CollectiveDescription& description() const;
  std::uint32_t processors() const;
  bool rooted() const;          // whether it has a root, description().root
  bool combining() const;       // otherwise it copies
  Operation operation() const;  // combining only
  bool ordered() const { return operation() == Operation::ordered; }
  bool idempotent() const { return operation() == Operation::idempotent; }
  bool listed() const;     // whether it is given by pre- and postcondition, chunk by chunk: description().chunks
  bool symmetric() const;  // whether any permutation of the processors maps it to itself
  // The demand in general form. Nothing for a list of chunks that is not a standard collective's.
  const std::optional<DemandShape>& shape() const;

  // --- packet names; ids are 0 … chunk_ids()-1, though not every id need be used -------------------------------
  std::uint64_t chunk_ids() const;
  std::optional<ChunkId> chunk(const ChunkName& name) const;  // nothing if the collective has no such packet
  ChunkName name(ChunkId chunk) const;                        // requires chunk < chunk_ids()
  bool has(ChunkId chunk) const;                              // whether the id is some packet's
  // The index of the first of these ids that names no packet; chunks.size() if there is none. Meant for many ids at
  // once.
  std::size_t first_unknown(std::span<const ChunkId> chunks) const;
  std::string label(ChunkId chunk) const;  // "3->5", "3->*", "3->5 part 1"

  // The packet that `send source -> target` carries when the schedule does not name one (target: nothing for a
  // multicast): total exchange and combining (source, target); scatter (root, target) from the root; gather (source,
  // root); broadcast (root, *); allgather (source, *); listed ones (source, target), or else (source, *). Nothing
  // where that is not a packet of the collective; then the file must name the packet.
  std::optional<ChunkId> default_chunk(std::uint32_t source, std::optional<std::uint32_t> target,
                                       std::uint32_t part) const;

  // The packet that a send of this one from `source` to `target` becomes when time is reversed. `to`: the dual, or, of
  // a copying collective, any that combines the same values. Nothing if `to` has no such packet.
  std::optional<ChunkId> dual_chunk(ChunkId chunk, NodeId source, NodeId target, const Collective& to) const;
  // The number of the value that the chunk is when time is reversed. Requires a shape(), and that several want the
  // chunk.
  std::uint32_t dual_value(ChunkId chunk) const;
  // The kind reversed in time: scatter <-> gather, broadcast <-> reduce, allgather <-> reduce_scatter, total exchange
  // <-> itself; nothing for others.
  static std::optional<CollectiveKind> dual(CollectiveKind kind);

  // --- copying --------------------------------------------------------------------------------------------------
  bool starts_at(ChunkId chunk, NodeId processor) const;
  std::uint64_t demands() const;
  std::optional<std::uint64_t> demand(ChunkId chunk, NodeId processor) const;  // its number, if it is a demand
  std::pair<ChunkId, NodeId> demand_at(std::uint64_t number) const;            // combining: (value, processor)
  bool unicast() const;                                                        // no chunk has more than one demand

  // --- combining ------------------------------------------------------------------------------------------------
  std::uint32_t values() const;
  std::uint32_t value_of(ChunkId packet) const;  // the packet's `part`
  // The contributions first … last that `processor` must end with in this value; nothing if it wants none.
  std::optional<std::pair<std::uint32_t, std::uint32_t>> wanted_contributions(std::uint32_t value,
                                                                              NodeId processor) const;

  // Whether processors want results without their own contribution, so that each keeps a separate partial reduction.
  bool leaves_own_out() const { return shape() && shape()->leaves_own_out(); }

  // How many chunks the largest message has: what one processor has for one, or for all, and of a reduction its
  // operand. `parts`, if nothing is listed. A list that is a standard collective's has that one's; in others a message
  // is the chunks of one origin and target. A size of messages is that of the largest (MODEL.md, Time).
  std::uint32_t message_parts() const;

  // Whether several processors end with the same contributions of one value, so that their results can differ in the
  // order in which these were joined (model/MODEL.md, Agreement). False if the operation is idempotent.
  bool results_can_differ() const;

  // The notation of table headers and the command line: `total_exchange`, `scatter:root=3,parts=2`,
  // `reduce:root=0,ordered`, `custom:{…}` (JSON).
  std::string notation() const;

 private:
  explicit Collective(std::shared_ptr<const CollectiveNumbers> numbers);
  std::shared_ptr<const CollectiveNumbers> numbers_;
  const CollectiveFamily* family_;
};

// The standard collective of this shape, if there is one (everyone's contributions for everyone: allreduce).
std::optional<Collective> collective_of_shape(const DemandShape& shape, std::uint32_t processors,
                                              Operation operation = Operation::commutative);
// The collective of these chunks (custom).
Result<Collective> collective_of_chunks(std::vector<CustomChunk> chunks, std::uint32_t processors);

// The kind with this name in either tradition: alltoall, multinode_broadcast, scan, …; nothing for an unknown name.
std::optional<CollectiveKind> collective_kind(std::string_view name, const Families& families = standard_families());
std::vector<std::string> collective_names(const Families& families = standard_families());  // without aliases
std::string_view to_string(CollectiveKind kind);

// Reads the collective that `source.text` describes, for n processors.
Result<Collective> parse_collective(const Source& source, std::uint32_t source_number, std::uint32_t processors,
                                    const Families& families = standard_families());

}  // namespace quadrille
