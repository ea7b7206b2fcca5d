// Packets are followed through switches, each from the processor that it last left.
//
// For example, the rows 0->s in step 1 and s->1, s->2 in steps 2 and 3 of one packet are two moves, from 0 to 1 and
// from 0 to 2, which leave in step 1 and arrive in steps 2 and 3. Which arrival a switch's departure belongs to is
// said in model/MODEL.md, Queues and Switches: the latest of steps before; where switches forward, the first that has
// not left. Cost: that of StepMoves, and memory for each packet that a switch has.
#include "export/followed_moves.h"

#include <fmt/format.h>

#include <algorithm>

#include "export/processor_sends.h"

namespace quadrille::exporting {

FollowedMoves::FollowedMoves(const SendTable& table, Work& work, bool keep, std::optional<ValueRange> values)
    : table_(table),
      keep_(keep),
      values_(values),
      switches_(table.fabric.has_switches()),
      joins_(has_no_sender(table)),
      forwards_(table.fabric.switches_forward()),
      step_moves_(table, work, joins_),
      held_(work),
      copies_(&work),
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
      const bool arrives = moves_[i].part != ChunkMove::JoinedPart::leaves && table_.fabric.is_processor(moves_[i].to);
      if (arrives) arrivals_.push_back(moves_[i]);
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
  forget();
  for (const auto& [key, packet] : entered_) arrive(key, packet);
  entered_.clear();
  return std::nullopt;
}

std::optional<StepFault> FollowedMoves::follow(StepId step, ChunkMove& move) {
  Passing packet{move.from, step, move.first_channel, move.first_lane, move.departure};
  const bool from_switch = !table_.fabric.is_processor(move.from);
  if (from_switch) {
    const auto found = leave({move.chunk.value, move.from.value});
    if (!found) {
      return StepFault{step, StepFault::FaultPlace::in_switch, move.number,
                       fmt::format("in step {} switch {} sends packet {}, which it does not have", step.value,
                                   table_.fabric.name(move.from), table_.collective.label(move.chunk))};
    }
    packet = *found;
  }
  const bool to_switch = !table_.fabric.is_processor(move.to);
  through_switches_ = through_switches_ || from_switch || to_switch;
  if (to_switch) {
    entered_.emplace_back(PlaceKey{move.chunk.value, move.to.value}, packet);
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

// Takes effect on what is held before the step; arrivals come later.
std::optional<FollowedMoves::Passing> FollowedMoves::leave(const PlaceKey& key) {
  if (forwards_) {
    const auto found = copies_.find(key);
    if (found == copies_.end()) return std::nullopt;
    std::pmr::deque<Passing>& queue = found->second;
    const Passing packet = queue.front();
    queue.pop_front();
    if (queue.empty()) copies_.erase(found);
    return packet;
  }
  const Passing* found = held_.find(key);
  if (found == nullptr) return std::nullopt;
  if (!keep_) left_.push_back(key);
  return *found;
}

void FollowedMoves::forget() {
  for (const PlaceKey& key : left_) {
    if (held_.find(key) != nullptr) held_.erase(key);
  }
  left_.clear();
}

void FollowedMoves::arrive(const PlaceKey& key, const Passing& packet) {
  if (forwards_) {
    copies_[key].push_back(packet);
  } else {
    *held_.insert(key).first = packet;
  }
}

std::uint64_t FollowedMoves::copied() const {
  return static_cast<std::uint64_t>(
      std::count_if(reached_.begin(), reached_.end(), [](std::uint8_t reached) { return reached > 1; }));
}

std::uint64_t FollowedMoves::lost() const {
  return static_cast<std::uint64_t>(std::count(reached_.begin(), reached_.end(), std::uint8_t{0}));
}

}  // namespace quadrille::exporting
