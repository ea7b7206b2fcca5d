// When packets are where they are sent from, in a replay in time (model/MODEL.md, Time).
#pragma once

#include <cstdint>
#include <map>
#include <memory_resource>
#include <tuple>
#include <utility>
#include <vector>

#include "model/limits/work.h"
#include "model/messages/packet_table.h"
#include "model/send_table.h"

namespace quadrille::replaying {

// Copies: from their first arrival on. Partial reductions: at their origin the words that are sent, elsewhere the last
// one. The word held has come when all has been joined with it; of words that come to be kept in one step each may be
// any, so that all have come when the last one has. In switches that forward each copy by itself, the first to come in
// the table's order first; in switches that reduce, all that has joined since something left.
class TimedInputs {
 public:
  // Both outlive it.
  TimedInputs(const SendTable& table, Work& work)
      : fabric_(table.fabric),
        collective_(table.collective),
        arrived_(work),
        joined_(work),
        kept_(&work),
        copies_(&work),
        in_switches_(&work),
        combining_(collective_.combining()) {}

  // It leaves in that step; all that leaves in a step comes before what arrives in it. `use`: what its row says of
  // words; null: nothing.
  double leave(NodeId node, ChunkId chunk, StepId step, const ReductionUse* use);
  void arrive(NodeId node, ChunkId chunk, double time, bool keeping);
  // The step's arrivals have all been told.
  void end_step();

 private:
  using Wanted = std::tuple<NodeId, std::uint32_t, std::uint32_t>;   // switch, target, part
  using ValueAtProcessor = std::pair<std::uint32_t, std::uint32_t>;  // value, processor
  struct Copies {
    using allocator_type = std::pmr::polymorphic_allocator<double>;
    explicit Copies(const allocator_type& allocator) : times(allocator) {}
    std::pmr::vector<double> times;
    std::size_t left = 0;
  };
  struct Joined {
    double time = 0;
    StepId left = StepId(0);  // 0: it is still there
  };

  double word(const ValueAtProcessor& place, std::uint32_t number);
  bool at_switch(NodeId node, Switching rule) const {
    return !fabric_.is_processor(node) && fabric_.rules().switches == rule;
  }
  Wanted wanted(NodeId node, ChunkId chunk) const {
    const ChunkName name = collective_.name(chunk);
    return {node, name.target.value_or(0), name.part};
  }

  const Fabric& fabric_;
  const Collective& collective_;
  PacketTable<PlaceKey, double> arrived_;
  PacketTable<PlaceKey, double> joined_;  // (value, processor)
  std::pmr::map<ValueAtProcessor, std::pmr::vector<double>> kept_;
  std::map<ValueAtProcessor, std::vector<double>> coming_;    // to be kept, in the step at work
  std::pmr::map<std::pair<ChunkId, NodeId>, Copies> copies_;  // where switches forward
  std::pmr::map<Wanted, Joined> in_switches_;                 // where they reduce
  bool combining_;
};

}  // namespace quadrille::replaying
