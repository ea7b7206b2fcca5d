// Rounds: lanes, capacities and ports by message, and what rounds cost (model/MODEL.md, Rounds). In place of Slots and
// PortRules where the fabric's timing is rounds.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/send_table.h"
#include "model/terms/fraction.h"
#include "verifier/checker/rows/budget.h"
#include "verifier/checker/rows/findings.h"
#include "verifier/checker/rows/messages.h"

namespace quadrille::checker {

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

}  // namespace quadrille::checker
