// A RoundMaker makes the messages of a plan in rounds, round by round.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "compiler/evaluate/evaluate.h"
#include "compiler/plan/held_packets.h"
#include "compiler/plan/plan.h"
#include "compiler/plan/region_runner.h"
#include "compiler/plan/round_messages.h"
#include "place/rounds/written_rounds.h"

namespace quadrille {

class RoundMaker {
 public:
  explicit RoundMaker(const Plan& plan);

  // Calls visit(const MadeMessage&) for each message of the next round that has launches or flights, in the order of
  // the sends. Returns the round; nothing at the end. Throws EvaluationError.
  template <class Visit>
  std::optional<std::uint32_t> next(const Visit& visit) {
    const auto round = next_round();
    if (!round) return std::nullopt;
    round_ = *round;
    const auto take = [&](const MadeMessage& message) {
      note_arrival(message);
      visit(message);
    };
    for (; next_launch_ < plan_.launches.size() && plan_.launches[next_launch_].step == *round; ++next_launch_) {
      const std::uint32_t region = plan_.launches[next_launch_].region;
      SendSerial serial = std::uint64_t{region} << 32;
      runner_.run(region, [&](const ResolvedSend& send) { take_send(send, serial++, take); });
    }
    for (; next_flight_ < flights_.size() && round_of(flights_[next_flight_]) == *round;) take_flights(take);
    for (; next_placed_ < placed() && plan_.placed->at(next_placed_).round == *round; ++next_placed_)
      visit(plan_.placed->at(next_placed_));
    arrive();
    return round;
  }

 private:
  std::optional<std::uint32_t> next_round() const;
  std::size_t placed() const { return plan_.placed ? plan_.placed->size() : 0; }
  std::uint32_t round_of(std::uint32_t flight) const {
    return plan_.flights.hops[plan_.flights.list[flight].first_hop].step;
  }
  void note_arrival(const MadeMessage& message);
  void arrive();

  template <class Visit>
  void take_send(const ResolvedSend& send, SendSerial serial, const Visit& visit) {
    if (send.chunks.empty()) return;
    for (const BranchingMessage& message : messages_.of(send)) {
      const bool named = !send.along.empty() || (!send.links.empty() && message.receivers.size() == 1);
      visit(MadeMessage{round_, send.source, message.receivers, message.channels, send.chunks, serial, named});
    }
  }

  // Visits one message, made of flights that carry a packet each.
  template <class Visit>
  void take_flights(const Visit& visit) {
    const Flight& first = plan_.flights.list[flights_[next_flight_]];
    chunks_.clear();
    channels_.clear();
    for (const Hop& hop : plan_.flights.of(first)) channels_.push_back(hop.channel);
    for (; next_flight_ < flights_.size(); ++next_flight_) {
      const Flight& flight = plan_.flights.list[flights_[next_flight_]];
      const bool same = flight.serial == first.serial && flight.message == first.message &&
                        flight.source == first.source && round_of(flights_[next_flight_]) == round_;
      if (!same) break;
      chunks_.push_back(flight.chunk);
    }
    const NodeId receiver = first.target;
    visit(
        MadeMessage{round_, first.source, std::span(&receiver, 1), channels_, chunks_, first.serial, first.named_path});
  }

  const Plan& plan_;
  Evaluator evaluator_;
  std::optional<HeldPackets> held_packets_;  // if some message carries what is held
  RegionRunner runner_;
  RoundMessages messages_;
  std::vector<std::uint32_t> flights_;  // numbers, by round, then in their order
  std::vector<std::pair<NodeId, ChunkId>> arrived_;
  std::vector<ChunkId> chunks_;
  std::vector<ChannelId> channels_;
  std::uint32_t round_ = 0;
  std::size_t next_launch_ = 0;
  std::size_t next_flight_ = 0;
  std::size_t next_placed_ = 0;
};

// Returns a plan's messages without its language. Each reading of them runs the plan's sends. The plan must outlive
// them.
WrittenRounds written_rounds(const Plan& plan);

}  // namespace quadrille
