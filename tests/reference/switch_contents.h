// What switches hold under `switches: forward` and `switches: reduce`, step by step, as model/MODEL.md has it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "model/send_table.h"
#include "tests/reference/partial_reduction.h"

namespace quadrille::reference {

// A packet that has been in a switch: under `forward` a copy, under `reduce` what was joined there.
struct SwitchPacket {
  NodeId at;
  std::uint32_t arrival = 0;
  std::optional<std::uint32_t> departure;
  PartialReduction carried;
};

class SwitchContents {
 public:
  explicit SwitchContents(const Collective& collective) : collective_(collective) {}

  // `forward`: the packet that a row out of `at` takes away, if there is one; and what a row brings. All takings of a
  // step come before what is brought in it.
  const SwitchPacket* take(NodeId at, ChunkId packet, std::uint32_t step);
  void bring(NodeId at, ChunkId packet, std::uint32_t step, PartialReduction carried = {});

  // `reduce`: what a row out of `at` carries, if there is anything; the rows that arrive, of one step, and how many of
  // them count a contribution twice. All carrying of a step comes before its arrivals.
  const SwitchPacket* carry(NodeId at, ChunkId packet, std::uint32_t step);
  struct Arrival {
    NodeId at;
    ChunkId packet;
    ChannelId channel;
    std::uint32_t lane;
    PartialReduction carried;
  };
  std::uint64_t join(std::vector<Arrival> arrivals, std::uint32_t step);

  // All that have been, in the order of their arrivals' steps.
  const std::vector<SwitchPacket>& all() const { return all_; }

 private:
  using Key = std::tuple<NodeId, std::uint32_t, std::uint32_t>;  // switch, target, part
  Key key(NodeId at, ChunkId packet) const;

  const Collective& collective_;
  std::vector<SwitchPacket> all_;
  std::map<std::pair<NodeId, ChunkId>, std::vector<std::size_t>> copies_;  // `forward`: of all_, by arrival
  std::map<Key, std::size_t> joined_;                                      // `reduce`: of all_, the latest
};

}  // namespace quadrille::reference
