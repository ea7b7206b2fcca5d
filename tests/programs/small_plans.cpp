#include "tests/programs/small_plans.h"

#include <fmt/format.h>

#include "tests/programs/plan_maker.h"

namespace quadrille::programs {
namespace {

using Ranks = std::vector<std::uint32_t>;
using Buffers = std::vector<std::string>;

constexpr std::uint64_t unit_bytes = 1024;  // of pipelines

std::string own(char space, std::uint32_t index) { return fmt::format("{}{}", space, index); }
std::string of(std::uint32_t rank, char space, std::uint32_t index) {
  return fmt::format("{}:{}{}", rank, space, index);
}

// The same chunk of all those.
Buffers of_all(const Ranks& ranks, char space, std::uint32_t index) {
  Buffers result;
  for (const std::uint32_t rank : ranks) result.push_back(of(rank, space, index));
  return result;
}

Buffers with(const std::string& first, Buffers more) {
  more.insert(more.begin(), first);
  return more;
}

// A plan of a block on each GPU, with channels to all others: body(block, rank, others).
template <class Body>
ExecutionPlan meshed(const char* collective, std::uint32_t ranks, const PlanSizes& sizes, Body body,
                     PlanChannel type = PlanChannel::memory) {
  PlanMaker maker(collective, ranks, sizes);
  std::vector<BlockMaker> blocks = maker.mesh(type);
  for (std::uint32_t r = 0; r < ranks; ++r) body(blocks[r], r, maker.others(r));
  return maker.plan;
}

// Two GPUs: body(block, rank, the other one).
template <class Body>
ExecutionPlan paired(const char* collective, const PlanSizes& sizes, Body body,
                     PlanChannel type = PlanChannel::memory) {
  return meshed(
      collective, 2, sizes,
      [&](BlockMaker& block, std::uint32_t rank, const Ranks& others) { body(block, rank, others[0]); }, type);
}

// Two GPUs of several blocks, the k-th of one tied to the k-th of the other: body(blocks, rank, the other one).
template <class Body>
ExecutionPlan in_blocks(const char* collective, const PlanSizes& sizes, std::uint32_t count, Body body) {
  PlanMaker maker(collective, 2, sizes);
  std::vector<std::vector<BlockMaker>> blocks(2);
  for (std::uint32_t k = 0; k < count; ++k) {
    for (std::uint32_t r = 0; r < 2; ++r) blocks[r].push_back(maker.block(r));
    maker.connect({0, k}, {1, k});
  }
  for (std::uint32_t r = 0; r < 2; ++r) body(blocks[r], r, 1 - r);
  return maker.plan;
}

ExecutionPlan as_packets(ExecutionPlan plan, bool doubled) {
  plan.protocol = "LL";
  plan.double_scratch = doubled;
  return plan;
}

ExecutionPlan with_semaphores(ExecutionPlan plan, const Ranks& values) {
  for (PlanRank& rank : plan.ranks) rank.semaphores = values;
  return plan;
}

ExecutionPlan with_two_halves(ExecutionPlan plan) {
  plan.double_scratch = true;
  return plan;
}

ExecutionPlan with_shared_scratch(ExecutionPlan plan) {
  plan.reuses = true;
  return plan;
}

ExecutionPlan placed(ExecutionPlan plan) {
  plan.in_place = true;
  return plan;
}

// --------------------------------------------------------------------------------------------------------------
// families All-gather: each puts its chunk into all outputs.
ExecutionPlan gather_by_puts(bool enters, bool leaves, PlanKind leaving = PlanKind::signal,
                             PlanKind hearing = PlanKind::wait) {
  return meshed("allgather", 3, {1, 3}, [&](BlockMaker& block, std::uint32_t rank, const Ranks& others) {
    if (enters) block.enter(others);
    block.copy("i0", own('o', rank)).put(Buffers(others.size(), "i0"), of_all(others, 'o', rank));
    if (!leaves) return;
    block.nop();
    leaving == PlanKind::signal ? block.signal(others) : block.relaxed_signal(others);
    hearing == PlanKind::wait ? block.wait(others) : block.relaxed_wait(others);
  });
}

// A slot is copied onto itself, and a relaxed signal says that it may be overwritten: the copy's write may come late.
ExecutionPlan gather_over_a_copy() {
  return meshed("allgather", 2, {1, 2}, [](BlockMaker& block, std::uint32_t rank, const Ranks& others) {
    const std::string slot = own('o', 1 - rank);
    block.copy("i0", slot).leave(others).nop().copy(slot, slot).nop().enter(others);
    block.copy("i0", own('o', rank)).put({"i0"}, of_all(others, 'o', rank)).leave(others);
  });
}

// All-reduce of two through scratch.
struct ScratchWay {
  bool enters = true;
  bool order_before_signal = true;
  bool order_after_wait = true;
  bool relaxed_signal = false;
  bool relaxed_wait = false;
};
ExecutionPlan reduce_through_scratch(const ScratchWay& way = {}) {
  return paired("allreduce", {1, 1, 1}, [&](BlockMaker& block, std::uint32_t, std::uint32_t other) {
    if (way.enters) block.enter({other});
    block.put({"i0"}, {of(other, 's', 0)});
    if (way.order_before_signal) block.nop();
    way.relaxed_signal ? block.relaxed_signal({other}) : block.signal({other});
    way.relaxed_wait ? block.relaxed_wait({other}) : block.wait({other});
    if (way.order_after_wait) block.nop();
    block.reduce({"i0", "s0"}, "o0");
  });
}

// All-reduce of three: each reads all inputs.
ExecutionPlan reduce_by_reading(bool enters, bool leaves, bool twice = false) {
  return meshed("allreduce", 3, {1, 1}, [&](BlockMaker& block, std::uint32_t, const Ranks& others) {
    if (enters) block.enter(others);
    Buffers sources = with("i0", of_all(others, 'i', 0));
    if (twice) sources.push_back(sources.back());
    block.move(PlanKind::read_reduce, sources, {"o0"});
    if (leaves) block.leave(others);
  });
}

// Each reduces a chunk, and sends the sum to all.
ExecutionPlan reduce_and_send(bool enters = true) {
  return paired("allreduce", {2, 2, 1}, [&](BlockMaker& block, std::uint32_t rank, std::uint32_t other) {
    if (enters) block.enter({other});
    block.put({own('i', other)}, {of(other, 's', 0)}).leave({other}).nop();
    block.move(PlanKind::reduce_send, {own('i', rank), "s0"}, {own('o', rank), of(other, 'o', rank)}).leave({other});
  });
}

ExecutionPlan read_reduce_and_send() {
  return placed(meshed("allreduce", 3, {3, 3}, [](BlockMaker& block, std::uint32_t rank, const Ranks& others) {
    block.enter(others);
    block.move(PlanKind::read_reduce_send, with(own('i', rank), of_all(others, 'i', rank)),
               with(own('i', rank), of_all(others, 'i', rank)));
    block.leave(others);
  }));
}

ExecutionPlan gather_in_ring() {
  return meshed("allgather", 3, {1, 3}, [](BlockMaker& block, std::uint32_t rank, const Ranks& others) {
    const std::uint32_t next = (rank + 1) % 3;
    const std::uint32_t before = (rank + 2) % 3;
    block.enter(others).copy("i0", own('o', rank)).put({"i0"}, {of(next, 'o', rank)});
    block.nop().signal({next}).wait({before}).nop();
    block.put({own('o', before)}, {of(next, 'o', before)}).nop().signal({next}).wait({before});
  });
}

ExecutionPlan packets_at_once() {
  return as_packets(paired("allreduce", {1, 1, 1},
                           [](BlockMaker& block, std::uint32_t, std::uint32_t other) {
                             block.move(PlanKind::put_packets, {"i0"}, {of(other, 's', 0)});
                             block.move(PlanKind::reduce_packets, {"i0", "s0"}, {"o0"});
                           }),
                    true);
}

// Contributions to the owner of a chunk, and sums back: who goes on has heard of the other one.
ExecutionPlan packets_to_and_fro(bool writes_over = false) {
  return as_packets(
      paired("allreduce", {2, 2, 2},
             [&](BlockMaker& block, std::uint32_t rank, std::uint32_t other) {
               block.move(PlanKind::put_packets, {own('i', other)}, {of(other, 's', 0)});
               block.move(PlanKind::reduce_send_packets, {own('i', rank), "s0"}, {own('o', rank), of(other, 's', 1)});
               block.move(PlanKind::unpack_packets, {"s1"}, {own('o', other)});
               if (writes_over) block.nop().copy("i0", "s3");
             }),
      false);
}

ExecutionPlan gather_by_ports(bool acknowledged) {
  return paired(
      "allgather", {1, 2},
      [&](BlockMaker& block, std::uint32_t rank, std::uint32_t other) {
        block.enter({other}).copy("i0", own('o', rank)).put({"i0"}, {of(other, 'o', rank)});
        block.signal({other}).wait({other});
        if (acknowledged) block.signal({other}).wait({other});
      },
      PlanChannel::port);
}

ExecutionPlan gather_by_flushed_ports() {
  return paired(
      "allgather", {1, 2},
      [](BlockMaker& block, std::uint32_t rank, std::uint32_t other) {
        block.enter({other}).copy("i0", own('o', rank));
        block.move(PlanKind::put_signal_flush, {"i0"}, {of(other, 'o', rank)}).wait({other});
      },
      PlanChannel::port);
}

// `each`: every turn waits.
ExecutionPlan gather_in_turns(bool each) {
  return paired("allgather", {2, 4, 2}, [&](BlockMaker& block, std::uint32_t rank, std::uint32_t other) {
    block.enter({other}).pipeline(unit_bytes, 2).put({"i0x2"}, {fmt::format("{}:s0x2", other)}).nop().signal({other});
    if (!each) block.end();
    block.wait({other}).nop().copy("s0x2", fmt::format("o{}x2", 2 * other)).end();
    block.copy("i0x2", fmt::format("o{}x2", 2 * rank));
  });
}

ExecutionPlan gather_in_parts(std::uint32_t second = 1) {
  return in_blocks("allgather", {1, 2}, 2,
                   [&](std::vector<BlockMaker>& blocks, std::uint32_t rank, std::uint32_t other) {
                     for (std::uint32_t k = 0; k < 2; ++k) {
                       blocks[k].enter({other}).part(k == 0 ? 0 : second, 2).copy("i0", own('o', rank));
                       blocks[k].put({"i0"}, {of(other, 'o', rank)}).leave({other});
                     }
                   });
}

ExecutionPlan gather_behind_barrier(std::uint32_t blocks_told, std::uint32_t more_blocks = 0) {
  return in_blocks("allgather", {1, 2, 1}, 2 + more_blocks,
                   [&](std::vector<BlockMaker>& blocks, std::uint32_t rank, std::uint32_t other) {
                     blocks[0].enter({other}).barrier(0, blocks_told).copy("s0", own('o', rank));
                     blocks[0].put({"s0"}, {of(other, 'o', rank)}).leave({other});
                     blocks[1].copy("i0", "s0").barrier(0, blocks_told);
                     for (std::uint32_t k = 0; k < more_blocks; ++k) blocks[2 + k].barrier(0, blocks_told);
                   });
}

ExecutionPlan reduce_behind_semaphore(std::uint32_t first_value, const Ranks& acquired, bool order_after = true) {
  return with_semaphores(in_blocks("allreduce", {1, 1, 1}, 2,
                                   [&](std::vector<BlockMaker>& blocks, std::uint32_t, std::uint32_t other) {
                                     blocks[0].enter({other}).put({"i0"}, {of(other, 's', 0)}).leave({other});
                                     blocks[0].release({0});
                                     blocks[1].acquire(acquired);
                                     if (order_after) blocks[1].nop();
                                     blocks[1].reduce({"i0", "s0"}, "o0");
                                   }),
                         {first_value});
}

ExecutionPlan reduce_by_switch(bool enters, bool leaves) {
  PlanMaker maker("allreduce", 2, {2, 2});
  std::vector<BlockMaker> blocks = maker.mesh();
  maker.join_by_switch(Space::input);
  for (std::uint32_t r = 0; r < 2; ++r) {
    if (enters) blocks[r].enter({1 - r});
    blocks[r].move(PlanKind::group_load_reduce_store, {fmt::format("w0:i{}", r)}, {fmt::format("w0:i{}", r)});
    if (leaves) blocks[r].leave({1 - r});
  }
  return placed(maker.plan);
}

// Through the own scratch, with and without another range for the second copy.
ExecutionPlan gather_by_the_same_threads(bool same) {
  return paired("allgather", {2, 4, 2}, [&](BlockMaker& block, std::uint32_t rank, std::uint32_t other) {
    block.enter({other}).copy("i0x2", "s0x2");
    if (same) block.copy("s0x2", fmt::format("o{}x2", 2 * rank));
    if (!same) block.copy("s1", own('o', 2 * rank + 1)).copy("s0", own('o', 2 * rank));
    block.put({"i0x2"}, {fmt::format("{}:o{}x2", other, 2 * rank)}).leave({other});
  });
}

ExecutionPlan gather_by_gets(bool leaves) {
  return paired("allgather", {1, 2, 1}, [&](BlockMaker& block, std::uint32_t rank, std::uint32_t other) {
    block.enter({other}).move(PlanKind::get, {of(other, 'i', 0)}, {"s0"}).nop();
    block.copy("s0", own('o', other)).copy("i0", own('o', rank));
    if (leaves) block.leave({other});
  });
}

ExecutionPlan all_to_all_by_puts() {
  return meshed("alltoall", 3, {3, 3}, [](BlockMaker& block, std::uint32_t rank, const Ranks& others) {
    Buffers sources;
    for (const std::uint32_t other : others) sources.push_back(own('i', other));
    block.enter(others).copy(own('i', rank), own('o', rank)).put(sources, of_all(others, 'o', rank)).leave(others);
  });
}

// In place, each sends its slice.
ExecutionPlan gather_in_place() {
  return placed(meshed("allgather", 3, {1, 3}, [](BlockMaker& block, std::uint32_t rank, const Ranks& others) {
    block.enter(others).put(Buffers(others.size(), "i0"), of_all(others, 'o', rank)).leave(others);
  }));
}

// In place, each adds up its slice.
ExecutionPlan scatter_in_place(bool leaves) {
  return placed(meshed("reducescatter", 3, {3, 1}, [&](BlockMaker& block, std::uint32_t rank, const Ranks& others) {
    block.enter(others);
    block.move(PlanKind::read_reduce, with(own('i', rank), of_all(others, 'i', rank)), {"o0"});
    if (leaves) block.leave(others);
  }));
}

ExecutionPlan packets_in_ring(bool doubled) {
  return as_packets(meshed("allgather", 3, {1, 3, 2},
                           [](BlockMaker& block, std::uint32_t rank, const Ranks&) {
                             const std::uint32_t next = (rank + 1) % 3;
                             block.copy("i0", own('o', rank));
                             block.move(PlanKind::put_packets, {"i0"}, {of(next, 's', 0)});
                             block.move(PlanKind::pass_packets, {"s0"}, {of(next, 's', 1)});
                             block.move(PlanKind::unpack_packets, {"s0"}, {own('o', (rank + 2) % 3)});
                             block.move(PlanKind::unpack_packets, {"s1"}, {own('o', next)});
                           }),
                    doubled);
}

// As to and fro, with a copy of the sum as packets in the own scratch, which are sent at once or passed on.
ExecutionPlan packets_that_are_kept(bool at_once) {
  return as_packets(
      paired("allreduce", {2, 2, 3},
             [&](BlockMaker& block, std::uint32_t rank, std::uint32_t other) {
               block.move(PlanKind::put_packets, {own('i', other)}, {of(other, 's', 0)});
               if (at_once) {
                 block.move(PlanKind::reduce_copy_send_packets, {own('i', rank), "s0"},
                            {own('o', rank), "s1", of(other, 's', 2)});
                 block.move(PlanKind::unpack_packets, {"s1"}, {own('o', rank)});
               } else {
                 block.move(PlanKind::reduce_copy_packets, {own('i', rank), "s0"}, {own('o', rank), "s1"});
                 block.move(PlanKind::pass_packets, {"s1"}, {of(other, 's', 2)});
               }
               block.move(PlanKind::unpack_packets, {"s2"}, {own('o', other)});
             }),
      false);
}

ExecutionPlan packets_copied_and_passed(PlanChannel type, bool doubled) {
  return as_packets(paired(
                        "allgather", {1, 2, 2},
                        [](BlockMaker& block, std::uint32_t rank, std::uint32_t other) {
                          block.copy("i0", own('o', rank)).move(PlanKind::copy_packets, {"i0"}, {"s0"});
                          block.move(PlanKind::pass_packets, {"s0"}, {of(other, 's', 1)});
                          block.move(PlanKind::unpack_packets, {"s1"}, {own('o', other)});
                        },
                        type),
                    doubled);
}

// One block makes the packets, and another one hands them to a port.
ExecutionPlan packets_passed_for_a_block() {
  PlanMaker maker("allgather", 2, {1, 2, 2});
  std::vector<BlockMaker> senders = {maker.block(0), maker.block(1)};
  std::vector<BlockMaker> makers = {maker.block(0), maker.block(1)};
  maker.connect({0, 0}, {1, 0}, PlanChannel::port);
  for (std::uint32_t r = 0; r < 2; ++r) {
    senders[r].move(PlanKind::pass_packets, {"s0"}, {of(1 - r, 's', 1)});
    senders[r].move(PlanKind::unpack_packets, {"s1"}, {own('o', 1 - r)});
    makers[r].copy("i0", own('o', r)).move(PlanKind::copy_packets, {"i0"}, {"s0"});
  }
  return as_packets(maker.plan, true);
}

ExecutionPlan stores_by_switch(bool leaves) {
  PlanMaker maker("allgather", 2, {1, 2});
  std::vector<BlockMaker> blocks = maker.mesh();
  maker.join_by_switch(Space::output);
  for (std::uint32_t r = 0; r < 2; ++r) {
    blocks[r].enter({1 - r}).move(PlanKind::group_store, {"i0"}, {fmt::format("w0:o{}", r)});
    if (leaves) blocks[r].leave({1 - r});
  }
  return maker.plan;
}

ExecutionPlan packets_by_switch(bool doubled) {
  PlanMaker maker("allgather", 2, {1, 2, 2});
  std::vector<BlockMaker> blocks = maker.mesh();
  maker.join_by_switch(Space::scratch);
  for (std::uint32_t r = 0; r < 2; ++r) {
    blocks[r].move(PlanKind::copy_packets, {"i0"}, {own('s', r)});
    blocks[r].move(PlanKind::group_store_packets, {own('s', r)}, {fmt::format("w0:s{}", r)});
    for (std::uint32_t c = 0; c < 2; ++c) blocks[r].move(PlanKind::unpack_packets, {own('s', c)}, {own('o', c)});
  }
  return as_packets(maker.plan, doubled);
}

// Of three, through scratch: who is added last may write over what the next launch brings.
ExecutionPlan scatter_through_scratch(bool enters) {
  return meshed("reducescatter", 3, {3, 1, 3}, [&](BlockMaker& block, std::uint32_t rank, const Ranks& others) {
    if (enters) block.enter(others);
    Buffers sources;
    for (const std::uint32_t other : others) sources.push_back(own('i', other));
    block.put(sources, of_all(others, 's', rank)).leave(others).nop();
    block.reduce({own('i', rank), own('s', others[0]), own('s', others[1])}, "o0");
  });
}

// A put and its signal as one operation.
ExecutionPlan gather_by_signalled_ports(bool acknowledged) {
  return paired(
      "allgather", {1, 2},
      [&](BlockMaker& block, std::uint32_t rank, std::uint32_t other) {
        block.enter({other}).copy("i0", own('o', rank));
        block.move(PlanKind::put_signal, {"i0"}, {of(other, 'o', rank)}).wait({other});
        if (acknowledged) block.signal({other}).wait({other});
      },
      PlanChannel::port);
}

// -------------------------------------------------------------------------------------------------- wrong ones alone
// GPU 0's second signal to GPU 1 is another thread's, and may come before the first one, which says that GPU 2's chunk
// is there.
ExecutionPlan signals_that_swap() {
  return meshed("allgather", 3, {1, 3, 1}, [](BlockMaker& block, std::uint32_t rank, const Ranks& others) {
    block.enter(others).copy("i0", own('o', rank));
    if (rank == 0) {
      block.put({"i0", "i0"}, {"1:o0", "2:o0"}).nop().wait({1, 2}).signal({2, 1}).relaxed_signal({1});
    } else if (rank == 1) {
      block.put({"i0", "i0"}, {"0:o1", "2:o1"}).nop().signal({0, 2});
      block.wait({0}).nop().copy("s0", "o2").relaxed_wait({0});
    } else {
      block.put({"i0", "i0"}, {"0:o2", "1:s0"}).nop().signal({0}).wait({0, 1});
    }
  });
}

// GPU 1's second wait for GPU 0 is another thread's: it may be the one that the first signal ends, which says nothing
// of data.
ExecutionPlan waits_that_swap() {
  return meshed("allgather", 3, {1, 3, 1}, [](BlockMaker& block, std::uint32_t rank, const Ranks& others) {
    if (rank == 1) {
      block.copy("i0", "o1").relaxed_signal(others).relaxed_wait({2, 0}).wait({0}).nop().copy("s0", "o0");
      block.put({"i0", "i0"}, of_all(others, 'o', 1)).nop().signal(others).wait({2});
    } else {
      block.enter(others).copy("i0", own('o', rank));
      block.put({"i0", "i0"}, rank == 0 ? Buffers{"1:s0", "2:o0"} : of_all(others, 'o', 2)).leave(others);
    }
  });
}

// The put is on the first channel, and its signal on the second.
ExecutionPlan signal_on_another_channel() {
  PlanMaker maker("allgather", 2, {1, 2});
  std::vector<BlockMaker> blocks = maker.mesh(PlanChannel::port);
  maker.connect({0, 0}, {1, 0}, PlanChannel::port);
  for (std::uint32_t r = 0; r < 2; ++r) {
    blocks[r].enter({1 - r}).copy("i0", own('o', r)).put({"i0"}, {of(1 - r, 'o', r)});
    for (const PlanKind kind : {PlanKind::signal, PlanKind::wait, PlanKind::signal, PlanKind::wait})
      blocks[r].add({.kind = kind, .channel = PlanChannel::port, .channels = {1}});
  }
  return maker.plan;
}

// GPU 0 hears nothing of GPU 1.
ExecutionPlan sender_that_runs_on() {
  PlanMaker maker("broadcast", 2, {1, 1, 1});
  std::vector<BlockMaker> blocks = maker.mesh();
  blocks[0].copy("i0", "o0").move(PlanKind::put_packets, {"i0"}, {"1:s0"});
  blocks[1].move(PlanKind::unpack_packets, {"s0"}, {"o0"});
  return as_packets(maker.plan, true);
}

ExecutionPlan with_another_signal(ExecutionPlan plan) {
  PlanBlock& block = plan.ranks[0].blocks[0];
  block.operations.push_back({.kind = PlanKind::signal, .channel = PlanChannel::memory, .channels = {0}});
  return plan;
}

ExecutionPlan with_another_wait(ExecutionPlan plan) {
  PlanBlock& block = plan.ranks[0].blocks[0];
  block.operations.push_back({.kind = PlanKind::wait, .channel = PlanChannel::memory, .channels = {0}});
  return plan;
}

ExecutionPlan of_another_chunk(ExecutionPlan plan) {
  for (PlanOperation& operation : plan.ranks[0].blocks[0].operations) {
    if (operation.kind == PlanKind::put) operation.sources[0].index = 0;
  }
  return plan;
}

// The executor copies the first source, whatever the others are.
ExecutionPlan copy_of_two_sources() {
  ExecutionPlan plan = reduce_through_scratch();
  for (PlanRank& rank : plan.ranks) rank.blocks[0].operations.back().kind = PlanKind::copy;
  return plan;
}

ExecutionPlan waits_before_signals() {
  return paired("allgather", {1, 2}, [](BlockMaker& block, std::uint32_t rank, std::uint32_t other) {
    block.enter({other}).copy("i0", own('o', rank)).put({"i0"}, {of(other, 'o', rank)});
    block.nop().wait({other}).signal({other});
  });
}

// The first release may wake neither of two, and the second one comes when it has woken one.
ExecutionPlan two_acquirers() {
  PlanMaker maker("allreduce", 1, {1, 1});
  std::vector<BlockMaker> blocks = {maker.block(0), maker.block(0), maker.block(0)};
  blocks[0].copy("i0", "o0").release({0}).acquire({1}).release({0}).acquire({1});
  for (const std::size_t k : {1U, 2U}) blocks[k].acquire({0}).release({1});
  return with_semaphores(maker.plan, {0, 0});
}

ExecutionPlan flush_for_naught() {
  ExecutionPlan plan = gather_by_ports(false);
  for (PlanRank& rank : plan.ranks) {
    auto& operations = rank.blocks[0].operations;
    operations.insert(operations.end() - 1, {.kind = PlanKind::flush, .channel = PlanChannel::port, .channels = {0}});
  }
  return plan;
}

ExecutionPlan puts_of_two_buffers() {
  return paired("allgather", {1, 2, 1}, [](BlockMaker& block, std::uint32_t rank, std::uint32_t other) {
    block.enter({other}).copy("i0", own('o', rank));
    block.put({own('o', rank), "i0"}, {of(other, 's', 0), of(other, 'o', rank)}).leave({other});
  });
}

ExecutionPlan get_of_another_index() {
  return paired("allgather", {1, 2}, [](BlockMaker& block, std::uint32_t rank, std::uint32_t other) {
    block.enter({other}).copy("i0", own('o', rank));
    block.move(PlanKind::get, {of(other, 'i', 0)}, {own('o', other)}).leave({other});
  });
}

}  // namespace

std::vector<SmallPlan> right_plans() {
  return {
      {.name = "puts", .plan = gather_by_puts(true, true), .others = 1},
      {.name = "through scratch", .plan = reduce_through_scratch(), .others = 1},
      {.name = "reads", .plan = reduce_by_reading(true, true), .others = 1},
      {.name = "reduces and sends", .plan = reduce_and_send(), .others = 1},
      {.name = "reduces and sends, without entry", .plan = reduce_and_send(false), .others = 1},
      {.name = "reads, reduces and sends, in place", .plan = read_reduce_and_send(), .others = 1},
      {.name = "a ring", .plan = gather_in_ring(), .others = 1},
      {.name = "packets in two halves", .plan = packets_at_once()},
      {.name = "packets to and fro", .plan = packets_to_and_fro(), .others = 1},
      {.name = "ports, acknowledged", .plan = gather_by_ports(true), .others = 1},
      {.name = "ports, flushed", .plan = gather_by_flushed_ports(), .others = 1},
      {.name = "a pipeline of one turn", .plan = gather_in_turns(true), .others = 1},
      {.name = "a pipeline of two turns", .plan = gather_in_turns(true), .turns = 2, .others = 1},
      {.name = "a pipeline of three turns", .plan = gather_in_turns(true), .turns = 3, .others = 1},
      {.name = "a pipeline that waits for one turn, of one", .plan = gather_in_turns(false), .others = 1},
      {.name = "parts", .plan = gather_in_parts(), .others = 1},
      {.name = "a barrier", .plan = gather_behind_barrier(2), .others = 1},
      {.name = "a semaphore", .plan = reduce_behind_semaphore(0, {0}), .others = 1},
      {.name = "a switch", .plan = reduce_by_switch(true, true), .others = 1},
      {.name = "the same threads", .plan = gather_by_the_same_threads(true), .others = 1},
      {.name = "gets", .plan = gather_by_gets(true), .others = 1},
      {.name = "all to all", .plan = all_to_all_by_puts(), .others = 1},
      {.name = "slices sent in place", .plan = gather_in_place(), .others = 1},
      {.name = "slices added in place", .plan = scatter_in_place(true), .others = 1},
      {.name = "packets in a ring", .plan = packets_in_ring(true)},
      {.name = "packets kept and sent", .plan = packets_that_are_kept(true), .others = 1},
      {.name = "packets kept and passed on", .plan = packets_that_are_kept(false), .others = 1},
      {.name = "packets copied and passed on", .plan = packets_copied_and_passed(PlanChannel::memory, true)},
      {.name = "packets passed on by ports", .plan = packets_copied_and_passed(PlanChannel::port, true)},
      {.name = "packets passed on by ports for another block", .plan = packets_passed_for_a_block()},
      {.name = "stores by a switch", .plan = stores_by_switch(true), .others = 1},
      {.name = "packets by a switch", .plan = packets_by_switch(true)},
      {.name = "three through scratch", .plan = scatter_through_scratch(true), .others = 1},
      {.name = "ports, signalled at once", .plan = gather_by_signalled_ports(true), .others = 1},
  };
}

std::vector<SmallPlan> wrong_plans() {
  return {
      {.name = "no order of the block after a wait", .plan = reduce_through_scratch({.order_after_wait = false})},
      {.name = "no order of the block before a signal", .plan = reduce_through_scratch({.order_before_signal = false})},
      {.name = "no order of the block after an acquire", .plan = reduce_behind_semaphore(0, {0}, false)},
      {.name = "signals of two threads on one channel", .plan = signals_that_swap()},
      {.name = "waits of two threads on one channel", .plan = waits_that_swap()},
      {.name = "a relaxed signal for data", .plan = reduce_through_scratch({.relaxed_signal = true})},
      {.name = "a relaxed wait for data", .plan = reduce_through_scratch({.relaxed_wait = true})},
      {.name = "a semaphore that is free at first", .plan = reduce_behind_semaphore(1, {0})},
      {.name = "a semaphore twice in an acquire", .plan = reduce_behind_semaphore(0, {0, 0})},
      {.name = "a barrier of fewer blocks than use it", .plan = gather_behind_barrier(2, 1)},
      {.name = "a barrier of more blocks than use it", .plan = gather_behind_barrier(3)},
      {.name = "a signal on another channel than its put", .plan = signal_on_another_channel()},
      {.name = "plain writes over packets", .plan = packets_to_and_fro(true)},
      {.name = "a sender that runs on", .plan = sender_that_runs_on()},
      {.name = "halves of the scratch, with a plan between", .plan = packets_at_once(), .others = 1},
      {.name = "writes before the other one has begun", .plan = gather_by_puts(false, true)},
      {.name = "reads before the other one has begun", .plan = reduce_by_reading(false, true)},
      {.name = "ends while it is read", .plan = reduce_by_reading(true, false)},
      {.name = "ends while it is written", .plan = gather_by_puts(true, false)},
      {.name = "relaxed signals after writes", .plan = gather_by_puts(true, true, PlanKind::relaxed_signal)},
      {.name = "relaxed pairs after writes",
       .plan = gather_by_puts(true, true, PlanKind::relaxed_signal, PlanKind::relaxed_wait)},
      {.name = "the next launch writes over scratch", .plan = reduce_through_scratch({.enters = false})},
      {.name = "ends before a port has read", .plan = gather_by_ports(false)},
      {.name = "threads of other ranges", .plan = gather_by_the_same_threads(false)},
      {.name = "a signal more than waits", .plan = with_another_signal(reduce_through_scratch())},
      {.name = "a wait more than signals", .plan = with_another_wait(reduce_through_scratch())},
      {.name = "another chunk", .plan = of_another_chunk(reduce_and_send())},
      {.name = "added twice", .plan = reduce_by_reading(true, true, true)},
      {.name = "a part twice", .plan = gather_in_parts(0)},
      {.name = "each waits before it signals", .plan = waits_before_signals()},
      {.name = "two acquirers of a semaphore", .plan = two_acquirers()},
      {.name = "a pipeline that waits for one turn, of two", .plan = gather_in_turns(false), .turns = 2},
      {.name = "a switch that begins early", .plan = reduce_by_switch(false, true)},
      {.name = "a switch that ends early", .plan = reduce_by_switch(true, false)},
      {.name = "a flush, which does nothing", .plan = flush_for_naught()},
      {.name = "puts over a copy onto itself", .plan = gather_over_a_copy()},
      {.name = "puts of two buffers", .plan = puts_of_two_buffers()},
      {.name = "a copy of two sources", .plan = copy_of_two_sources()},
      {.name = "puts into scratch of two halves", .plan = with_two_halves(reduce_through_scratch())},
      {.name = "puts into scratch that another plan still uses",
       .plan = with_shared_scratch(reduce_and_send(false)),
       .others = 1},
      {.name = "ends while it is got", .plan = gather_by_gets(false)},
      {.name = "ends while its slices are read", .plan = scatter_in_place(false)},
      {.name = "packets in a ring, one half", .plan = packets_in_ring(false)},
      {.name = "packets copied and passed on, one half", .plan = packets_copied_and_passed(PlanChannel::memory, false)},
      {.name = "packets passed on by ports, one half", .plan = packets_copied_and_passed(PlanChannel::port, false)},
      {.name = "ends while a switch stores", .plan = stores_by_switch(false)},
      {.name = "packets by a switch, one half", .plan = packets_by_switch(false)},
      {.name = "the next launch of three writes over scratch", .plan = scatter_through_scratch(false)},
      {.name = "ends before a port has read what it signals", .plan = gather_by_signalled_ports(false)},
      {.name = "a get of another index", .plan = get_of_another_index()},
  };
}

}  // namespace quadrille::programs
