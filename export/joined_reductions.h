// What becomes of arrivals in a combining collective: a table names packets, not what they carry, so their
// contributions are followed through the whole table.
#pragma once

#include <cstdint>
#include <map>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "export/moves.h"
#include "model/send_table.h"
#include "motion/held_reductions.h"

namespace quadrille::exporting {

// What a move brings to a switch.
struct BroughtToSwitch {
  const ChunkMove* move;
  ContributionSet carried;
};

// What switches hold that add up what passes them (model/MODEL.md, Switches: reduce).
class SwitchJoins {
 public:
  // Keeps references to both.
  SwitchJoins(const SendTable& table, Work& work) : table_(table), work_(work), held_(&work) {}

  // What the switch holds for the packet's target and part when the step begins; when the step ends it is gone. Nothing
  // if it holds nothing.
  std::optional<ContributionSet> leave(NodeId at, ChunkId chunk);
  // Joins all that the step's moves bring to switches; or says which cannot be joined. Throws Ended.
  std::optional<StepFault> end_step(StepId step, std::vector<BroughtToSwitch> all);

  // Joins in `joined` what paths of a message bring to the switch where they meet; or says what is wrong with that.
  std::optional<StepFault> meet(StepId step, NodeId at, std::vector<BroughtToSwitch> all,
                                ContributionSet& joined) const;

  // The words for what leaves a switch, in a collective whose operation is ordered, and is no interval.
  static std::string gap(std::string_view at, StepId step);

 private:
  using SwitchHolding = std::tuple<NodeId, std::uint32_t, std::uint32_t>;  // switch, target, part

  bool fit(const ContributionSet& a, const ContributionSet& b) const {
    return table_.collective.idempotent() || a.disjoint(b);
  }
  StepFault twice(StepId step, const ChunkMove& move) const;

  const SendTable& table_;
  Work& work_;
  std::pmr::map<SwitchHolding, ContributionSet> held_;
  std::vector<SwitchHolding> left_;  // in this step
};

// A packet goes on from its target, where it was not kept.
struct GoesOnFromTarget {};

class JoinedReductions {
 public:
  // Both outlive it.
  JoinedReductions(const SendTable& table, Work& work)
      : table_(table), work_(work), held_(table.collective, work), brought_(work) {
    join_in_switches();
  }
  // Likewise, of the packets of these values alone, in less memory. `passed_on`: packets are known to go on from their
  // targets; else GoesOnFromTarget is thrown if one does.
  JoinedReductions(const SendTable& table, Work& work, ValueRange values, bool passed_on)
      : table_(table),
        work_(work),
        held_(table.collective, work, values),
        keeps_at_targets_(passed_on),
        brought_(work) {
    join_in_switches();
  }

  // Carries out a step: its moves, of which those out of processors count, and its arrivals in their order
  // (followed_moves.h). Every arrival at its packet's target is told what becomes of it, and the arrivals are put in an
  // order in which what is combined always makes an interval, if the operation is ordered. Or says what breaks the
  // model's rules. Throws Ended, and GoesOnFromTarget.
  std::optional<StepFault> step(StepId step, std::span<const ChunkMove> moves, std::vector<ChunkMove>& arrivals);

  // Those that make up the processor's result for a value as it is now, in order of rank.
  std::vector<std::uint32_t> result(std::uint32_t value, NodeId processor) const;
  // Those named by a row of its value, in the order in which they are combined: in order of rank, if the operation is
  // ordered.
  std::vector<std::uint32_t> in_order(std::uint32_t value, NodeId processor, std::vector<std::uint32_t> numbers) const;

  // Whether all are there that the move's row names, and can be chained.
  bool has(const ChunkMove& move) const { return chained(move).has_value(); }

 private:
  struct Joining {
    std::pair<std::uint32_t, NodeId> place;  // value, processor
    std::size_t move;
    ContributionSet brought;
  };

  bool at_target(ChunkId chunk, NodeId node) const { return table_.collective.name(chunk).target == node.value; }
  std::optional<ContributionSet> chained(const ChunkMove& move) const;
  std::optional<ContributionSet> departing(const ChunkMove& move) const;
  void join_in_switches();
  std::optional<StepFault> take(StepId step, const ChunkMove& move, ContributionSet& carried);
  std::optional<StepFault> take_joined(StepId step, const ChunkMove& move, ContributionSet& carried);
  std::optional<StepFault> reach_switches(StepId step, std::span<const ChunkMove> moves);
  std::optional<StepFault> depart(StepId step, std::span<const ChunkMove> moves);
  void keep(std::vector<ChunkMove>& moves);
  std::optional<StepFault> join(StepId step, std::vector<Joining>::iterator first, std::vector<Joining>::iterator last,
                                std::vector<ChunkMove>& moves);
  bool chain(std::vector<Joining>::iterator first, std::vector<Joining>::iterator last, const ContributionSet& from,
             std::vector<ChunkMove>& moves);

  const SendTable& table_;
  Work& work_;
  HeldReductions held_;
  bool keeps_at_targets_ = true;
  std::optional<SwitchJoins> in_switches_;          // where these add up what passes them
  PacketTable<PlaceKey, ContributionSet> brought_;  // by packet and processor, from where it goes on
  std::vector<ContributionSet> carried_;            // by departure; of what leaves for a message that joins: empty
  std::vector<Joining> joinings_;
  std::vector<std::size_t> order_;  // of the moves, as they are joined
};

}  // namespace quadrille::exporting
