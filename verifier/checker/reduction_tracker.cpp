// Idea: carry the contribution set of every partial reduction along the rows, by the rules of
// model/MODEL.md: a set that is disjoint from the one held is united with it, one that contains it replaces it, any
// other would count a contribution twice.
//
//   reduce to 0 on the line 0-1-2: in step 1, 2->1 brings {2}, and 1 holds {1-2}; in step 2, 1->0 brings {1-2}, and 0
//   holds {0-2}, as demanded. A further row that brings {2} to 0 is neither disjoint from {0-2} nor contains it: 2
//   would be counted twice
//
// Cost: reduction_tracker.h.
#include "verifier/checker/reduction_tracker.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>

namespace quadrille::checker {

ReductionTracker::ReductionTracker(Pass pass, const Messages* messages)
    : pass_(pass),
      messages_(messages),
      share_(pass.budget),
      additions_(pass.table.collective, pass.budget),
      held_(pass.budget),
      kept_(pass.budget),
      brought_(pass.budget),
      switches_(SwitchContents::make(pass, additions_)) {}

void ReductionTracker::step(const StepRows& batch) {
  constexpr std::uint64_t for_each = sizeof(ContributionsRef) + sizeof(Join) + sizeof(Move) + sizeof(order_[0]);
  const std::size_t rows = batch.rows.size();
  share_.add(rows * for_each);
  if (messages_ == nullptr) moves_of_rows(batch, pass_.table.fabric, moves_of_rows_);
  moves_ = messages_ == nullptr ? std::span<const Move>(moves_of_rows_) : messages_->moves();
  if (switches_) put_in_order(moves_, pass_.limits, order_);
  const auto number_at = [this](std::size_t at) { return switches_ ? order_[at] : static_cast<std::uint32_t>(at); };
  carried_.resize(moves_.size());
  for (std::size_t at = 0; at < moves_.size(); ++at) {
    look_at_limits(pass_.limits, at);
    const Move& move = moves_[number_at(at)];
    carried_[number_at(at)] = move.joined == nullptr ? picked_up(batch, move) : joined_on_path(batch, move);
  }
  for (std::size_t at = 0; at < moves_.size(); ++at) {
    look_at_limits(pass_.limits, at);
    arrive(batch, number_at(at));
  }
  if (switches_) switches_->end_step(batch);
  join_all(batch);
  carried_.clear();
  joins_.clear();
  share_.remove(rows * for_each);
}

// The contribution set that a processor holds; its own contribution, if nothing has arrived yet.
ContributionsRef ReductionTracker::held(std::uint32_t value, NodeId processor) {
  ContributionsRef& set = *held_.insert({value, processor.value}).first;
  if (!set) set = additions_.own(processor.value);
  return set;
}

// The contribution set that a move carries; the departure is judged. No arrival of this step has been recorded yet.
ContributionsRef ReductionTracker::picked_up(const StepRows& batch, const Move& move) {
  const ChunkName name = pass_.table.collective.name(move.chunk);
  if (move.from.value == name.origin) {
    const bool says = !batch.uses.empty() && !batch.uses[move.first_row].sent.empty();
    return says ? chained(batch, move, name) : held(name.part, move.from);
  }
  if (switches_ && !pass_.table.fabric.is_processor(move.from)) return switches_->leave(batch, move);
  Brought* brought = brought_.find({move.chunk.value, move.from.value});
  if (brought == nullptr) {
    add_causal(pass_, batch, move.row, move.from, [] { return std::string(); });
    return nullptr;
  }
  if (messages_ == nullptr && !pass_.table.fabric.is_processor(move.from)) {
    leave_switch(pass_, brought->stay, move.channel, move.from, batch.step.value);
  }
  return brought->set;
}

// A word of its origin; null if it is not there.
ContributionsRef ReductionTracker::partial_reduction(std::uint32_t value, NodeId processor, std::uint32_t number) {
  if (number == 0) return held(value, processor);
  const Kept* kept = kept_.find({value, processor.value});
  return kept != nullptr && number <= kept->size() ? (*kept)[number - 1] : nullptr;
}

// What the words make that the row names, one after another; null if none is there.
ContributionsRef ReductionTracker::chained(const StepRows& batch, const Move& move, const ChunkName& name) {
  Sum chain(additions_, nullptr);
  std::optional<std::uint32_t> missing;
  bool gap = false;
  const auto blame = [&](const std::string& why) {
    pass_.findings.add(Property::complete, batch.step.value, [&] {
      std::string text =
          fmt::format("{} leaves processor {} in step {} with words of value {} that {}",
                      pass_.table.collective.label(move.chunk), move.from.value, batch.step.value, name.part, why);
      return BlamedViolation{{.step = batch.step,
                              .channel = move.channel,
                              .node = move.from,
                              .chunk = move.chunk,
                              .message = std::move(text)},
                             RowPlace{batch.step, move.first_row}};
    });
  };
  for (const std::uint32_t number : batch.uses[move.first_row].sent) {
    const ContributionsRef next = partial_reduction(name.part, move.from, number);
    if (!next) {
      missing = missing.value_or(number);
    } else if (!chain.fits(*next)) {
      blame(fmt::format("count {} twice", first_common(chain.now()->intervals(), next->intervals())));
    } else {
      chain.add(next, {batch.step.value, move.first_row, move.from});
      gap = gap || chain.now()->intervals().size() > 1;
    }
  }
  if (gap && pass_.table.collective.ordered()) blame("leave a gap, in an ordered operation");
  if (missing) {
    add_causal(pass_, batch, move.first_row, move.from, [&] { return fmt::format(": it has no word {}", *missing); });
  }
  return chain.made();
}

// Records a move's arrival; of one packet's several at one node in one step the last by channel and lane counts.
void ReductionTracker::arrive(const StepRows& batch, std::uint32_t number) {
  const Move& move = moves_[number];
  const ChunkName name = pass_.table.collective.name(move.chunk);
  const ContributionsRef& carried = carried_[number];
  if (name.target == move.to.value && carried) {
    joins_.push_back(
        {move.to.value, name.part, carried->intervals().front().first, move.channel, move.lane, move.chunk, number});
  }
  if (name.origin == move.to.value) return;
  if (switches_ && !pass_.table.fabric.is_processor(move.to)) return switches_->reach(batch, move, carried);
  Brought& brought = *brought_.insert({move.chunk.value, move.to.value}).first;
  if (brought.stay.arrival == batch.step.value) {
    const Move& other = moves_[brought.move];
    if (std::tie(move.channel, move.lane) < std::tie(other.channel, other.lane)) return;
  }
  brought = Brought{Stay{batch.step.value, 0}, number, carried};
}

void ReductionTracker::join_all(const StepRows& batch) {
  std::uint64_t compared = 0;
  std::sort(joins_.begin(), joins_.end(), [&](const Join& a, const Join& b) {
    look_at_limits(pass_.limits, compared++);
    return a < b;
  });
  std::uint64_t joined = 0;
  for (auto next = joins_.begin(); next != joins_.end();) {
    const Join& first = *next;
    // All joins of one processor and value, in the order of model/MODEL.md: smallest contribution, channel, lane,
    // packet.
    Sum sum(additions_, held(first.value, NodeId{first.processor}));
    for (; next != joins_.end() && next->processor == first.processor && next->value == first.value; ++next) {
      look_at_limits(pass_.limits, joined++);
      join(batch, *next, sum);
    }
    judge_gaps(batch, *(next - 1), sum.now()->intervals());
    *held_.insert({first.value, first.processor}).first = sum.made();
    changes(NodeId{first.processor}, std::nullopt, first.value);
  }
}

// Joins one arriving contribution set to the one held, if that counts nothing twice, or as the row says.
void ReductionTracker::join(const StepRows& batch, const Join& join, Sum& sum) {
  const ContributionsRef& carried = carried_[join.move];
  const Arrival arrival = batch.uses.empty() ? Arrival::joined : batch.uses[moves_[join.move].row].arrival;
  if (arrival == Arrival::kept) return keep(join);
  const Intervals& held = sum.now()->intervals();
  if (arrival != Arrival::stored && sum.fits(*carried)) {
    sum.add(carried, {batch.step.value, moves_[join.move].row, NodeId{join.processor}});
  } else if (arrival != Arrival::combined && contains(carried->intervals(), held)) {
    sum.replace(carried);
  } else {
    pass_.findings.add(Property::complete, batch.step.value, [&] {
      const Move& move = moves_[join.move];
      std::optional<std::uint32_t> twice;
      if (arrival != Arrival::stored) twice = first_common(carried->intervals(), held);
      const std::string why =
          twice ? fmt::format("{} is counted twice", *twice) : "what is stored must contain what it replaces";
      std::string text =
          fmt::format("{} brings the contributions {} of value {} to processor {} in step {}, which holds {}: {}",
                      pass_.table.collective.label(move.chunk), text_of(carried->intervals()), join.value,
                      join.processor, batch.step.value, text_of(held), why);
      return BlamedViolation{{.step = batch.step,
                              .channel = move.channel,
                              .node = NodeId{join.processor},
                              .chunk = move.chunk,
                              .value = join.value,
                              .contribution = twice,
                              .message = std::move(text)},
                             RowPlace{batch.step, move.row}};
    });
  }
}

void ReductionTracker::keep(const Join& join) {
  share_.add(2 * sizeof(ContributionsRef));  // as vectors grow
  kept_.insert({join.value, join.processor}).first->push_back(carried_[join.move]);
}

// An ordered operation can only hold an interval when a step's joins are done.
void ReductionTracker::judge_gaps(const StepRows& batch, const Join& last, const Intervals& held) {
  if (held.size() <= 1 || !pass_.table.collective.ordered()) return;
  pass_.findings.add(Property::complete, batch.step.value, [&] {
    std::string text = fmt::format(
        "processor {} has joined the contributions {} of value {} in step {}: an ordered "
        "operation leaves no gaps",
        last.processor, text_of(held), last.value, batch.step.value);
    return BlamedViolation{{.step = batch.step,
                            .channel = last.channel,
                            .node = NodeId{last.processor},
                            .chunk = moves_[last.move].chunk,
                            .message = std::move(text)},
                           RowPlace{batch.step, moves_[last.move].row}};
  });
}

}  // namespace quadrille::checker
