// Rows replayed, step after step: which words each one sends, and what becomes of it (model/MODEL.md, Words).
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "compiler/plan/held/send_reductions.h"
#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/work.h"
#include "model/messages/contribution_set.h"
#include "model/messages/held_reductions.h"
#include "model/messages/step_messages.h"
#include "model/send_table.h"
#include "model/text/source.h"

namespace quadrille {

// What is said of a row's words: by the send that made it, or by the row of a table.
struct StatedReduction {
  ContributionSet sum = {};                   // what a send wants sent; empty: the word held, or
  std::span<const std::uint32_t> named = {};  // the words that a row names; empty: the word held
  Arrival arrival = Arrival::joined;          // what is to become of it
  Span span = {};                             // of the send
};

StatedReduction said_of(const SentReduction& sent);

class ReductionReplay {
 public:
  // All outlive it. `in_rounds`: whether what users are told speaks of rounds.
  ReductionReplay(const Fabric& fabric, const Collective& collective, bool in_rounds, Work& work)
      : fabric_(fabric),
        collective_(collective),
        in_rounds_(in_rounds),
        messages_(fabric, collective, work),
        held_(collective, work) {}

  // What the rows of the next step say of words, each with what is said of it. Valid until the next call. Throws
  // EvaluationError where a sender has no words for a sum, and where rows that are alike say different things; Ended.
  std::span<const ReductionUse> step(const StepRows& rows, std::span<const StatedReduction> said);

  // What each row carried of the step replayed last; of a message, its first.
  const std::vector<ContributionSet>& carried() const { return carried_; }
  // What processors hold now.
  const HeldReductions& held() const { return held_; }
  // How often something that arrived at its target, or in a switch that reduces, came to nothing, or left a gap in an
  // ordered operation.
  std::uint64_t faults() const { return faults_; }

 private:
  using PacketAt = std::pair<std::uint64_t, NodeId>;
  using ValueAt = std::tuple<NodeId, std::uint32_t, std::uint32_t>;  // switch, target, part

  // What a message brings to its receiver of one of its packets.
  struct PacketMove {
    const Message* message;
    std::uint32_t packet;
    std::uint32_t departs;  // the row out of the sender; where paths join, out of the first of them
    std::uint32_t arrives;  // into the receiver
    NodeId to;
    ChunkName name;  // as which it arrives
    Row last;        // into `to`
    ContributionSet carried;
  };

  void list_moves();
  NodeId sender(std::uint32_t row) const { return fabric_.channel(rows_.rows[row].channel).from; }
  ContributionSet joined_on_path(const Message& message, std::uint32_t packet);
  ContributionSet joined_at_meeting(std::vector<std::pair<ContributionSet, ChannelId>>& arrived);
  ContributionSet picked_up(std::uint32_t row);
  ContributionSet from_reductions(std::uint32_t row, const ChunkName& name);
  ContributionSet from_switch(std::uint32_t row, const ChunkName& name);
  void empty_switches();
  void put_down(const PacketMove& move);
  void join_in_switch(const PacketMove& move);
  ContributionSet joined(const ContributionSet& there, const ContributionSet& brought);
  void join_all();
  void count_gaps();
  void settle_alike();
  [[noreturn]] void refuse(std::size_t row) const;
  bool is_switch(NodeId node) const { return !fabric_.is_processor(node); }
  const char* step_or_round() const { return in_rounds_ ? "round" : "step"; }

  const Fabric& fabric_;
  const Collective& collective_;
  bool in_rounds_;
  StepMessages messages_;
  HeldReductions held_;
  StepRows rows_;  // of the step at work
  std::span<const StatedReduction> said_;
  std::vector<PacketMove> moves_;
  std::vector<std::uint32_t> left_;       // rows out of switches that reduce
  std::vector<ReductionUse> uses_;        // by row
  std::vector<ContributionSet> carried_;  // likewise
  std::uint64_t faults_ = 0;
  std::map<PacketAt, ContributionSet> brought_;             // what the latest row of a packet brought
  std::map<PacketAt, std::deque<ContributionSet>> copies_;  // in switches that forward
  std::map<ValueAt, ContributionSet> joined_;               // in switches that reduce
};

}  // namespace quadrille
