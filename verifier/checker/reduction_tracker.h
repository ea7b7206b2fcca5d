// ReductionTracker: combining collectives: which contributions every processor holds, and every packet carries.
//
// Each step is read twice: first each row picks up the contribution set that it carries (what its origin holds, or
// chains of its words, or what the same packet last brought to the row's tail), then arrivals are recorded and the sets
// joined at their targets, or kept.
//
// Cost: two look-ups a row and a set for each join, some 100 ns a row; a set takes some 60 bytes plus 8 for each
// interval, and is shared by all who hold or carry it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/containers/packet_table.h"
#include "verifier/checker/additions.h"
#include "verifier/checker/contributions.h"
#include "verifier/checker/copies.h"
#include "verifier/checker/forwarding.h"
#include "verifier/checker/invariants.h"
#include "verifier/checker/rows/messages.h"
#include "verifier/checker/tracker.h"

namespace quadrille::checker {

// SwitchContents: what switches hold in combining collectives under `switches: forward` and `switches: reduce`.
//
// Under `forward` these are copies of packets (forwarding.h). Under `reduce` a switch holds one partial reduction for
// each (target, part): rows out carry it, whatever origin they name, and it is gone when their step ends; then the
// step's arrivals join.
//
//   2->0 and 3->0 come to a switch in step 1: it holds {2-3}. A row 2->0 out of it in step 2 carries {2-3}, and nothing
//   is left
//
// Cost: a look-up for each row out of a switch; for those into one, a sort in each step, and a set for each join.

class SwitchContents {
 public:
  virtual ~SwitchContents() = default;

  // Null under `switches: copy`, and where there are no switches.
  static std::unique_ptr<SwitchContents> make(Pass pass, Additions& additions);

  // What the move, out of a switch, carries; null if it is nothing. Judges the departure. To be called in the order of
  // channel, lane and packet, and before the step's arrivals.
  virtual ContributionsRef leave(const StepRows& batch, const Move& move) = 0;
  // The move, into a switch, brings this set, or null. In the same order.
  virtual void reach(const StepRows& batch, const Move& move, const ContributionsRef& set) = 0;
  // All rows of the step have arrived.
  virtual void end_step(const StepRows& batch) = 0;
};

class ReductionTracker final : public Tracker, public Holdings {
 public:
  // `messages`: in rounds, those of the batch that step() is given next; otherwise null.
  ReductionTracker(Pass pass, const Messages* messages);

  void step(const StepRows& batch) override;
  void finish() override;
  Intervals held(NodeId processor, std::optional<std::uint32_t>, std::uint32_t value) override {
    return held_at_end(value, processor.value)->intervals();
  }

 private:
  // A packet at a node that is not its origin: the latest arrival, the move of the step that brought it, and its
  // contribution set.
  struct Brought {
    Stay stay;
    std::uint32_t move = 0;  // of that step
    ContributionsRef set;
  };
  // A move of this step that ends at its packet's target.
  struct Join {
    std::uint32_t processor;
    std::uint32_t value;
    std::uint32_t smallest;  // contribution in its set
    ChannelId channel;
    LaneId lane;
    ChunkId packet;
    std::uint32_t move;
    auto operator<=>(const Join&) const = default;
  };

  using Kept = std::vector<ContributionsRef>;

  ContributionsRef held(std::uint32_t value, NodeId processor);
  ContributionsRef chained(const StepRows& batch, const Move& move, const ChunkName& name);
  ContributionsRef partial_reduction(std::uint32_t value, NodeId processor, std::uint32_t number);
  ContributionsRef picked_up(const StepRows& batch, const Move& move);
  struct OnPath {  // what comes to a switch of a message that joins
    ContributionsRef set;
    std::uint32_t row;
  };
  ContributionsRef joined_on_path(const StepRows& batch, const Move& move);
  ContributionsRef joined_at(const StepRows& batch, NodeId node, std::vector<OnPath> arrivals);
  void arrive(const StepRows& batch, std::uint32_t number);
  void join_all(const StepRows& batch);
  void join(const StepRows& batch, const Join& join, Sum& sum);
  void keep(const Join& join);
  ContributionsRef held_at_end(std::uint32_t value, std::uint32_t processor);
  ContributionsRef result(std::uint32_t value, std::uint32_t processor, const Interval& wanted);
  bool judge_end(std::uint32_t value, std::uint32_t processor);
  struct Result {
    std::uint32_t value;
    std::uint32_t processor;
    std::uint32_t tree;
  };
  void judge_agreement();
  BlamedViolation other_order(const Result& one, const Result& lowest);
  void judge_demands();
  void count_others(std::uint32_t last, std::uint64_t seen);
  void judge_gaps(const StepRows& batch, const Join& last, const Intervals& held);

  Pass pass_;
  const Messages* messages_;
  Share share_;
  std::span<const Move> moves_;      // of this step
  std::vector<Move> moves_of_rows_;  // likewise, where there are no messages
  Additions additions_;
  PacketTable<PairKey, ContributionsRef> held_;  // by (value, processor); absent: the processor's own contribution
  PacketTable<PairKey, Kept> kept_;              // likewise; whoever has kept something has an entry in held_, too
  PacketTable<PairKey, Brought> brought_;        // by (packet, node)
  std::vector<ContributionsRef> carried_;        // by this step's moves
  std::vector<Join> joins_;                      // of this step
  std::unique_ptr<SwitchContents> switches_;     // other than under `switches: copy`
  std::vector<std::uint32_t> order_;             // of this step's moves, by channel, lane and packet
};

}  // namespace quadrille::checker
