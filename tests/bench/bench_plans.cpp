// MSCCL++ execution plans: read and judged, as three launches, or four with packets in halves. What is asked for: that
// a plan of 32 ranks takes no longer than a person waits for a command.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <vector>

#include "programs/mscclpp/judge.h"
#include "programs/mscclpp/write_plan.h"
#include "tests/programs/plan_maker.h"

namespace quadrille {
namespace {

using programs::BlockMaker;
using programs::ExecutionPlan;
using programs::PlanKind;
using programs::PlanMaker;

std::string chunk(char space, std::uint64_t index) { return space + std::to_string(index); }
std::string chunk_of(std::uint32_t rank, char space, std::uint64_t index) {
  return std::to_string(rank) + ":" + chunk(space, index);
}

// An all-reduce around a ring: each rank puts a sum into its follower's scratch, which adds it to its own; then what is
// complete goes round. A block has room for 64 operations, so one goes on where another has ended.
ExecutionPlan ring_allreduce(std::uint32_t ranks) {
  constexpr std::uint32_t rounds_of_a_block = 8;
  PlanMaker maker("allreduce", ranks, {ranks, ranks, ranks});
  const std::uint32_t rounds = 2 * (ranks - 1);
  const std::uint32_t blocks = (rounds + rounds_of_a_block - 1) / rounds_of_a_block;
  for (std::uint32_t r = 0; r < ranks; ++r) maker.plan.ranks[r].semaphores.assign(blocks, 0);
  std::vector<std::vector<BlockMaker>> made(ranks);
  for (std::uint32_t b = 0; b < blocks; ++b) {
    for (std::uint32_t r = 0; r < ranks; ++r) made[r].push_back(maker.block(r));
    for (std::uint32_t r = 0; r < ranks; ++r) maker.connect({r, b}, {(r + 1) % ranks, b});
  }
  for (std::uint32_t r = 0; r < ranks; ++r) {
    const std::uint32_t next = (r + 1) % ranks;
    const std::uint32_t before = (r + ranks - 1) % ranks;
    for (std::uint32_t t = 0; t < rounds; ++t) {
      BlockMaker& block = made[r][t / rounds_of_a_block];
      const bool first = t % rounds_of_a_block == 0;
      if (t == 0) block.enter({before, next});
      if (t > 0 && first) block.acquire({t / rounds_of_a_block - 1}).nop();
      const std::uint32_t sent = (r + 2 * ranks - t) % ranks;
      const std::uint32_t got = (before + 2 * ranks - t) % ranks;
      const bool adds = t < ranks - 1;
      block.put({t == 0 ? chunk('i', sent) : chunk('o', sent)}, {chunk_of(next, adds ? 's' : 'o', sent)});
      block.nop().signal({next}).wait({before}).nop();
      if (adds) block.reduce({chunk('i', got), chunk('s', got)}, chunk('o', got));
      if (adds) block.nop();
      const bool last = t % rounds_of_a_block == rounds_of_a_block - 1 || t + 1 == rounds;
      if (last && t + 1 < rounds) block.release({t / rounds_of_a_block});
      if (t + 1 == rounds) block.leave({before, next});
    }
  }
  return maker.plan;
}

// An all-gather by packets: a block for each other rank.
ExecutionPlan gather_by_packets(std::uint32_t ranks) {
  PlanMaker maker("allgather", ranks, {1, ranks, ranks});
  maker.plan.protocol = "LL";
  maker.plan.double_scratch = true;
  std::vector<std::vector<BlockMaker>> made(ranks);
  for (std::uint32_t r = 0; r < ranks; ++r) {
    for (std::uint32_t d = 1; d < ranks; ++d) made[r].push_back(maker.block(r));
  }
  for (std::uint32_t r = 0; r < ranks; ++r) {
    for (std::uint32_t d = 1; d < ranks; ++d) {
      const std::uint32_t to = (r + d) % ranks;
      if (r < to) maker.connect({r, d - 1}, {to, ranks - d - 1});
    }
  }
  for (std::uint32_t r = 0; r < ranks; ++r) {
    for (std::uint32_t d = 1; d < ranks; ++d) {
      const std::uint32_t other = (r + d) % ranks;
      BlockMaker& block = made[r][d - 1];
      if (d == 1) block.copy("i0", chunk('o', r));
      block.move(PlanKind::put_packets, {"i0"}, {chunk_of(other, 's', r)});
      block.move(PlanKind::unpack_packets, {chunk('s', other)}, {chunk('o', other)});
    }
  }
  return maker.plan;
}

std::size_t operations_of(const ExecutionPlan& plan) {
  std::size_t count = 0;
  for (const programs::PlanRank& rank : plan.ranks) {
    for (const programs::PlanBlock& block : rank.blocks) count += block.operations.size();
  }
  return count;
}

// `alone`: packets in halves are judged for launches of this plan only.
void judge_plan_text(benchmark::State& state, const ExecutionPlan& plan, bool alone) {
  const std::string text = programs::write_execution_plan(plan);
  for (auto _ : state) {
    const auto read = programs::read_execution_plan(text, {});
    const programs::ProgramReport report = programs::judge_plan(*read, {.alone = alone});
    const bool fits = report.verdict() == programs::ProgramVerdict::holds ||
                      report.verdict() == programs::ProgramVerdict::conditional;
    if (!fits) state.SkipWithError("it does not hold");
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(operations_of(plan)) * state.iterations());
}

void judge_plan_ring_allreduce_of_32(benchmark::State& state) { judge_plan_text(state, ring_allreduce(32), false); }
BENCHMARK(judge_plan_ring_allreduce_of_32)->Unit(benchmark::kMillisecond);

void judge_plan_packet_allgather_of_32(benchmark::State& state) { judge_plan_text(state, gather_by_packets(32), true); }
BENCHMARK(judge_plan_packet_allgather_of_32)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace quadrille
