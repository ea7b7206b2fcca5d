// For example, of two ranks each is
//
//   signal; wait; nop; glres switch output r := sum of all ranks' input r; nop; signal; wait
//
// A block has 16 channels: where a rank has more peers, several blocks signal and wait, and meet in a barrier before
// the first of them does the rank's part, and behind it.
#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "export/mscclpp_program.h"

namespace quadrille::exporting {
namespace {

using programs::ExecutionPlan;
using programs::PlanBlock;
using programs::PlanChannel;
using programs::PlanKind;
using programs::PlanOperation;
using programs::PlanRank;
using programs::Space;

constexpr std::uint32_t most_channels_of_a_block = 16;  // the executor's limits: programs/PROGRAMS.md
constexpr std::uint32_t most_channels_at_once = 8;
constexpr auto to_memory = static_cast<std::size_t>(PlanChannel::memory);
constexpr auto to_switch = static_cast<std::size_t>(PlanChannel::by_switch);

// The block's channels come behind those that the rank has.
class SwitchBlock {
 public:
  SwitchBlock(std::uint32_t channels, programs::PlanShare share, std::uint32_t blocks, PlanRank& rank)
      : channels_(channels), share_(share), blocks_(blocks) {
    block_.id = static_cast<std::uint32_t>(rank.blocks.size());
    for (std::uint32_t i = 0; i < channels; ++i) {
      const std::uint32_t peer = block_.id % blocks * most_channels_of_a_block + i;
      block_.channels[to_memory].push_back(static_cast<std::uint32_t>(rank.peers[to_memory].size()));
      rank.peers[to_memory].push_back(peer < rank.id ? peer : peer + 1);
    }
    block_.channels[to_switch] = {0, 1};
  }

  PlanBlock build(bool first, std::uint32_t rank) {
    meet_others();
    if (first) {
      PlanOperation& sum = add(PlanKind::group_load_reduce_store);
      sum.channel = PlanChannel::by_switch;
      sum.sources = {{.id = 0, .by_switch = true, .index = rank}};
      sum.targets = {{.id = 1, .by_switch = true, .index = rank}};
      sum.share = share_;
    }
    join();
    announce(PlanKind::signal);
    announce(PlanKind::wait);
    return std::move(block_);
  }

 private:
  PlanOperation& add(PlanKind kind) {
    PlanOperation& operation = block_.operations.emplace_back();
    operation.kind = kind;
    return operation;
  }

  void meet_others() {
    announce(PlanKind::signal);
    announce(PlanKind::wait);
    join();
  }

  void announce(PlanKind kind) {
    for (std::uint32_t i = 0; i < channels_; ++i) {
      if (i % most_channels_at_once == 0) add(kind).channel = PlanChannel::memory;
      block_.operations.back().channels.push_back(i);
    }
  }

  // Orders all blocks of the share.
  void join() {
    if (blocks_ == 1) {
      add(PlanKind::nop);
      return;
    }
    PlanOperation& barrier = add(PlanKind::barrier);
    barrier.barrier = share_.number;
    barrier.barrier_blocks = blocks_;
  }

  std::uint32_t channels_;
  programs::PlanShare share_;
  std::uint32_t blocks_;
  PlanBlock block_;
};

}  // namespace

ExecutionPlan switch_plan(std::uint32_t ranks, const PlanChoices& choices) {
  ExecutionPlan plan;
  std::vector<std::uint32_t> all;
  for (std::uint32_t r = 0; r < ranks; ++r) all.push_back(r);
  const std::uint32_t blocks = (ranks - 1 + most_channels_of_a_block - 1) / most_channels_of_a_block;
  for (std::uint32_t r = 0; r < ranks; ++r) {
    PlanRank& rank = plan.ranks.emplace_back();
    rank.id = r;
    rank.input = rank.output = ranks;
    rank.switches = {{Space::input, {all}}, {Space::output, {all}}};
    for (std::uint32_t share = 0; share < choices.instances; ++share) {
      for (std::uint32_t b = 0; b < blocks; ++b) {
        const std::uint32_t channels = std::min(most_channels_of_a_block, ranks - 1 - b * most_channels_of_a_block);
        SwitchBlock block(channels, {share, choices.instances}, blocks, rank);
        rank.blocks.push_back(block.build(b == 0, r));
      }
    }
  }
  return plan;
}

}  // namespace quadrille::exporting
