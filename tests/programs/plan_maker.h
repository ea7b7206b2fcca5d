// Execution plans in a few lines, for tests.
//
//   PlanMaker maker("allgather", 2, {.input = 1, .output = 2});
//   BlockMaker block = maker.block(0);
//   maker.connect({0, 0}, {1, 0});
//   block.put({"i0"}, {"1:o0"}).nop().signal({1});
//
// A buffer is a letter and an index, with "x" and a size if it is not 1: "s4x2"; of another GPU with its rank before
// it: "1:o0"; of a switch channel with its number: "w0:i2".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "programs/mscclpp/plan.h"

namespace quadrille::programs {

struct PlanSizes {
  std::uint32_t input = 1;
  std::uint32_t output = 1;
  std::uint32_t scratch = 0;
};

class BlockMaker {
 public:
  using Buffers = std::vector<std::string>;
  using Numbers = std::vector<std::uint32_t>;
  BlockMaker(ExecutionPlan& plan, std::uint32_t rank, std::uint32_t block) : plan_(&plan), rank_(rank), block_(block) {}

  // Later operations are on channels of this type, do this part, or are in a pipeline, until end().
  BlockMaker& by(PlanChannel type) { return type_ = type, *this; }
  BlockMaker& part(std::uint32_t number, std::uint32_t parts) { return share_ = {number, parts}, *this; }
  BlockMaker& pipeline(std::uint64_t unit_bytes, std::uint32_t chunks);
  BlockMaker& end() { return piped_ = false, *this; }

  BlockMaker& nop() { return add({.kind = PlanKind::nop}); }
  BlockMaker& barrier(std::uint32_t id, std::uint32_t blocks) {
    return add({.kind = PlanKind::barrier, .barrier = id, .barrier_blocks = blocks});
  }
  BlockMaker& release(Numbers ids) { return add({.kind = PlanKind::release, .semaphores = std::move(ids)}); }
  BlockMaker& acquire(Numbers ids) { return add({.kind = PlanKind::acquire, .semaphores = std::move(ids)}); }
  // Each on the first channel to a peer.
  BlockMaker& signal(const Numbers& peers) { return on_channels(PlanKind::signal, peers); }
  BlockMaker& wait(const Numbers& peers) { return on_channels(PlanKind::wait, peers); }
  BlockMaker& relaxed_signal(const Numbers& peers) { return on_channels(PlanKind::relaxed_signal, peers); }
  BlockMaker& relaxed_wait(const Numbers& peers) { return on_channels(PlanKind::relaxed_wait, peers); }
  // Tells the peers that this GPU has begun, and hears it of them.
  BlockMaker& enter(const Numbers& peers) { return relaxed_signal(peers).relaxed_wait(peers).nop(); }
  // Tells the peers that all has been written and read here, and hears it of them.
  BlockMaker& leave(const Numbers& peers) { return nop().signal(peers).wait(peers); }

  BlockMaker& copy(const std::string& from, const std::string& to) { return move(PlanKind::copy, {from}, {to}); }
  BlockMaker& put(const Buffers& from, const Buffers& to) { return move(PlanKind::put, from, to); }
  BlockMaker& reduce(const Buffers& from, const std::string& to) { return move(PlanKind::reduce, from, {to}); }
  // Channels of a put by ports are the first ones to the targets' GPUs.
  BlockMaker& move(PlanKind kind, const Buffers& from, const Buffers& to);

  BlockMaker& add(PlanOperation operation);

 private:
  PlanRank& rank() { return plan_->ranks[rank_]; }
  PlanBlock& block() { return rank().blocks[block_]; }
  BlockMaker& on_channels(PlanKind kind, const Numbers& peers);
  std::uint32_t channel_to(std::uint32_t peer);
  PlanChunks chunks(std::string_view text);
  std::uint32_t remote_buffer(std::uint32_t peer, Space space);

  ExecutionPlan* plan_;
  std::uint32_t rank_;
  std::uint32_t block_;
  PlanChannel type_ = PlanChannel::memory;
  PlanShare share_ = {};
  bool piped_ = false;
};

class PlanMaker {
 public:
  PlanMaker(std::string collective, std::uint32_t ranks, const PlanSizes& sizes);

  ExecutionPlan plan;

  BlockMaker block(std::uint32_t rank);
  // A channel between two blocks, (rank, block) each.
  using End = std::pair<std::uint32_t, std::uint32_t>;
  void connect(End a, End b, PlanChannel type = PlanChannel::memory);
  // A block of each GPU, number 0, connected to those of all others.
  std::vector<BlockMaker> mesh(PlanChannel type = PlanChannel::memory);
  // A switch channel of all GPUs' buffer for block 0 of each.
  void join_by_switch(Space space);
  std::vector<std::uint32_t> others(std::uint32_t rank) const;

 private:
  void connect_one_way(End from, std::uint32_t peer, PlanChannel type);
};

}  // namespace quadrille::programs
