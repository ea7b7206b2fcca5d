// The loaders' checks, one after another, and the sizes of their tables: MAX_NODES and MAX_SUBS of their XML reader,
// MSCCL_MAX_NUM_STEPS, MSCCL_MAX_NUM_THREAD_BLOCKS, MSCCL_MAX_NUM_THREAD_BLOCKS_PER_CHANNEL, MSCCL_MAX_COUNT, and the
// types of what the kernels read: a dependency's block is 8 bits with sign, an offset 16.
#include "programs/msccl/limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

namespace quadrille::programs {
namespace {

constexpr std::int64_t most_nodes = 4096;       // MAX_NODES: as many are refused already
constexpr std::size_t most_inside = 1024;       // MAX_SUBS
constexpr std::uint32_t most_peers = 32;        // MSCCL_MAX_NUM_THREAD_BLOCKS_PER_CHANNEL
constexpr std::int64_t largest_offset = 32767;  // int16_t
constexpr std::int64_t largest_awaited = 127;   // int8_t
constexpr std::int64_t largest_awaited_step = 32767;
constexpr std::int64_t msccl_most = std::int64_t{1} << 27;  // bytes, where the file has no maxBytes

class LimitsJudge {
 public:
  LimitsJudge(const MscclFile& file, const MscclCall& call, const TellLimit& tell)
      : file_(file), executor_(*call.executor), tell_(tell) {}

  void all() {
    for (const MscclReadError& error : file_.read_errors) {
      tell_(Location{0, 0, -1, error.span, 0}, error.message);
    }
    head();
    if (file_.members.size() > most_inside) tell_({}, fmt::format("more than {} gpus", most_inside));
    for (const MscclRank& rank : file_.members) of(rank);
  }

 private:
  void head() {
    if (!family_of(executor_, file_.collective)) {
      tell_({}, fmt::format("{} knows no collective `{}`", executor_.name, file_.collective));
    }
    if (executor_.needs_ranges && (!file_.least_bytes || !file_.most_bytes || !file_.out_of_place)) {
      tell_({}, fmt::format("{} wants outofplace, minBytes and maxBytes", executor_.name));
    }
    if (file_.channels > executor_.channels) {
      tell_({}, fmt::format("nchannels={}: {} has {} channels", file_.channels, executor_.name, executor_.channels));
    }
    if (!executor_.checks_ranges) return;
    const std::int64_t least = file_.least_bytes.value_or(0);
    if (least > file_.most_bytes.value_or(msccl_most)) {
      tell_({}, fmt::format("minBytes={} is more than maxBytes, and {} does not take 0 for no limit", least,
                            executor_.name));
    }
  }

  void of(const MscclRank& rank) {
    std::int64_t nodes = 1 + static_cast<std::int64_t>(file_.members.size());
    std::map<std::int64_t, std::array<std::uint32_t, 2>> peers;  // by channel: blocks that send, that receive
    std::set<std::int64_t> ids;
    if (rank.blocks.size() > most_inside) tell_(at(rank), fmt::format("more than {} thread blocks", most_inside));
    for (const MscclBlock& block : rank.blocks) {
      ids.insert(block.id);
      nodes += 1 + static_cast<std::int64_t>(block.steps.size());
      of(rank, block, peers[block.channel]);
    }
    if (nodes >= most_nodes) {
      tell_(at(rank), fmt::format("{} XML elements to read for one gpu: less than {} are possible", nodes, most_nodes));
    }
    std::int64_t next = 0;
    while (ids.contains(next)) ++next;
    if (!ids.empty() && next <= *ids.rbegin()) tell_(at(rank), fmt::format("thread block {} is missing", next));
    chunks(rank);
  }

  // Judges the sizes of buffers, which msccl compares with nchunksperloop.
  void chunks(const MscclRank& rank) {
    if (!executor_.checks_ranges) return;
    const std::int64_t inputs = file_.collective == "allgather" ? file_.ranks : 1;
    const std::int64_t outputs = file_.collective == "reduce_scatter" ? file_.ranks : 1;
    if ((rank.input_chunks > 0 && rank.input_chunks * inputs != file_.chunks) ||
        (rank.output_chunks > 0 && rank.output_chunks * outputs != file_.chunks)) {
      tell_(at(rank), fmt::format("i_chunks={} and o_chunks={} do not go with nchunksperloop={}", rank.input_chunks,
                                  rank.output_chunks, file_.chunks));
    }
  }

  void of(const MscclRank& rank, const MscclBlock& block, std::array<std::uint32_t, 2>& peers) {
    const Location place = at(rank, block);
    if (block.id >= executor_.blocks) {
      tell_(place, fmt::format("{} runs {} thread blocks of a gpu at most", executor_.name, executor_.blocks));
    }
    if (block.send == rank.id || block.receive == rank.id) tell_(place, "a gpu is its own peer");
    if (block.channel >= executor_.channels) {
      tell_(place, fmt::format("{} has {} channels", executor_.name, executor_.channels));
    }
    if (block.steps.size() > most_inside) tell_(place, fmt::format("more than {} steps in the file", most_inside));
    if ((block.send >= 0 && peers[0] >= most_peers) || (block.receive >= 0 && peers[1] >= most_peers)) {
      tell_(place, fmt::format("more than {} thread blocks of a channel send, or receive", most_peers));
    }
    peers[0] += block.send >= 0;
    peers[1] += block.receive >= 0;
    for (const MscclStep& step : block.steps) of(rank, block, step);
  }

  void of(const MscclRank& rank, const MscclBlock& block, const MscclStep& step) {
    Location place = at(rank, block);
    place.step = step.s;
    place.span = step.span;
    if (step.s < 0 || step.s >= executor_.steps) {
      tell_(place, fmt::format("s={}: {} takes 0 to {}", step.s, executor_.name, executor_.steps - 1));
    }
    if (step.adds_result && !executor_.checks_ranges)
      tell_(place, fmt::format("{} knows no step `ra`", executor_.name));
    if (step.depends_on_block > largest_awaited) {
      tell_(place, fmt::format("depid={}: a block's number is kept in 8 bits, with sign", step.depends_on_block));
    }
    if (step.depends_on_block >= 0 &&
        (step.depends_on_step > largest_awaited_step || step.depends_on_step < -largest_awaited_step)) {
      tell_(place, fmt::format("deps={}: a step's number is kept in 16 bits", step.depends_on_step));
    }
    if (!step.kind) return;
    if (step.count < 0 || step.count > most_together) {
      tell_(place, fmt::format("cnt={}: 0 to {} are possible", step.count, most_together));
    }
    if (step.has_dependence < 0 || step.has_dependence > 1) {
      tell_(place, fmt::format("hasdep={}: expected 0 or 1", step.has_dependence));
    }
    const bool sending = sends(*step.kind);
    if ((sending && block.send < 0) || (receives(*step.kind) && block.receive < 0)) {
      tell_(place, sending && block.send < 0 ? "a send in a block that has none to send to"
                                             : "a receive in a block that has none to receive from");
    }
    if (source_is_checked(*step.kind)) offset(rank, place, step.source, step.source_offset);
    if (target_is_checked(*step.kind)) offset(rank, place, step.target, step.target_offset);
  }

  // checkSrc and checkDst check other operands than those that are read and written.
  static bool source_is_checked(Kind kind) {
    return kind != Kind::receive && kind != Kind::receive_copy_send && kind != Kind::receive_reduce_copy;
  }
  static bool target_is_checked(Kind kind) {
    return kind != Kind::send && kind != Kind::receive_reduce_send && kind != Kind::receive_reduce_copy;
  }

  void offset(const MscclRank& rank, const Location& place, Space space, std::int64_t offset) {
    const std::int64_t declared = space == Space::input    ? rank.input_chunks
                                  : space == Space::output ? rank.output_chunks
                                                           : rank.scratch_chunks;
    if (offset < -1 || offset >= declared) {
      tell_(place, fmt::format("offset {} in a buffer that is declared to have {} chunks", offset, declared));
    } else if (offset > largest_offset) {
      tell_(place, fmt::format("offset {}: it is kept in 16 bits", offset));
    }
  }

  static Location at(const MscclRank& rank) { return {static_cast<std::uint32_t>(rank.id), 0, -1, rank.span, 0}; }
  static Location at(const MscclRank& rank, const MscclBlock& block) {
    return {static_cast<std::uint32_t>(rank.id), static_cast<std::uint32_t>(block.id), -1, block.span, 0};
  }

  const MscclFile& file_;
  const Executor& executor_;
  const TellLimit& tell_;
};

}  // namespace

std::optional<ProgramFamily> family_of(const Executor& executor, std::string_view word) {
  if (word == "allreduce") return ProgramFamily::allreduce;
  if (word == "allgather") return ProgramFamily::allgather;
  if (word == "alltoall") return ProgramFamily::alltoall;
  if (word == "broadcast") return ProgramFamily::broadcast;
  if (word == "reduce") return ProgramFamily::reduce;
  const bool msccl = executor.checks_ranges;
  if (word == (msccl ? "reduce_scatter" : "reducescatter")) return ProgramFamily::reducescatter;
  if (msccl && word == "custom") return ProgramFamily::other;
  if (msccl) return std::nullopt;
  const std::array<std::string_view, 5> others = {"send", "recv", "gather", "scatter", "alltoallv"};
  if (std::find(others.begin(), others.end(), word) != others.end()) return ProgramFamily::other;
  return std::nullopt;
}

ByteRange bytes_of(const MscclFile& file, const Executor& executor) {
  const std::int64_t most = file.most_bytes.value_or(executor.checks_ranges ? msccl_most : 0);
  return {static_cast<std::uint64_t>(file.least_bytes.value_or(0)), static_cast<std::uint64_t>(most)};
}

void judge_limits(const MscclFile& file, const MscclCall& call, const TellLimit& tell) {
  LimitsJudge(file, call, tell).all();
}

void judge_block_limits(const Executor& executor, const ThreadBlock& block, const BlockTables& tables,
                        const std::function<void(std::string)>& tell) {
  if (block.operations.size() > executor.steps) {
    tell(fmt::format("{} operations: {} has room for {}", block.operations.size(), executor.name, executor.steps));
  } else if (!block.operations.empty() && block.operations.back().number >= executor.steps) {
    tell(fmt::format("its last step is number {} at run time: flags tell {} apart", block.operations.back().number,
                     executor.steps));
  }
  if (tables.reductions > executor.steps) {
    tell(fmt::format("{} reductions: {} has room for {}", tables.reductions, executor.name, executor.steps));
  }
  if (tables.waits > executor.steps) {
    tell(fmt::format("{} dependencies: {} has room for {}", tables.waits, executor.name, executor.steps));
  }
  if (executor.fusion_table == 0) return;
  for (const ProgramOperation& operation : block.operations) {
    if (operation.sources.size() > executor.fusion_table) {
      tell(
          fmt::format("{} reductions are fused, and {}'s table has room for {}: loaders end only the group that holds "
                      "the block's 16th",
                      operation.sources.size(), executor.name, executor.fusion_table));
    }
  }
}

}  // namespace quadrille::programs
