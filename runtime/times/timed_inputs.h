// Computes when packets are available at the nodes that send them, in a replay in time (model/MODEL.md, Time).
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

// A copy is available from its first arrival on. A partial reduction is available, at its origin, when all parts that
// are sent have come; elsewhere, when the last one has come. The one that is held has come when everything has been
// joined with it. If several come to be kept in one step, any of them may be meant, so all have come when the last
// one has. In switches that forward, each copy counts by itself, in the table's order of arrival. In switches that
// reduce, everything that has joined since the last departure counts.
class TimedInputs {
 public:
  // Keeps references to both.
  TimedInputs(const SendTable& table, Work& work)
      : fabric_(table.fabric),
        collective_(table.collective),
        arrived_(work),
        joined_(work),
        kept_(&work),
        copies_(&work),
        in_switches_(&work),
        combining_(collective_.combining()) {}

  // Returns the time at which the packet, which leaves in this step, is available. Requires that a step's departures
  // are given before its arrivals. `use`: the partial reductions that its row names; null: none.
  double leave(NodeId node, ChunkId chunk, StepId step, const ReductionUse* use);
  void arrive(NodeId node, ChunkId chunk, double time, bool keeping);
  // To be called after all arrivals of the step.
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
    StepId left = StepId(0);  // 0: nothing has left
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
  std::map<ValueAtProcessor, std::vector<double>> coming_;    // to be kept, in the current step
  std::pmr::map<std::pair<ChunkId, NodeId>, Copies> copies_;  // where switches forward
  std::pmr::map<Wanted, Joined> in_switches_;                 // where they reduce
  bool combining_;
};

}  // namespace quadrille::replaying
