// Which lanes and ports of a fabric the messages of each round use.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "compiler/message_list.h"
#include "model/fabric.h"
#include "model/route.h"

namespace quadrille {

class RoundCalendar {
 public:
  // Both outlive it.
  RoundCalendar(const Fabric& fabric, const Router& router);

  // Whether the message has what it needs in that round: a lane of each channel, unless paths are shared; its ports.
  bool free(const MadeMessage& message, std::uint32_t round) const;
  // The same with a shortest route of its own; which one that is.
  bool free_by_any(const MadeMessage& message, std::uint32_t round, std::vector<ChannelId>& route) const;
  void book(const MadeMessage& message, std::uint32_t round);

 private:
  using Uses = std::unordered_map<std::uint64_t, std::uint32_t>;  // by round, and channel or processor

  static std::uint64_t key(std::uint32_t round, std::uint32_t what) { return std::uint64_t{round} << 32 | what; }
  static std::uint32_t count(const Uses& uses, std::uint32_t round, std::uint32_t what);
  bool lane_free(ChannelId channel, std::uint32_t round) const;
  bool ports_free(const MadeMessage& message, std::uint32_t round) const;

  const Fabric& fabric_;
  const Router& router_;
  bool held_;
  bool half_;
  bool single_;
  Uses lanes_;
  Uses sends_;
  Uses receives_;
};

}  // namespace quadrille
