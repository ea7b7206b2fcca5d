// A round's sends are run when the round has come, since only then the packets of `carrying held` are known: all
// messages of earlier rounds have arrived.
//
// For example, in `for t in 0..1: at t + 1: for k in processors: send k -> k xor 2^t carrying held`, an all-gather on 4
// processors, the messages of round 2 are of two packets each. Cost: the sends' expressions, their routes and packets.
#include "compiler/plan/round_maker.h"

#include <algorithm>
#include <numeric>

namespace quadrille {

RoundMaker::RoundMaker(const Plan& plan)
    : plan_(plan),
      evaluator_(plan.instance),
      held_packets_(
          plan.carries_held && !plan.placed
              ? std::optional<HeldPackets>(std::in_place, plan.collectives[0], plan.instance.limits.memory / 2, Span{})
              : std::nullopt),
      runner_(plan, evaluator_, held_packets_ ? &*held_packets_ : nullptr),
      messages_(plan.instance, !plan.collectives[0].combining() && !plan.instance.fabric->switches_forward()),
      flights_(plan.flights.list.size()) {
  std::iota(flights_.begin(), flights_.end(), 0U);
  std::stable_sort(flights_.begin(), flights_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return round_of(a) < round_of(b); });
}

std::optional<std::uint32_t> RoundMaker::next_round() const {
  std::optional<std::uint32_t> round;
  if (next_launch_ < plan_.launches.size()) round = plan_.launches[next_launch_].step;
  if (next_flight_ < flights_.size()) {
    const std::uint32_t other = round_of(flights_[next_flight_]);
    round = round ? std::min(*round, other) : other;
  }
  if (next_placed_ < placed()) {
    const std::uint32_t other = plan_.placed->at(next_placed_).round;
    round = round ? std::min(*round, other) : other;
  }
  return round;
}

void RoundMaker::note_arrival(const MadeMessage& message) {
  if (!held_packets_) return;
  for (const NodeId receiver : message.receivers) {
    for (const ChunkId chunk : message.chunks) arrived_.emplace_back(receiver, chunk);
  }
}

void RoundMaker::arrive() {
  for (const auto& [receiver, chunk] : arrived_) held_packets_->add(receiver, chunk);
  arrived_.clear();
}

WrittenRounds written_rounds(const Plan& plan) {
  return {*plan.instance.fabric, plan.collectives[0], [&plan](const WrittenRounds::Visit& visit) {
            RoundMaker maker(plan);
            while (maker.next(visit)) continue;
          }};
}

}  // namespace quadrille
