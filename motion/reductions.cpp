// A table names packets, not what they carry. A row out of its packet's origin carries the partial reduction that the
// origin holds, or those that the row names; a row out of any other node carries what that packet last brought there.
// At the packet's target it is joined to what is held.
//
// For example, in a reduction to 0 among three, `send 2 -> 1` in step 1 leaves {1, 2} at 1, and `send 1 -> 0` in step 2
// leaves {0, 1, 2} at 0. Around a switch that reduces, 1->s and 2->s in step 1 leave {1, 2} there, which one row takes
// to 0 in step 2, whichever of the two it names.
//
// Paths of a message that join are followed inwards, so what comes to a node is known before what leaves it.
//
// Cost: rows · log(rows of a step), as arrivals join in an order that does not depend on that of the rows; the
// intervals of the sets that are joined; where switches do more than copy, a search in an ordered map for each row into
// or out of one. Memory: what is held, and the packets on their way.
#include "motion/reductions.h"

#include <algorithm>
#include <utility>

namespace quadrille {

void list_packets(const StepRows& rows, std::span<const Message> messages, Work& work,
                  std::pmr::vector<MovedPacket>& packets) {
  packets.clear();
  if (messages.empty()) {
    for (std::uint32_t row = 0; row < rows.rows.size(); ++row) packets.push_back({nullptr, 0, row, row});
  }
  for (const Message& message : messages) {
    const Message* joined = message.joins() ? &message : nullptr;
    for (std::uint32_t packet = 0; packet < message.packets; ++packet) {
      packets.push_back(
          {joined, packet, message.row(packet, message.from.front().hop), message.row(packet, message.to.front().hop)});
    }
  }
  std::stable_sort(packets.begin(), packets.end(), [&](const MovedPacket& a, const MovedPacket& b) {
    work.spend(1);
    const Row& one = rows.rows[a.arrives];
    const Row& other = rows.rows[b.arrives];
    return std::tie(one.channel, one.lane, one.chunk) < std::tie(other.channel, other.lane, other.chunk);
  });
}

std::span<const std::uint32_t> ReductionVisitor::sent(const StepRows& rows, std::uint32_t row) {
  return rows.uses.empty() ? std::span<const std::uint32_t>() : rows.uses[row].sent;
}

Arrival ReductionVisitor::said(const StepRows& rows, std::uint32_t row) {
  return rows.uses.empty() ? Arrival::joined : rows.uses[row].arrival;
}

void MovedReductions::step(const StepRows& rows, std::span<const MovedPacket> packets) {
  rows_ = rows;
  carried_.clear();
  for (packet_ = 0; packet_ < packets.size(); ++packet_) {
    work_.spend(1);
    const MovedPacket& packet = packets[packet_];
    carried_.push_back(packet.joined != nullptr ? join_paths(packet) : leave(packet.departs, packet.arrives));
  }
  in_switches_.end_departures();
  at_switches_.clear();
  at_targets_.clear();
  for (std::uint32_t i = 0; i < packets.size(); ++i) {
    work_.spend(1);
    arrive(i, packets[i].arrives);
  }
  join_in_switches(packets);
  became_.assign(packets.size(), Arrival::joined);
  join_at_targets(packets);
}

// --- departures ------------------------------------------------------------------------------------------------------

// Returns what the first of a packet's rows takes along; the packet comes to its receiver by the other one.
ContributionSet MovedReductions::leave(std::uint32_t departs, std::uint32_t arrives) {
  const ChunkId chunk = rows_.rows[departs].chunk;
  const NodeId node = fabric_.channel(rows_.rows[departs].channel).from;
  const ChunkName name = collective_.name(chunk);
  if (name.origin == node.value) return leave_origin(node, departs);
  if (!fabric_.is_processor(node)) return leave_switch(node, departs, arrives);
  if (!keeps_at_targets_ && name.target == node.value) throw GoesOnFromTarget{};
  const ContributionSet* found = brought_.find({chunk.value, node.value});
  if (found != nullptr) return *found;
  fault(ReductionFault::Kind::missing, node, departs);
  return {};
}

// Joins the partial reductions that the row names, one after another.
ContributionSet MovedReductions::leave_origin(NodeId origin, std::uint32_t row) {
  const std::uint32_t value = collective_.value_of(rows_.rows[row].chunk);
  const std::span<const std::uint32_t> numbers = visitor_.sent(rows_, row);
  if (numbers.empty()) return held_.at(value, origin);
  HeldReductions::Chain chain = held_.chained(value, origin, numbers);
  for (std::uint32_t i = 0; i < chain.overlapping; ++i) fault(ReductionFault::Kind::twice_in_words, origin, row);
  if (chain.missing) fault(ReductionFault::Kind::missing, origin, row);
  if (chain.gap && collective_.ordered()) fault(ReductionFault::Kind::gap_in_words, origin, row);
  return std::move(chain.made);
}

ContributionSet MovedReductions::leave_switch(NodeId at, std::uint32_t departs, std::uint32_t arrives) {
  CarriedStay* found = in_switches_.leave(at, rows_.rows[departs].chunk);
  if (found == nullptr) {
    fault(ReductionFault::Kind::missing, at, departs);
    return {};
  }
  const bool first = found->stay.left == 0;
  if (first && fabric_.switches_reduce() && found->carried.has_gap() && collective_.ordered())
    fault(ReductionFault::Kind::gap_out_of_switch, at, departs);
  visitor_.leaves_switch(found->stay, rows_.rows[arrives].channel, rows_.step);
  return found->carried;
}

ContributionSet MovedReductions::join_paths(const MovedPacket& packet) {
  const Message& message = *packet.joined;
  std::map<NodeId, std::vector<std::pair<ContributionSet, std::uint32_t>>> arrived;
  ContributionSet last;
  for (const std::uint32_t hop : message.inwards) {
    work_.spend(1);
    const std::uint32_t row = message.row(packet.packet, hop);
    const Channel& channel = fabric_.channel(rows_.rows[row].channel);
    const auto before = arrived.find(channel.from);
    last = before == arrived.end() ? leave(row, row) : meet(channel.from, std::move(before->second));
    arrived[channel.to].emplace_back(last, row);
  }
  return last;
}

// Joins what paths of a message bring to the switch where they meet, each by the row of the pair.
ContributionSet MovedReductions::meet(NodeId node, std::vector<std::pair<ContributionSet, std::uint32_t>> arrivals) {
  const bool several = arrivals.size() > 1;
  const std::uint32_t any = arrivals.front().second;
  std::erase_if(arrivals, [](const auto& it) { return it.first.empty(); });
  std::ranges::sort(arrivals, {},
                    [&](const auto& it) { return std::pair(it.first.smallest(), rows_.rows[it.second].channel); });
  ContributionSet joined;
  for (const auto& [carried, row] : arrivals)
    unite(joined, carried, {ReductionFault::Kind::twice_on_path, node, row, packet_});
  if (several && joined.has_gap() && collective_.ordered()) fault(ReductionFault::Kind::gap_out_of_switch, node, any);
  return joined;
}

// --- arrivals --------------------------------------------------------------------------------------------------------

void MovedReductions::arrive(std::uint32_t packet, std::uint32_t at) {
  const Row& row = rows_.rows[at];
  const NodeId to = fabric_.channel(row.channel).to;
  const ContributionSet& carried = carried_[packet];
  if (!fabric_.is_processor(to)) {
    if (!fabric_.switches_reduce()) {
      *in_switches_.arrive(to, row.chunk).first = {{rows_.step.value, 0}, carried};
    } else if (!carried.empty()) {
      at_switches_.push_back({{}, 0, carried.smallest(), packet, &row});
    }
    return;
  }
  const bool ends = collective_.name(row.chunk).target == to.value;
  if (!ends || keeps_at_targets_) *brought_.insert({row.chunk.value, to.value}).first = carried;
  if (!ends || carried.empty()) return;
  at_targets_.push_back({to, collective_.value_of(row.chunk), carried.smallest(), packet, &row});
}

// If the two overlap and the operation is not idempotent, that is the fault `clash`.
void MovedReductions::unite(ContributionSet& joined, const ContributionSet& carried, const ReductionFault& clash) {
  if (joined.empty()) {
    joined = carried;
    return;
  }
  if (!held_.fit(joined, carried)) return visitor_.fault(rows_, clash);
  joined = joined.united(carried);
  work_.take(joined.intervals(), sizeof(ContributionSet::Interval));  // an upper bound
}

// By place; there in the order of the smallest contribution, channel, lane and packet.
void MovedReductions::sort(std::pmr::vector<JoiningPacket>& joining) {
  std::sort(joining.begin(), joining.end(), [this](const JoiningPacket& a, const JoiningPacket& b) {
    work_.spend(1);
    return std::tie(a.at, a.value, a.smallest, a.row->channel, a.row->lane, a.row->chunk, a.packet) <
           std::tie(b.at, b.value, b.smallest, b.row->channel, b.row->lane, b.row->chunk, b.packet);
  });
}

void MovedReductions::join_in_switches(std::span<const MovedPacket> packets) {
  sort(at_switches_);
  for (const JoiningPacket& it : at_switches_) {
    work_.spend(1);
    const NodeId at = fabric_.channel(it.row->channel).to;
    const auto [there, fresh] = in_switches_.arrive(at, it.row->chunk);
    if (fresh) there->stay.arrived = rows_.step.value;
    unite(there->carried, carried_[it.packet],
          {ReductionFault::Kind::twice_in_switch, at, packets[it.packet].arrives, it.packet});
  }
}

void MovedReductions::join_at_targets(std::span<const MovedPacket> packets) {
  sort(at_targets_);
  for (std::size_t i = 0, first = 0; i < at_targets_.size(); ++i) {
    work_.spend(1);
    const JoiningPacket& it = at_targets_[i];
    packet_ = it.packet;
    const std::uint32_t row = packets[it.packet].arrives;
    const Arrival said = visitor_.said(rows_, row);
    const Arrival became = held_.arrive(it.value, it.at, carried_[it.packet], said);
    became_[it.packet] = became;
    visitor_.joins(rows_, it.packet, became);
    if (became == Arrival::joined) fault(ReductionFault::Kind::not_joined, it.at, row, said);
    const JoiningPacket* next = i + 1 < at_targets_.size() ? &at_targets_[i + 1] : nullptr;
    if (next != nullptr && next->at == it.at && next->value == it.value) continue;
    if (collective_.ordered() && held_.at(it.value, it.at).has_gap())
      fault(ReductionFault::Kind::gap_held, it.at, packets[at_targets_[first].packet].arrives);
    first = i + 1;
  }
}

}  // namespace quadrille
