// RowRules: what is judged of each step by itself, in the first reading of a table: lanes, capacities, ports; in rounds
// of messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "model/per_channel.h"
#include "model/send_table.h"
#include "model/terms/fraction.h"
#include "verifier/check.h"
#include "verifier/checker/rows/budget.h"
#include "verifier/checker/rows/findings.h"
#include "verifier/checker/rows/messages.h"

namespace quadrille::checker {

// Slots: lanes, channels and ports: well formed, contention-free, capacity compliant.
//
// The common case costs one stamp a row: where every lane is below its channel's capacity and no lane is used twice, no
// channel carries more than its capacity, since it has no more lanes. Only the steps in which that fails are looked at
// again, exactly, with the rows sorted by channel and lane. Duplex and port rules are counted only where they apply.

class Slots {
 public:
  // Four bytes a lane, unless there are so many that every step is sorted instead. May throw OverBudget.
  Slots(const SendTable& table, Findings& findings, Budget& budget, const Limits& limits);

  // May throw OverBudget or Ended; then it is of no further use.
  void step(const StepRows& batch);

  std::uint64_t messages() const { return messages_; }  // rows that leave a processor

 private:
  // Rows first … last-1 of `order_`: those of one channel, or of one lane.
  struct Run {
    std::size_t first;
    std::size_t last;
  };

  struct ChannelLanes {
    std::uint32_t first_lane;
    std::uint32_t capacity;
    std::uint32_t of_processor;  // 1 if the channel leaves a processor, else 0
    std::uint32_t unused;        // sixteen bytes are found by a shift
  };

  ChannelLanes lanes_of(ChannelId id) const;
  bool all_lanes_differ(const StepRows& batch);
  template <class LanesOf>
  bool all_lanes_differ(const StepRows& batch, const LanesOf& lanes_of);
  void judge_exactly(const StepRows& batch);
  void judge_lane(const StepRows& batch, Run run);
  void judge_channel(const StepRows& batch, Run run);
  std::vector<ChunkId> chunks_of(const StepRows& batch, Run run) const;

  const SendTable& table_;
  Findings& findings_;
  const Limits& limits_;
  Share share_;
  std::uint64_t messages_ = 0;

  ChannelList channels_;
  bool stamped_;                       // else every step is sorted
  std::vector<ChannelLanes> places_;   // by channel; empty if the fabric does not list its channels
  std::vector<std::uint32_t> stamps_;  // by lane: the last step that used it
  std::vector<std::uint32_t> order_;   // row indices by channel, lane, index
};

// Rounds: lanes, capacities and ports by message, and what rounds cost (model/MODEL.md, Rounds). In place of Slots and
// PortRules where the fabric's timing is rounds.

class Rounds {
 public:
  Rounds(const SendTable& table, Findings& findings, Budget& budget, const Limits& limits);

  // The messages of the next round. May throw OverBudget or Ended; then it is of no further use.
  void step(const StepRows& batch, const Messages& messages);

  std::uint64_t messages() const { return sent_; }  // that leave a processor
  std::uint64_t volume() const { return volume_; }
  // On shared paths; nothing also where its denominator is too large.
  std::optional<Fraction> load() const { return load_; }
  std::uint64_t hops() const { return hops_; }

 private:
  // A message on a lane of a channel.
  struct Use {
    ChannelId channel;
    LaneId lane;
    std::uint32_t message = 0;
    std::uint32_t row = 0;
  };
  struct Port {
    NodeId processor;
    bool receives = false;
    std::uint32_t row = 0;
  };

  // A row on a channel, and on its link in half duplex.
  struct CarriedRow {
    ChannelId link;
    ChannelId channel;
    auto operator<=>(const CarriedRow&) const = default;
  };

  NodeId sender(const StepRows& batch, std::uint32_t row) const {
    return table_.fabric.channel(batch.rows[row].channel).from;
  }
  void list_uses(const StepRows& batch, const Messages& messages);
  void judge_lanes(const StepRows& batch);
  void judge_lane(const StepRows& batch, std::span<const Use> uses);
  void judge_channel(const StepRows& batch, std::span<const Use> uses);
  void judge_links(const StepRows& batch);
  void judge_ports(const StepRows& batch, const Messages& messages);
  void judge_processor(const StepRows& batch, std::span<const Port> ports);
  std::uint64_t longest(const Messages& messages) const;
  void add_loads(const StepRows& batch);
  void look_while_sorting() { look_at_limits(limits_, compared_++); }

  const SendTable& table_;
  Findings& findings_;
  const Limits& limits_;
  Share share_;
  std::vector<Use> uses_;  // by channel, lane, message
  std::vector<Port> ports_;
  std::vector<CarriedRow> carried_;  // of this round: one for each row
  std::uint64_t compared_ = 0;
  std::uint64_t sent_ = 0;
  std::uint64_t volume_ = 0;
  std::optional<Fraction> load_;
  std::uint64_t hops_ = 0;
};

// PortRules: the half-duplex and single-port rules. Fabrics without these rules pay nothing.

class PortRules {
 public:
  // Counters for each channel (half duplex) and processor (single port). May throw OverBudget.
  PortRules(const SendTable& table, Findings& findings, Budget& budget);

  void step(const StepRows& batch);

 private:
  // How many rows one channel, or one processor's side, has in this step, and the last of them.
  struct Count {
    std::uint32_t rows = 0;
    std::uint32_t latest = 0;
  };

  void judge_links(const StepRows& batch);
  void judge_processors(const StepRows& batch);
  void judge_processor(const StepRows& batch, NodeId processor);

  const SendTable& table_;
  Findings& findings_;
  Share share_;
  bool half_;
  bool single_;
  PerChannel<Count> on_channel_;  // in this step
  std::size_t most_rows_ = 0;     // of a step, so far
  std::vector<Count> sent_;
  std::vector<Count> received_;
};

class RowRules {
 public:
  // Keeps references; `report` gets what is measured.
  RowRules(const SendTable& table, Findings& findings, Budget& budget, const Limits& limits, Report& report);

  // Judges a step; what does not fit into the budget any more is unknown from then on.
  void step(const StepRows& batch);

  // In rounds: the messages of the round at work; null where the fabric counts steps.
  const Messages* messages() const { return messages_.get(); }
  // Whether a round could not be divided into messages: nothing that needs them can go on.
  bool undivided() const { return messages_ != nullptr && rounds_ == nullptr; }
  Reason unknown() const { return unknown_; }

 private:
  void judge_round(const StepRows& batch);

  Report& report_;
  Reason unknown_ = Reason::none;
  std::unique_ptr<Slots> slots_;  // null if the budget does not suffice; so with port_rules_
  std::unique_ptr<PortRules> port_rules_;
  std::unique_ptr<Messages> messages_;  // null if the fabric's timing is steps. So with rounds_
  std::unique_ptr<Rounds> rounds_;
};

}  // namespace quadrille::checker
