// JoinedReductions says what becomes of arrivals in a combining collective. A table names packets, not what they carry,
// so their contributions are followed through the whole table, by the rules of model/MODEL.md, step by step, with the
// sets of contributions that the simulator has.
//
// For example, an ordered reduction to 2 among four, in one step: 2 holds {2}, and {0}, {1} and {3} arrive. What
// becomes of them is settled by smallest contribution; they are added in an order in which each stands next to what is
// held, so 1 comes first (before), then 0 (before), then 3 (after). Where an arrival contains what is held, it takes
// its place, and what was joined earlier in the step is not needed. Cost: the runs of the sets that are joined.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "export/program.h"
#include "model/send_table.h"
#include "motion/moves.h"
#include "motion/reductions.h"

namespace quadrille::exporting {

// A chunk that arrives, and what becomes of it.
struct Reception {
  const ChunkMove* move;
  Action action = Action::store;
};

class JoinedReductions final : ReductionVisitor {
 public:
  // Both outlive it.
  JoinedReductions(const SendTable& table, Work& work)
      : table_(table), moved_(table.fabric, table.collective, work, *this), packets_(&work) {}
  // Likewise, of the packets of these values alone, in less memory. `passed_on`: packets are known to go on from their
  // targets; else GoesOnFromTarget is thrown if one does.
  JoinedReductions(const SendTable& table, Work& work, ValueRange values, bool passed_on)
      : table_(table), moved_(table.fabric, table.collective, work, *this, values, passed_on), packets_(&work) {}
  JoinedReductions(const JoinedReductions&) = delete;
  JoinedReductions& operator=(const JoinedReductions&) = delete;

  // Carries out a step: its moves, and its arrivals in their order (motion/followed_moves.h); or says what breaks the
  // model's rules. Throws Ended, and GoesOnFromTarget.
  std::optional<StepFault> step(const StepRows& step, std::span<const ChunkMove> moves,
                                std::span<const ChunkMove> arrivals) {
    packets_.clear();
    numbers_.clear();
    if (!moves.empty()) packet_of_.resize(std::max<std::size_t>(packet_of_.size(), moves.back().number + 1));
    for (const ChunkMove& move : moves) {
      if (move.leaves_to_join) continue;
      packet_of_[move.number] = static_cast<std::uint32_t>(packets_.size());
      numbers_.push_back(move.number);
      packets_.push_back({move.joining, move.packet, move.first_row, move.last_row});
    }
    list_joinings(arrivals);
    fault_.reset();
    moved_.step(step, packets_);
    if (fault_) return fault_;
    for (Joining& joining : joinings_) {
      const std::uint32_t packet = packet_of_[joining.move->number];
      joining.brought = moved_.carried()[packet];
      joining.became = moved_.became()[packet];
    }
    std::stable_sort(joinings_.begin(), joinings_.end(), [](const Joining& a, const Joining& b) {
      return std::tuple(a.place, a.brought.smallest()) < std::tuple(b.place, b.brought.smallest());
    });
    receptions_.clear();
    keep();
    for (auto first = joinings_.begin(); first != joinings_.end();) {
      const auto last =
          std::find_if(first, joinings_.end(), [&](const Joining& joining) { return joining.place != first->place; });
      if (auto wrong = join(step.step, first, last)) return wrong;
      first = last;
    }
    for (const ChunkMove& move : arrivals) {
      if (!at_target(move)) receptions_.push_back({&move});
    }
    return std::nullopt;
  }

  // The last step's arrivals, in an order in which what is combined always makes an interval, if the operation is
  // ordered. Valid as long as the arrivals.
  std::span<const Reception> receptions() const { return receptions_; }

  // The partial reductions that make up the processor's result for a value as it is now, in order of rank.
  std::vector<std::uint32_t> result(std::uint32_t value, NodeId processor) const {
    const auto wanted = table_.collective.wanted_contributions(value, processor);
    if (!wanted) return {};
    const ContributionSet all(static_cast<std::uint32_t>(wanted->first), static_cast<std::uint32_t>(wanted->second));
    return moved_.held().wanted(value, processor, all);
  }

  // The partial reductions that a row names, in the order in which they are combined: that of rank, if the operation is
  // ordered.
  std::vector<std::uint32_t> in_order(std::uint32_t value, NodeId processor, std::vector<std::uint32_t> numbers) const {
    if (!table_.collective.ordered()) return numbers;
    std::ranges::sort(numbers, {},
                      [&](std::uint32_t number) { return moved_.held().at(value, processor, number).smallest(); });
    return numbers;
  }

  // Whether all are there that the move's row names, and can be chained.
  bool has(const ChunkMove& move) const {
    const HeldReductions::Chain chain =
        moved_.held().chained(table_.collective.value_of(move.chunk), move.from, move.leaving->sent);
    return !chain.missing && chain.overlapping == 0 && !(chain.gap && table_.collective.ordered());
  }

 private:
  struct Joining {
    std::pair<std::uint32_t, NodeId> place;  // value, processor
    const ChunkMove* move;
    ContributionSet before;   // held there when the step begins, if the operation is ordered
    ContributionSet brought;  // and what becomes of it
    Arrival became = Arrival::joined;
  };
  using Joinings = std::vector<Joining>::iterator;

  bool at_target(const ChunkMove& move) const { return table_.collective.name(move.chunk).target == move.to.value; }

  void fault(const StepRows& rows, const ReductionFault& fault) override {
    using Kind = ReductionFault::Kind;
    if (fault.kind == Kind::not_joined || fault.kind == Kind::gap_held) return;  // join() and chain() find these
    const std::string name = table_.fabric.name(fault.at);
    const std::string packet = table_.collective.label(rows.rows[fault.row].chunk);
    const std::uint32_t step = rows.step.value;
    StepFault wrong{rows.step, StepFault::FaultPlace::departure, numbers_[fault.packet]};
    if (fault.kind == Kind::twice_in_switch || fault.kind == Kind::twice_on_path) {
      if (fault.kind == Kind::twice_in_switch) wrong.place = StepFault::FaultPlace::at_switch;
      wrong.why = fmt::format("a contribution is counted twice at switch {} in step {}, by {}", name, step, packet);
    } else if (fault.kind == Kind::gap_out_of_switch) {
      wrong.why = fmt::format("what leaves switch {} in step {} has a gap", name, step);
    } else if (table_.fabric.is_processor(fault.at)) {
      wrong.why = fmt::format("{} sends {} in step {}, but does not have it", name, packet, step);
    } else {
      wrong.why = fmt::format("in step {} switch {} sends packet {}, which it does not have", step, name, packet);
    }
    if (!fault_ || wrong < *fault_) fault_ = std::move(wrong);
  }

  void list_joinings(std::span<const ChunkMove> arrivals) {
    joinings_.clear();
    for (const ChunkMove& move : arrivals) {
      if (!at_target(move)) continue;
      const std::uint32_t value = table_.collective.value_of(move.chunk);
      Joining& joining = joinings_.emplace_back();
      joining.place = {value, move.to};
      joining.move = &move;
      if (table_.collective.ordered()) joining.before = moved_.held().at(value, move.to);
    }
  }

  // Takes those that are kept out of the joinings, which are in the order of arrivals.
  void keep() {
    std::erase_if(joinings_, [&](const Joining& joining) {
      if (joining.became != Arrival::kept) return false;
      receptions_.push_back({joining.move, Action::keep});
      return true;
    });
  }

  // All that reaches one processor and value in this step.
  std::optional<StepFault> join(StepId step, Joinings first, Joinings last) {
    const NodeId at = first->move->to;
    const auto wrong = [&](std::string why) {
      return StepFault{step, StepFault::FaultPlace::arrival, 0, std::move(why)};
    };
    ContributionSet base = first->before;  // what the last one that replaced has left
    auto after_base = first;               // what came behind it
    for (auto it = first; it != last; ++it) {
      const ReductionUse* use = it->move->arriving;
      const Arrival said = use == nullptr ? Arrival::joined : use->arrival;
      // An arrival that can be combined is, unless the table says otherwise.
      if (it->became == Arrival::stored && (said == Arrival::stored || !table_.collective.idempotent())) {
        for (; after_base != it; ++after_base) receptions_.push_back({after_base->move, Action::discard});
        receptions_.push_back({it->move, Action::store});
        base = it->brought;
        after_base = it + 1;
      } else if (it->became == Arrival::joined) {
        return wrong(fmt::format("{} at processor {} in step {}, by {}",
                                 said == Arrival::stored ? "what is held is replaced by what does not contain it"
                                                         : "a contribution is counted twice",
                                 table_.fabric.name(at), step.value, table_.collective.label(it->move->chunk)));
      }
    }
    if (!chain(after_base, last, base)) {
      return wrong(fmt::format("what processor {} combines in step {} has a gap", table_.fabric.name(at), step.value));
    }
    return std::nullopt;
  }

  // Unites these with `from`: in any order if the operation commutes, else outwards on either side.
  bool chain(Joinings first, Joinings last, const ContributionSet& from) {
    if (!table_.collective.ordered()) {
      for (auto it = first; it != last; ++it) receptions_.push_back({it->move, Action::combine});
      return true;
    }
    // They come by increasing smallest contribution.
    const auto above =
        std::find_if(first, last, [&](const Joining& joining) { return joining.brought.smallest() > from.smallest(); });
    ContributionSet now = from;
    const auto add = [&](const Joining& joining, Action action) {
      receptions_.push_back({joining.move, action});
      now = now.united(joining.brought);
      return !now.has_gap();
    };
    for (auto it = above; it != first; --it) {
      if (!add(*(it - 1), Action::combine_before)) return false;
    }
    for (auto it = above; it != last; ++it) {
      if (!add(*it, Action::combine_after)) return false;
    }
    return true;
  }

  const SendTable& table_;
  MovedReductions moved_;
  std::pmr::vector<MovedPacket> packets_;  // of the step
  std::vector<std::uint32_t> numbers_;     // by packet: its move's
  std::vector<std::uint32_t> packet_of_;   // by a move's number
  std::optional<StepFault> fault_;         // of the step: the least but for those at arrivals
  std::vector<Joining> joinings_;
  std::vector<Reception> receptions_;
};

}  // namespace quadrille::exporting
