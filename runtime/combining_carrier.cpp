// Moves partial reductions: the joins of model/MODEL.md, replayed row by row.
//
// A row out of its packet's origin carries the partial reduction that the origin holds; a row out of any other node
// carries what that packet last brought there. At the packet's target it is joined. If it is disjoint from the one
// held, both are united; if it contains the one held, it replaces it; otherwise a contribution is counted twice. For
// example, in a reduction to 0 among three, `send 2 -> 1` in step 1 leaves {1, 2} at 1, and `send 1 -> 0` in step 2
// leaves {0, 1, 2} at 0.
//
// Cost: rows · log(rows of a step), as arrivals are put in an order that does not depend on that of the rows; the runs
// of the sets that are joined; at the end, values · processors.
#include "runtime/combining_carrier.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace quadrille::replaying {

bool CombiningCarrier::step(const StepRows& step) {
  moves_.clear();
  for (const Row& row : step.rows) moves_.push_back({context_.fabric.channel(row.channel).from, &row, &row});
  carry_moves(step);
  return true;
}

void CombiningCarrier::round(const StepRows& batch, std::span<const Message> messages) {
  moves_.clear();
  for (const Message& message : messages) {
    const Message* joined = message.joins() ? &message : nullptr;
    const Message::End& begin = message.from.front();
    const Message::End& end = message.to.front();
    for (std::uint32_t packet = 0; packet < message.packets; ++packet) {
      moves_.push_back({begin.node, &batch.rows[message.row(packet, end.hop)],
                        &batch.rows[message.row(packet, begin.hop)], joined, packet});
    }
  }
  carry_moves(batch);
}

// First every row takes its partial reduction along, then all arrive, and then those at their targets are joined. So
// a packet that arrives in a step cannot leave in it.
void CombiningCarrier::carry_moves(const StepRows& step) {
  std::stable_sort(moves_.begin(), moves_.end(), [this](const CarriedPacket& a, const CarriedPacket& b) {
    context_.work.spend(1);
    return std::tie(a.row->channel, a.row->lane, a.row->chunk) < std::tie(b.row->channel, b.row->lane, b.row->chunk);
  });
  carried_.clear();
  for (const CarriedPacket& move : moves_) {
    context_.work.spend(1);
    carried_.push_back(move.message ? join_paths(step, move) : depart(step, move.from, *move.first, *move.row));
  }
  joinings_.clear();
  for (std::size_t i = 0; i < moves_.size(); ++i) {
    context_.work.spend(1);
    arrive(step, *moves_[i].row, carried_[i]);
  }
  in_switches_.end_step(step.step);
  std::sort(joinings_.begin(), joinings_.end(), [this](const Joining& a, const Joining& b) {
    context_.work.spend(1);
    return std::tie(a.processor, a.value, a.smallest, a.row->channel, a.row->lane, a.row->chunk, a.carried) <
           std::tie(b.processor, b.value, b.smallest, b.row->channel, b.row->lane, b.row->chunk, b.carried);
  });
  for (auto first = joinings_.begin(); first != joinings_.end();) {
    const auto last = std::find_if(first, joinings_.end(), [&](const Joining& joining) {
      return joining.processor != first->processor || joining.value != first->value;
    });
    join(step.step, {first, last});
    first = last;
  }
}

// The partial reductions that the row, at its place among the step's rows, names.
const ReductionUse& use_at(const StepRows& step, const Row& row) {
  static const ReductionUse nothing;
  return step.uses.empty() ? nothing : step.uses[static_cast<std::size_t>(&row - step.rows.data())];
}

// The partial reduction that is taken from the node; `first` is the row out of the node, and `row` the last one.
// Empty if there is none.
ContributionSet CombiningCarrier::depart(const StepRows& rows, NodeId from, const Row& first, const Row& row) {
  const StepId step = rows.step;
  if (from.value == context_.collective.name(first.chunk).origin) {
    const std::vector<std::uint32_t>& words = use_at(rows, first).sent;
    return words.empty() ? held_.at(context_.collective.value_of(first.chunk), from) : chain(step, from, first, words);
  }
  if (in_switches_.apply() && !context_.fabric.is_processor(from)) return in_switches_.depart(step, from, row);
  CarriedStay* stay = stays_.find({first.chunk.value, from.value});
  if (!stay) {
    add_missing_packet(context_, step, from, first);
    return {};
  }
  if (!context_.fabric.is_processor(from)) context_.queues.leave(stay->stay, row.channel, step);
  return stay->carried;
}

// The paths of the message join in switches.
ContributionSet CombiningCarrier::join_paths(const StepRows& batch, const CarriedPacket& move) {
  const auto take = [&](std::uint32_t at) {
    const Row& row = batch.rows[at];
    return depart(batch, context_.fabric.channel(row.channel).from, row, row);
  };
  const auto join = [&](NodeId node, std::vector<BroughtReduction>& brought) {
    return join_at(batch.step, node, brought);
  };
  return joined_along(*move.message, move.packet, batch, context_.fabric, take, join);
}

ContributionSet CombiningCarrier::join_at(StepId round, NodeId node, std::vector<BroughtReduction>& brought) {
  const bool meet = brought.size() > 1;
  const Row any = brought.front().row;
  ContributionSet joined;
  const auto into = [&](const BroughtReduction&) -> ContributionSet& { return joined; };
  join_in_order(brought, context_.collective, context_.work, into,
                [&](const BroughtReduction& it) { in_switches_.add_clash(round, it); });
  if (meet && joined.has_gap()) in_switches_.add_gap(round, node, any);
  return joined;
}

// Joins partial reductions of the row's origin, one after another.
ContributionSet CombiningCarrier::chain(StepId step, NodeId from, const Row& row,
                                        std::span<const std::uint32_t> numbers) {
  HeldReductions::Chain chain = held_.chained(context_.collective.value_of(row.chunk), from, numbers);
  for (std::uint32_t i = 0; i < chain.overlapping; ++i) {
    context_.faults.add(step, row.channel, row.chunk, [&] {
      return fmt::format("a contribution is counted twice in the words of packet {} at processor {}",
                         context_.collective.label(row.chunk), context_.fabric.name(from));
    });
  }
  if (chain.missing) add_missing_packet(context_, step, from, row);
  if (chain.gap && context_.collective.ordered()) {
    context_.faults.add(step, row.channel, row.chunk, [&] {
      return fmt::format("the words of packet {} at processor {} leave a gap", context_.collective.label(row.chunk),
                         context_.fabric.name(from));
    });
  }
  return std::move(chain.made);
}

void CombiningCarrier::arrive(const StepRows& rows, const Row& row, const ContributionSet& carried) {
  const StepId step = rows.step;
  const NodeId to = context_.fabric.channel(row.channel).to;
  if (in_switches_.apply() && !context_.fabric.is_processor(to)) return in_switches_.arrive(step, row, carried);
  *stays_.insert({row.chunk.value, to.value}).first = {{step.value, 0}, carried};
  const auto target = context_.collective.name(row.chunk).target;
  if (carried.empty() || !target || to.value != *target) return;
  joinings_.push_back(
      {to, context_.collective.value_of(row.chunk), carried.smallest(), &row, &carried, use_at(rows, row).arrival});
}

// Joins all partial reductions of one value that reach one processor in this step.
void CombiningCarrier::join(StepId step, std::span<const Joining> joinings) {
  const Joining& first = joinings.front();
  for (const Joining& joining : joinings) {
    context_.work.spend(1);
    const Arrival became = held_.arrive(joining.value, joining.processor, *joining.carried, joining.arrival);
    if (became == Arrival::joined) add_not_joined(step, joining);
  }
  if (!context_.collective.ordered() || !held_.at(first.value, first.processor).has_gap()) return;
  context_.faults.add(step, first.row->channel, first.row->chunk, [&] {
    return fmt::format("the partial reduction at processor {} has a gap after {} {}",
                       context_.fabric.name(first.processor), step_word(context_.fabric), step.value);
  });
}

void CombiningCarrier::add_not_joined(StepId step, const Joining& joining) {
  context_.faults.add(step, joining.row->channel, joining.row->chunk, [&] {
    const bool stored = joining.arrival == Arrival::stored;
    return fmt::format("{}: packet {} at processor {}",
                       stored ? "what is stored does not contain what it replaces" : "a contribution is counted twice",
                       context_.collective.label(joining.row->chunk), context_.fabric.name(joining.processor));
  });
}

// Once the list of faults is full, only places that rows have touched are looked at.
void CombiningCarrier::finish(StepId end) {
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

// The number of demands that are met in the values after `last`: those at places that rows have touched, and those
// that processors meet from the start, which are the same in every value.
std::uint64_t CombiningCarrier::met_after(std::uint32_t last) {
  const Collective& collective = context_.collective;
  const auto own = [&](std::uint32_t value, std::uint32_t p) {
    const auto wanted = collective.wanted_contributions(value, NodeId(p));
    return wanted && wanted->first == p && wanted->second == p;
  };
  std::uint64_t met = 0;
  for (std::uint32_t p = 0; p < collective.processors(); ++p) met += own(last, p) ? collective.values() - 1 - last : 0;
  held_.each([&](std::uint32_t value, NodeId processor, const ContributionSet&) {
    context_.work.spend(1);
    if (value <= last) return;
    const auto wanted = collective.wanted_contributions(value, processor);
    if (wanted && meets(value, processor, ContributionSet(wanted->first, wanted->second))) ++met;
    if (own(value, processor.value)) --met;  // counted already
  });
  return met;
}

// Whether the partial reductions with only wanted contributions together make up the wanted ones.
bool CombiningCarrier::meets(std::uint32_t value, NodeId processor, const ContributionSet& wanted) {
  if (held_.count(value, processor) == 1) return held_.at(value, processor) == wanted;
  ContributionSet made;
  for (const std::uint32_t number : held_.wanted(value, processor, wanted)) {
    const ContributionSet next = held_.at(value, processor, number);
    if (!held_.fit(made, next) || (context_.collective.ordered() && next.has_gap())) return false;
    made = made.united(next);
  }
  return made == wanted;
}

void CombiningCarrier::judge_end(StepId end, std::uint32_t value, NodeId processor) {
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

}  // namespace quadrille::replaying
