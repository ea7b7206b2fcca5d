// The limits of the executors' loaders: what they refuse, and where they write beyond a table instead.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "programs/msccl/load.h"

namespace quadrille::programs {

using TellLimit = std::function<void(std::optional<Location> at, std::string message)>;

// Judges the limits of the file, its ranks, blocks and steps.
void judge_limits(const MscclFile& file, const MscclCall& call, const TellLimit& tell);

// The contents of a block's tables: its `re` steps and its waits.
struct BlockTables {
  std::uint32_t reductions = 0;
  std::size_t waits = 0;
};
void judge_block_limits(const Executor& executor, const ThreadBlock& block, const BlockTables& tables,
                        const std::function<void(std::string)>& tell);

}  // namespace quadrille::programs
