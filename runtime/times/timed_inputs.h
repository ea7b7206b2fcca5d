// Computes when packets are available at the nodes that send them, in a replay in time (model/MODEL.md, Time).
#pragma once

#include <cstdint>
#include <map>
#include <memory_resource>
#include <utility>
#include <vector>

#include "model/containers/packet_table.h"
#include "model/limits/work.h"
#include "model/send_table.h"
#include "motion/packets_in_switches.h"

namespace quadrille::replaying {

// A packet that was needed later than it was thought to be: begin again, and keep everything.
struct Forgotten {};

// A copy is available from its first arrival on; a chunk that one processor alone wants, in a switch, from the first
// since it last left. A partial reduction is available, at its origin, when all parts that are sent have come;
// elsewhere, when the last one has come. The one that is held has come when everything has been joined with it. If
// several come to be kept in one step, any of them may be meant, so all have come when the last one has. In switches
// that forward, each copy counts by itself, in the table's order of arrival. In switches that reduce, everything that
// has joined since the last departure counts.
//
// Memory: for the packets under way. Where packets are not copied they are forgotten as they leave a switch, and at the
// processor that they are for. Copied chunks are kept wherever they have been.
class TimedInputs {
 public:
  // Keeps references to both. `keeps_all`: nothing is forgotten.
  TimedInputs(const SendTable& table, Work& work, bool keeps_all)
      : fabric_(table.fabric),
        collective_(table.collective),
        arrived_(work),
        joined_(work),
        kept_(&work),
        in_switches_(fabric_, collective_, work),
        combining_(collective_.combining()),
        moves_(!combining_ && collective_.unicast()),
        forgets_(!keeps_all && (combining_ || moves_)) {}

  // Returns the time at which the packet, which leaves in a step, is available. Requires that a step's departures are
  // given before its arrivals, and end_departures() between them. `use`: the partial reductions that its row names;
  // null: none. Throws Forgotten.
  double leave(NodeId node, ChunkId chunk, const ReductionUse* use);
  void end_departures() { in_switches_.end_departures(); }
  void arrive(NodeId node, ChunkId chunk, double time, bool keeping);
  // To be called after all arrivals of the step.
  void end_step();

 private:
  using ValueAtProcessor = std::pair<std::uint32_t, std::uint32_t>;  // value, processor

  double word(const ValueAtProcessor& place, std::uint32_t number);
  bool ends_at(NodeId node, ChunkId chunk) const {
    if (combining_) return collective_.name(chunk).target == node.value;
    return fabric_.is_processor(node) && collective_.demand(chunk, node).has_value();
  }

  const Fabric& fabric_;
  const Collective& collective_;
  PacketTable<PlaceKey, double> arrived_;  // negative: it has left since
  PacketTable<PlaceKey, double> joined_;   // (value, processor)
  std::pmr::map<ValueAtProcessor, std::pmr::vector<double>> kept_;
  std::map<ValueAtProcessor, std::vector<double>> coming_;  // to be kept, in the current step
  PacketsInSwitches<double> in_switches_;                   // where they do more than copy
  bool combining_;
  bool moves_;  // chunks are not copied: each is for one processor
  bool forgets_;
};

}  // namespace quadrille::replaying
