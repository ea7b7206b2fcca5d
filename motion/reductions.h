// MovedReductions: the partial reductions that rows carry, that processors hold and that join in switches, step after
// step (model/MODEL.md, Words and Switches).
//
// This is the single account of them, for placing, replays and exports. The checker (verifier/checker) and the
// references of the tests keep their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <utility>
#include <vector>

#include "model/containers/packet_table.h"
#include "model/fabric.h"
#include "model/limits/work.h"
#include "model/send_table.h"
#include "motion/contribution_set.h"
#include "motion/held_reductions.h"
#include "motion/packets_in_switches.h"
#include "motion/step_messages.h"

namespace quadrille {

// The stay of a packet at a switch.
struct SwitchStay {
  std::uint32_t arrived = 0;
  std::uint32_t left = 0;  // its latest departure so far; 0 if there is none
};

// A packet that comes to a receiver in a step: a row, or one packet of a message in rounds.
struct MovedPacket {
  const Message* joined = nullptr;  // its message, where its paths join
  std::uint32_t packet = 0;         // then: its index among the message's packets
  std::uint32_t departs = 0;        // its row out of the sender, by index; where paths join, out of the first of them
  std::uint32_t arrives = 0;        // its row into the receiver
};

// Lists the packets of a step in the order of model/MODEL.md: by channel, lane and packet of the row that arrives.
// `messages`: those of a round; in steps each row is a packet. Throws Ended.
void list_packets(const StepRows& rows, std::span<const Message> messages, Work& work,
                  std::pmr::vector<MovedPacket>& packets);

// A row that cannot be carried out as the table says, or that breaks a rule of partial reductions.
struct ReductionFault {
  enum class Kind : std::uint8_t {
    missing,            // the node does not have what the row takes from it
    twice_in_words,     // partial reductions that are sent together overlap
    gap_in_words,       // they leave a gap, and the operation is ordered
    twice_on_path,      // what paths of a message bring to a switch where they meet overlaps
    twice_in_switch,    // what a step brings to a switch overlaps what is there
    gap_out_of_switch,  // what leaves a switch has a gap, and the operation is ordered
    not_joined,         // an arrival at its target overlaps what is held, or is to replace what it does not contain
    gap_held            // a processor holds one with a gap after the step, and the operation is ordered
  };
  Kind kind;
  NodeId at;
  std::uint32_t row = 0;     // by index
  std::uint32_t packet = 0;  // by index, of the step's
  Arrival said = Arrival::joined;
};

// ReductionVisitor chooses what rows send, and hears of what happens to it.
class ReductionVisitor {
 public:
  virtual ~ReductionVisitor() = default;
  // Returns the numbers of the partial reductions that a row out of its packet's origin sends; none: the one held.
  virtual std::span<const std::uint32_t> sent(const StepRows& rows, std::uint32_t row);
  // Returns what is to become of an arrival at its target.
  virtual Arrival said(const StepRows& rows, std::uint32_t row);
  // A packet leaves a switch, which it may leave again.
  virtual void leaves_switch(SwitchStay& /*stay*/, ChannelId /*channel*/, StepId /*step*/) {}
  // A packet has come to its target, and this became of it; `joined`: nothing, which is a fault.
  virtual void joins(const StepRows& /*rows*/, std::uint32_t /*packet*/, Arrival /*became*/) {}
  virtual void fault(const StepRows& rows, const ReductionFault& fault) = 0;
};

// Thrown where a packet goes on from its target, and its packets were not to be kept there.
struct GoesOnFromTarget {};

class MovedReductions {
 public:
  // All outlive it.
  MovedReductions(const Fabric& fabric, const Collective& collective, Work& work, ReductionVisitor& visitor)
      : MovedReductions(fabric, collective, work, visitor, HeldReductions(collective, work), true) {}
  // The same for the packets of these values alone, in less memory. `keeps_at_targets`: packets may go on from their
  // targets; else GoesOnFromTarget is thrown if one does.
  MovedReductions(const Fabric& fabric, const Collective& collective, Work& work, ReductionVisitor& visitor,
                  ValueRange values, bool keeps_at_targets)
      : MovedReductions(fabric, collective, work, visitor, HeldReductions(collective, work, values), keeps_at_targets) {
  }

  // Moves the packets of the next step, which are in the order of list_packets: all leave, and then all arrive, so
  // what arrives in a step cannot leave in it. Where something is missing, or cannot be joined, it is left out. Throws
  // Ended, and GoesOnFromTarget.
  void step(const StepRows& rows, std::span<const MovedPacket> packets);

  // What each packet of the last step brought; empty: nothing.
  std::span<const ContributionSet> carried() const { return carried_; }
  // What became of each at its packet's target; `joined`: nothing, or it did not come to its target.
  std::span<const Arrival> became() const { return became_; }
  // What processors hold now.
  const HeldReductions& held() const { return held_; }

 private:
  MovedReductions(const Fabric& fabric, const Collective& collective, Work& work, ReductionVisitor& visitor,
                  HeldReductions held, bool keeps_at_targets)
      : fabric_(fabric),
        collective_(collective),
        work_(work),
        visitor_(visitor),
        keeps_at_targets_(keeps_at_targets),
        held_(std::move(held)),
        in_switches_(fabric, collective, work),
        brought_(work),
        carried_(&work),
        became_(&work),
        at_switches_(&work),
        at_targets_(&work) {}

  struct CarriedStay {
    SwitchStay stay;
    ContributionSet carried;
  };
  struct JoiningPacket {  // a partial reduction at its target, or in a switch that reduces
    NodeId at;            // at a target: the processor, and the value; in switches all are sorted together
    std::uint32_t value;
    std::uint32_t smallest;
    std::uint32_t packet;
    const Row* row;
  };

  ContributionSet leave(std::uint32_t departs, std::uint32_t arrives);
  ContributionSet leave_origin(NodeId origin, std::uint32_t row);
  ContributionSet leave_switch(NodeId at, std::uint32_t departs, std::uint32_t arrives);
  ContributionSet join_paths(const MovedPacket& packet);
  ContributionSet meet(NodeId node, std::vector<std::pair<ContributionSet, std::uint32_t>> arrivals);
  void arrive(std::uint32_t packet, std::uint32_t row);
  void unite(ContributionSet& joined, const ContributionSet& carried, const ReductionFault& clash);
  void sort(std::pmr::vector<JoiningPacket>& joining);
  void join_in_switches(std::span<const MovedPacket> packets);
  void join_at_targets(std::span<const MovedPacket> packets);
  void fault(ReductionFault::Kind kind, NodeId at, std::uint32_t row, Arrival said = Arrival::joined) {
    visitor_.fault(rows_, {kind, at, row, packet_, said});
  }

  const Fabric& fabric_;
  const Collective& collective_;
  Work& work_;
  ReductionVisitor& visitor_;
  bool keeps_at_targets_;
  HeldReductions held_;
  PacketsInSwitches<CarriedStay> in_switches_;
  PacketTable<PlaceKey, ContributionSet> brought_;  // by packet and processor: what came there last
  StepRows rows_;                                   // of the step at work
  std::uint32_t packet_ = 0;                        // that one of it at work, by index
  std::pmr::vector<ContributionSet> carried_;
  std::pmr::vector<Arrival> became_;
  std::pmr::vector<JoiningPacket> at_switches_;
  std::pmr::vector<JoiningPacket> at_targets_;
};

}  // namespace quadrille
