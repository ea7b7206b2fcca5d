// Moves partial reductions of combining collectives (motion/reductions.h), and lists what is wrong with that. step(),
// round() and finish() throw Ended.
//
// Cost: that of the moves (motion/reductions.h); at the end, values · processors.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <vector>

#include "model/send_table.h"
#include "motion/reductions.h"
#include "motion/step_messages.h"
#include "runtime/context.h"

namespace quadrille::replaying {

class CombiningCarrier final : ReductionVisitor {
 public:
  explicit CombiningCarrier(const ReplayContext& context)
      : context_(context), moved_(context.fabric, context.collective, context.work, *this), packets_(&context.work) {}
  CombiningCarrier(const CombiningCarrier&) = delete;
  CombiningCarrier& operator=(const CombiningCarrier&) = delete;

  bool step(const StepRows& step) {  // always true
    round(step, {});
    return true;
  }

  void round(const StepRows& batch, std::span<const Message> messages) {
    list_packets(batch, messages, context_.work, packets_);
    moved_.step(batch, packets_);
  }

  // Once the list of faults is full, only places that rows have touched are looked at.
  void finish(StepId end) {
    const Collective& collective = context_.collective;
    for (std::uint32_t value = 0; value < collective.values(); ++value) {
      for (std::uint32_t p = 0; p < context_.fabric.processors(); ++p) {
        context_.work.spend(1);
        judge_end(end, value, NodeId(p));
      }
      if (context_.faults.lists_more() || context_.fabric.processors() == 1) continue;
      const std::uint64_t met = met_after(value);
      context_.faults.add_unlisted(collective.demands() - demanded_ - met);
      delivered_ += met;
      demanded_ = collective.demands();
      return;
    }
  }

  std::uint64_t delivered() const { return delivered_; }
  std::uint64_t demanded() const { return demanded_; }

 private:
  void leaves_switch(SwitchStay& stay, ChannelId channel, StepId step) override {
    context_.queues.leave(stay, channel, step);
  }

  void fault(const StepRows& rows, const ReductionFault& fault) override {
    const Row& row = rows.rows[fault.row];
    if (fault.kind == ReductionFault::Kind::missing) return add_missing_packet(context_, rows.step, fault.at, row);
    context_.faults.add(rows.step, row.channel, row.chunk, [&]() -> std::string {
      using Kind = ReductionFault::Kind;
      const std::string packet = context_.collective.label(row.chunk);
      const std::string node = context_.fabric.name(fault.at);
      const char* const word = step_word(context_.fabric);
      switch (fault.kind) {
        case Kind::twice_in_words:
          return fmt::format("a contribution is counted twice in the words of packet {} at processor {}", packet, node);
        case Kind::gap_in_words:
          return fmt::format("the words of packet {} at processor {} leave a gap", packet, node);
        case Kind::twice_on_path:
        case Kind::twice_in_switch:
          return fmt::format("a contribution is counted twice: packet {} at switch {}", packet, node);
        case Kind::gap_out_of_switch:
          return fmt::format("the partial reduction that leaves {} in {} {} has a gap", node, word, rows.step.value);
        case Kind::gap_held:
          return fmt::format("the partial reduction at processor {} has a gap after {} {}", node, word,
                             rows.step.value);
        case Kind::missing:
        case Kind::not_joined:
          break;
      }
      return fmt::format("{}: packet {} at processor {}",
                         fault.said == Arrival::stored ? "what is stored does not contain what it replaces"
                                                       : "a contribution is counted twice",
                         packet, node);
    });
  }

  // Whether the partial reductions with only wanted contributions together make up the wanted ones.
  bool meets(std::uint32_t value, NodeId processor, const ContributionSet& wanted) const {
    if (moved_.held().count(value, processor) == 1) return moved_.held().at(value, processor) == wanted;
    ContributionSet made;
    for (const std::uint32_t number : moved_.held().wanted(value, processor, wanted)) {
      const ContributionSet next = moved_.held().at(value, processor, number);
      if (!moved_.held().fit(made, next) || (context_.collective.ordered() && next.has_gap())) return false;
      made = made.united(next);
    }
    return made == wanted;
  }

  void judge_end(StepId end, std::uint32_t value, NodeId processor) {
    const auto wanted = context_.collective.wanted_contributions(value, processor);
    if (!wanted) return;
    ++demanded_;
    if (meets(value, processor, ContributionSet(wanted->first, wanted->second))) {
      ++delivered_;
      return;
    }
    context_.faults.add(end, {}, {}, [&] {
      return fmt::format("processor {} does not end with the contributions {} to {} of value {}",
                         context_.fabric.name(processor), wanted->first, wanted->second, value);
    });
  }

  // The number of demands that are met in the values after `last`: those at places that rows have touched, and those
  // that processors meet from the start, which are the same in every value.
  std::uint64_t met_after(std::uint32_t last) {
    const Collective& collective = context_.collective;
    const auto own = [&](std::uint32_t value, std::uint32_t p) {
      const auto wanted = collective.wanted_contributions(value, NodeId(p));
      return wanted && wanted->first == p && wanted->second == p;
    };
    std::uint64_t met = 0;
    for (std::uint32_t p = 0; p < collective.processors(); ++p)
      met += own(last, p) ? collective.values() - 1 - last : 0;
    moved_.held().each([&](std::uint32_t value, NodeId processor, const ContributionSet&) {
      context_.work.spend(1);
      if (value <= last) return;
      const auto wanted = collective.wanted_contributions(value, processor);
      if (wanted && meets(value, processor, ContributionSet(wanted->first, wanted->second))) ++met;
      if (own(value, processor.value)) --met;  // counted already
    });
    return met;
  }

  ReplayContext context_;
  MovedReductions moved_;
  std::pmr::vector<MovedPacket> packets_;  // of the step
  std::uint64_t delivered_ = 0;
  std::uint64_t demanded_ = 0;
};

}  // namespace quadrille::replaying
