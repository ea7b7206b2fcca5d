// PacketNames says which processors and packets of the machine those of a block are, through the relabellings and runs
// in which it stands.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "compiler/plan/plan.h"

namespace quadrille {

// A packet as a send names it, or as the collective does where the send leaves something out.
struct NamedPacket {
  std::int64_t origin = 0;
  std::optional<std::int64_t> target;
  std::int64_t part = 0;
  bool exact = false;  // the send says the target, or that there is none
  Span span, target_span;
};

class PacketNames {
 public:
  PacketNames(const Plan& plan, SettingEvaluators& evaluators) : plan_(plan), evaluators_(evaluators) {}

  // Each throws EvaluationError where an image does not exist.
  // The processor of the machine that a block's processor is.
  NodeId processor(NodeId node, std::uint32_t relabelling, Span span);
  // The origin or target of a packet. Requires relabellings that are one to one, or none.
  std::uint32_t end(std::int64_t processor, std::uint32_t relabelling, Span span);
  // Appends the processors whose contributions to a sum those of a block's processor are.
  void contributions(std::int64_t processor, std::uint32_t relabelling, Span span, std::vector<std::uint32_t>& to);
  // Appends the chunks, of the plan's collective, that the packet is which a send from `source` to `target` (nothing:
  // to several) carries. The ends are as the block has them.
  void chunks(const Region& region, const NamedPacket& named, NodeId source, std::optional<NodeId> target,
              std::vector<ChunkId>& to);

  // The chunk with this name in a collective; nothing if there is none.
  static std::optional<ChunkId> chunk_named(const Collective& collective, const NamedPacket& named);
  // `several`: the send goes to several, and names no target.
  [[noreturn]] static void fail_unknown(const Collective& collective, const NamedPacket& named, bool several);

 private:
  using Numbers = std::vector<std::int64_t>;
  struct MappedPacket;

  std::int64_t image(const Relabelling& relabelling, const ir::Renaming& renaming, std::int64_t of, Span span);
  Numbers images(const Relabelling& relabelling, const ir::Renaming& renaming, std::int64_t of, Span span);
  const ir::Renaming& of_ends(const ir::Relabel& relabel, bool combining) const;
  void relabel(std::vector<MappedPacket>& packets, const Relabelling& by, const Collective& collective);
  static std::vector<MappedPacket> outside(std::span<const ChunkName> names, const Collective& inside,
                                           const Collective& outside, Span span);
  static NamedPacket named(const MappedPacket& packet, const Collective& collective, std::int64_t source,
                           std::optional<std::int64_t> target, const NamedPacket& as_written);

  const Plan& plan_;
  SettingEvaluators& evaluators_;
};

}  // namespace quadrille
