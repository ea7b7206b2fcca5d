// Packets are followed through switches, each from the processor that it last left.
//
// For example, the rows 0->s in step 1 and s->1, s->2 in steps 2 and 3 of one packet are two moves, from 0 to 1 and
// from 0 to 2, which leave in step 1 and arrive in steps 2 and 3. Cost: that of StepMoves, and memory for each packet
// that a switch has.
#include "motion/followed_moves.h"

#include <fmt/format.h>

#include <algorithm>

namespace quadrille {

FollowedMoves::FollowedMoves(const SendTable& table, Work& work, bool keep, std::optional<ValueRange> values)
    : table_(table),
      values_(values),
      switches_(table.fabric.has_switches()),
      joins_(joins_in_switches(table)),
      step_moves_(table, work, joins_),
      in_switches_(table.fabric, table.collective, work, keep),
      reached_(&work) {}

std::optional<StepFault> FollowedMoves::read(const StepRows& step) {
  arrivals_.clear();
  if (auto wrong = step_moves_.read(step, moves_)) return wrong;
  if (values_) {
    std::erase_if(moves_,
                  [&](const ChunkMove& move) { return !values_->contains(table_.collective.value_of(move.chunk)); });
  }
  if (joins_) {
    for (std::size_t i = 0; i < moves_.size(); ++i) {
      moves_[i].departure = i;
      if (!moves_[i].leaves_to_join && table_.fabric.is_processor(moves_[i].to)) arrivals_.push_back(moves_[i]);
    }
    return std::nullopt;
  }
  std::uint64_t departure = reached_.size();
  for (ChunkMove& move : moves_) {
    if (table_.fabric.is_processor(move.from)) move.departure = departure++;
  }
  if (!switches_) {
    arrivals_ = moves_;
    return std::nullopt;
  }
  reached_.resize(departure);
  for (ChunkMove& move : moves_) {
    if (auto wrong = follow(step.step, move)) return wrong;
  }
  in_switches_.end_departures();
  for (const auto& [move, packet] : entered_) *in_switches_.arrive(move->to, move->chunk).first = packet;
  entered_.clear();
  return std::nullopt;
}

std::optional<StepFault> FollowedMoves::follow(StepId step, ChunkMove& move) {
  Passing packet{move.from, step, move.first_channel, move.first_lane, move.departure};
  const bool from_switch = !table_.fabric.is_processor(move.from);
  if (from_switch) {
    const Passing* found = in_switches_.leave(move.from, move.chunk);
    if (found == nullptr) {
      return StepFault{step, StepFault::FaultPlace::in_switch, move.number,
                       fmt::format("in step {} switch {} sends packet {}, which it does not have", step.value,
                                   table_.fabric.name(move.from), table_.collective.label(move.chunk))};
    }
    packet = *found;
  }
  const bool to_switch = !table_.fabric.is_processor(move.to);
  through_switches_ = through_switches_ || from_switch || to_switch;
  if (to_switch) {
    entered_.emplace_back(&move, packet);
    return std::nullopt;
  }
  if (reached_[packet.departure] < 2) ++reached_[packet.departure];
  ChunkMove& arrival = arrivals_.emplace_back(move);
  if (!from_switch) return std::nullopt;
  arrival.from = packet.from;
  arrival.leaves = packet.leaves;
  arrival.first_channel = packet.channel;
  arrival.first_lane = packet.lane;
  arrival.departure = packet.departure;
  arrival.leaving = nullptr;
  return std::nullopt;
}

std::uint64_t FollowedMoves::copied() const {
  return static_cast<std::uint64_t>(
      std::count_if(reached_.begin(), reached_.end(), [](std::uint8_t reached) { return reached > 1; }));
}

std::uint64_t FollowedMoves::lost() const {
  return static_cast<std::uint64_t>(std::count(reached_.begin(), reached_.end(), std::uint8_t{0}));
}

}  // namespace quadrille
