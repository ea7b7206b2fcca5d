// The structure and the limits of an execution plan: whether every number in it names something, and what the executor
// refuses, or writes beyond a table for. PROGRAMS.md gives the place of each rule in its source.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "programs/mscclpp/plan.h"
#include "programs/report.h"

namespace quadrille::programs {

// One end of a channel: the number of a GPU's channel of that type.
struct ChannelEnd {
  std::uint32_t rank = 0;
  std::uint32_t channel = 0;
  bool operator==(const ChannelEnd&) const = default;
};

// The other end of a GPU's channel: the k-th one from a to b is tied to the k-th one of its type from b to a. Nothing
// if b has fewer to a: the executor makes an end there that no block uses. Requires peers that exist.
std::optional<ChannelEnd> other_end(const ExecutionPlan& plan, PlanChannel type, ChannelEnd end);

// The effect of operations of a kind: which sources are read where, and which targets are written where.
struct PlanKindRules {
  static constexpr std::size_t all = ~std::size_t{0};
  static constexpr std::size_t none = all;

  std::size_t sources = 0;            // at least
  std::size_t targets = 0;            // at least
  std::size_t most_sources = all;     // as many of them are read: others are passed over
  std::size_t most_targets = all;     // likewise written
  bool pairs = false;                 // as many targets as sources: the i-th of each belong together
  std::size_t own_sources = all;      // the first so many sources are of the own GPU, the others elsewhere
  std::size_t own_targets = all;      // likewise targets
  std::size_t packet_sources = none;  // from this one on, sources are packets in scratch
  std::size_t packet_targets = none;  // likewise targets
  bool adds = false;                  // all sources are added
  bool by_switch = false;             // what is elsewhere is a switch channel's buffer
  bool by_port = false;               // port channels may do it, too
  bool channels = false;              // it needs `channel_ids`
  bool low = false;                   // a thread for each channel, semaphore or transfer does it, not the whole block
};
PlanKindRules rules_of(PlanKind kind);
// Likewise, by its channels: on port channels packets are forwarded as they lie in scratch, and threads hand them over.
PlanKindRules rules_of(const PlanOperation& operation);

// Adds the verdicts of `structure` and `limits` to the report, and lets it cover what is judged of plans. If only small
// messages fit into what the executor counts in, `limits` are conditional. Cost: linear.
void judge_plan_structure(const ExecutionPlan& plan, std::size_t listed, ProgramReport& report);

}  // namespace quadrille::programs
