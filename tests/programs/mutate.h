// Small faults in a file, drawn at random.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>

#include "programs/msccl/xml.h"

namespace quadrille::programs {

// Drops, swaps or retargets a step, or changes its dependency, its flag, its count, its kind, an offset, or its block's
// channel. Requires that the file has a step.
inline MscclFile mutated(MscclFile file, std::mt19937_64& random) {
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (;;) {
    MscclRank& rank = file.members[below(file.members.size())];
    if (rank.blocks.empty()) continue;
    MscclBlock& block = rank.blocks[below(rank.blocks.size())];
    if (block.steps.empty()) continue;
    MscclStep& step = block.steps[below(block.steps.size())];
    const auto nudge = [&](std::int64_t& number) { number += random() % 2 == 0 ? 1 : -1; };
    switch (below(12)) {
      case 0:
        block.steps.erase(block.steps.begin() + (&step - block.steps.data()));
        return file;
      case 1:
        std::swap(step, block.steps[below(block.steps.size())]);
        return file;
      case 2:
        if (step.depends_on_block < 0) continue;
        step.depends_on_block = -1;
        step.depends_on_step = -1;
        return file;
      case 3:
        if (step.depends_on_block < 0) continue;
        step.depends_on_block = static_cast<std::int64_t>(below(rank.blocks.size()));
        return file;
      case 4:
        if (step.depends_on_block < 0) continue;
        nudge(step.depends_on_step);
        return file;
      case 5:
        step.has_dependence = 1 - step.has_dependence;
        return file;
      case 6:
        nudge(step.source_offset);
        return file;
      case 7:
        nudge(step.target_offset);
        return file;
      case 8:
        if (step.kind == Kind::receive) {
          step.kind = Kind::receive_reduce_copy;
        } else if (step.kind == Kind::copy) {
          step.kind = Kind::reduce;
        } else if (step.kind == Kind::reduce) {
          step.kind = Kind::copy;
        } else if (step.kind == Kind::receive_reduce_copy_send) {
          step.kind = Kind::receive_copy_send;
        } else {
          continue;
        }
        return file;
      case 9:
        step.source = static_cast<Space>(below(3));
        return file;
      case 10: {
        MscclBlock& other = rank.blocks[below(rank.blocks.size())];
        std::swap(block.channel, other.channel);
        return file;
      }
      default: {
        // Both sides of what one transmission carries get a chunk more: only what a step carries changes, not the
        // match.
        nudge(step.count);
        return file;
      }
    }
  }
}

// Changes what a file declares: a block's peer or channel, or nchannels. Requires that the file has a block.
inline MscclFile with_other_declaration(MscclFile file, std::mt19937_64& random) {
  const auto below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
  };
  for (;;) {
    MscclRank& rank = file.members[static_cast<std::size_t>(below(static_cast<std::int64_t>(file.members.size())))];
    if (rank.blocks.empty()) continue;
    const auto any_block = [&]() -> MscclBlock& {
      return rank.blocks[static_cast<std::size_t>(below(static_cast<std::int64_t>(rank.blocks.size())))];
    };
    MscclBlock& block = any_block();
    MscclBlock& other = any_block();
    switch (below(7)) {
      case 0:
        block.send = below(file.ranks + 2) - 1;
        return file;
      case 1:
        block.receive = below(file.ranks + 2) - 1;
        return file;
      case 2:
        block.channel = below(file.channels + 2);
        return file;
      case 3: {
        constexpr std::int64_t around[] = {1, 2, 31, 32, 33, 127, 128, 129};
        file.channels = around[below(8)];
        return file;
      }
      case 4:  // declares another's end, too
        if (block.send >= 0 || other.send < 0) continue;
        block.send = other.send;
        if (block.receive < 0) block.channel = other.channel;
        return file;
      case 5:
        if (block.receive >= 0 || other.receive < 0) continue;
        block.receive = other.receive;
        if (block.send < 0) block.channel = other.channel;
        return file;
      default: {  // a connection that no one uses, with a block at each end
        const std::int64_t peer = below(file.ranks);
        if (peer == rank.id || block.send >= 0 || block.receive >= 0) continue;
        const auto there = std::find_if(file.members.begin(), file.members.end(),
                                        [&](const MscclRank& each) { return each.id == peer; });
        const auto idle = std::find_if(there->blocks.begin(), there->blocks.end(),
                                       [](const MscclBlock& each) { return each.send < 0 && each.receive < 0; });
        if (idle == there->blocks.end()) continue;
        block.send = peer;
        idle->receive = rank.id;
        block.channel = idle->channel = below(file.channels + 1);
        return file;
      }
    }
  }
}

}  // namespace quadrille::programs
