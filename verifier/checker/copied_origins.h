// CopiedOrigins: copying collectives: for each processor, the origins of the chunks that it has, as ranges.
//
// What begins at a processor is looked for when it is first asked about. Cost: a look-up for each row into a processor,
// in rounds for each move, and some 60 bytes for each (processor, target, part); used only where there are invariants.
#pragma once

#include "model/containers/packet_table.h"
#include "verifier/checker/invariants.h"
#include "verifier/checker/rows/messages.h"

namespace quadrille::checker {

class CopiedOrigins final : public Holdings {
 public:
  // `messages`: in rounds, those of the batch that follow() is given next; otherwise null.
  CopiedOrigins(const SendTable& table, Budget& budget, const Limits& limits, const Messages* messages);

  Intervals held(NodeId processor, std::optional<std::uint32_t> target, std::uint32_t part) override;
  void follow(const StepRows& batch) override;

 private:
  struct Origins {
    bool known = false;  // what begins there is in the list
    Intervals list;
  };

  Origins& at(NodeId processor, std::optional<std::uint32_t> target, std::uint32_t part);
  void arrive(ChunkId chunk, NodeId processor);
  void add(Origins& origins, std::uint32_t origin);

  const SendTable& table_;
  const Limits& limits_;
  const Messages* messages_;
  Budget& budget_;
  Share share_;
  std::optional<PacketTable<PairKey, Origins>> origins_;  // from the first use on; by (target and part, processor)
};

}  // namespace quadrille::checker
