// Which lanes and ports of a fabric the messages of each round use.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "compiler/place/rounds/joining_rounds.h"
#include "compiler/plan/message_list.h"
#include "model/collective.h"
#include "model/fabric.h"
#include "model/route.h"

namespace quadrille {

class RoundCalendar {
 public:
  // All outlive it. `joins`: messages of this collective join at switches that reduce; null: none do.
  RoundCalendar(const Fabric& fabric, const Router& router, const Collective* joins = nullptr);

  // Whether the message has what it needs in that round: a lane of each channel, unless paths are shared; its ports.
  // Where it joins another one, which it may: of the channels up to there, and the sender's port. `load`: what it
  // brings, where messages join.
  bool free(const MadeMessage& message, std::uint32_t round, const JoiningLoad* load = nullptr) const;
  // The same with a shortest route of its own, or one up to where it joins; which one that is.
  bool free_by_any(const MadeMessage& message, std::uint32_t round, std::vector<ChannelId>& route,
                   const JoiningLoad* load = nullptr) const;
  void book(const MadeMessage& message, std::uint32_t round, const JoiningLoad* load = nullptr);

 private:
  using Uses = std::unordered_map<std::uint64_t, std::uint32_t>;  // by round, and channel or processor

  static std::uint64_t key(std::uint32_t round, std::uint32_t what) { return std::uint64_t{round} << 32 | what; }
  static std::uint32_t count(const Uses& uses, std::uint32_t round, std::uint32_t what);
  bool lane_free(ChannelId channel, std::uint32_t round) const;
  bool sender_free(NodeId sender, std::uint32_t round) const;
  bool receivers_free(const MadeMessage& message, std::uint32_t round) const;
  JoiningRounds::Fit fit(std::span<const ChannelId> path, std::uint32_t round, const JoiningLoad* load) const;
  bool arrives(const MadeMessage& message, std::uint32_t round, std::span<const ChannelId> route,
               const JoiningLoad* load) const;
  bool goes_on(std::uint32_t round, NodeId at, std::vector<ChannelId>& route, const JoiningLoad* load) const;

  const Fabric& fabric_;
  const Router& router_;
  bool held_;
  bool half_;
  bool single_;
  Uses lanes_;
  Uses sends_;
  Uses receives_;
  std::optional<JoiningRounds> joins_;
};

}  // namespace quadrille
