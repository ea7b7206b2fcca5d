// The contents of switches that do more than copy: copies that leave one by one, or partial reductions that have
// joined (model/MODEL.md, Switches).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory_resource>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "model/ids.h"
#include "model/limits/work.h"
#include "model/send_table.h"
#include "motion/contribution_set.h"
#include "runtime/context.h"

namespace quadrille::replaying {

// For `switches: forward`: the copies of each packet in each switch, in the order of arrival.
class SwitchCopies {
 public:
  struct Copy {
    std::uint32_t arrived = 0;
    ContributionSet carried = {};
  };

  explicit SwitchCopies(Work& work) : lines_(&work) {}

  void come(ChunkId packet, NodeId node, Copy copy);
  // Takes the first copy; nothing if there is none.
  std::optional<Copy> leave(ChunkId packet, NodeId node);

 private:
  struct Line {
    using allocator_type = std::pmr::polymorphic_allocator<Copy>;
    explicit Line(const allocator_type& allocator) : copies(allocator) {}
    std::pmr::vector<Copy> copies;
    std::size_t first = 0;  // the copies before it have left
  };
  std::pmr::map<std::pair<ChunkId, NodeId>, Line> lines_;
};

// For combining collectives, under `switches: forward` and `switches: reduce`.
class SwitchReductions {
 public:
  explicit SwitchReductions(const ReplayContext& context);

  // Whether switches do more than copy. If not, the functions below must not be called.
  bool apply() const { return switching_ != Switching::copy; }

  // The partial reduction that the row, or the message in rounds whose last row it is, takes out of a switch. It is
  // empty if there is nothing to take, which is a fault. Requires rows by channel, lane and packet, and before the
  // step's arrivals.
  ContributionSet depart(StepId step, NodeId from, const Row& row);
  // Notes that the row brings this to a switch. Requires the same order.
  void arrive(StepId step, const Row& row, const ContributionSet& carried);
  // Joins everything that has arrived.
  void end_step(StepId step);

 private:
  using ValueAtSwitch = std::tuple<NodeId, std::uint32_t, std::uint32_t>;  // switch, target, part
  struct Joined {
    ReplayedStay stay;
    ContributionSet carried;
  };
  ValueAtSwitch place(NodeId node, ChunkId packet) const;
  ContributionSet depart_joined(StepId step, NodeId from, const Row& row);
  void join(StepId step, const Row& row, const ContributionSet& carried);

  ReplayContext context_;
  Switching switching_;
  SwitchCopies copies_;
  std::pmr::map<ValueAtSwitch, Joined> joined_;
  std::pmr::vector<std::pair<Row, ContributionSet>> arrivals_;  // of this step
};

}  // namespace quadrille::replaying
