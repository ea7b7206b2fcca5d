// A rank's program names slots that are written again and again. Here each write gets a slot of its own, and reads are
// led to it: the last write of an output slot goes to that slot, those before it to scratch. For example, in an
// all-reduce around a ring `output 3 := input 3 + what arrives; send output 3; output 3 := what arrives` becomes
// `scratch 0 := input 3 + kept 0; send scratch 0`, and the second message goes straight to output 3. What has arrived
// is never written by the rank itself: the sender's next launch writes there, and knows only that this one is over.
//
// A message belongs to the step in which it arrives, at both ends: until that step's end what it reads does not change
// (export/rank_memory.h).
#include "export/mscclpp_steps.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "export/transfers.h"
#include "model/limits/work.h"

namespace quadrille::exporting {
namespace {

constexpr std::size_t most_sources = 10;

BufferSlot moved(const BufferSlot& slot, std::uint64_t by) { return {slot.buffer, slot.slot + by}; }

// Whether chunks that are read and written at the same time would meet, other than each in its own place.
bool meet(const PlanSum& sum, std::uint64_t count) {
  return std::ranges::any_of(sum.sources, [&](const BufferSlot& source) {
    const std::uint64_t apart = std::max(source.slot, sum.target.slot) - std::min(source.slot, sum.target.slot);
    return source.buffer == sum.target.buffer && apart != 0 && apart < count;
  });
}

// Makes one sum of two that lie side by side; whether it could.
bool widened(PlanSum& first, const PlanSum& next) {
  const auto follows = [&](const BufferSlot& a, const BufferSlot& b) { return moved(a, first.count) == b; };
  if (!follows(first.target, next.target) || !std::ranges::equal(first.sources, next.sources, follows) ||
      meet(first, first.count + next.count))
    return false;
  first.count += next.count;
  first.replaces = first.replaces && next.replaces;
  return true;
}

// Makes one sum of two, the second of which adds to the first; whether it could.
bool joined(PlanSum& first, const PlanSum& next) {
  if (!next.replaces || next.sources.front() != first.target || first.count != next.count ||
      first.sources.size() + next.sources.size() - 1 > most_sources)
    return false;
  PlanSum both = first;
  both.sources.insert(both.sources.end(), next.sources.begin() + 1, next.sources.end());
  both.target = next.target;
  if (meet(both, both.count)) return false;
  first = std::move(both);
  return true;
}

template <class List, class Join>
void fold(List& list, const Join& join) {
  List result;
  for (auto& it : list) {
    if (result.empty() || !join(result.back(), it)) result.push_back(std::move(it));
  }
  list = std::move(result);
}

class StepsBuilder {
 public:
  StepsBuilder(std::vector<ProcessorProgram> ranks, bool merged, const Limits& limits)
      : ranks_(std::move(ranks)), merged_(merged), work_(limits), memory_(ranks_.size()) {}

  PlanSteps build() {
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) find_last_writes(rank);
    pair_up();
    for (auto& [step, transfers] : transfers_) add_step(step, transfers);
    bring_home();
    for (const RankState& it : memory_) {
      result_.arrivals.push_back(it.arrivals);
      result_.scratch.push_back(it.scratch);
    }
    return std::move(result_);
  }

 private:
  struct PairedSend {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::size_t send = 0;  // their numbers among the instructions
    std::size_t reception = 0;
  };
  struct RankState {
    std::map<BufferSlot, BufferSlot> where = {};         // what a slot of the program holds now
    std::map<std::size_t, BufferSlot> last_writes = {};  // by instruction: the output slot that it writes last
    std::map<std::size_t, BufferSlot> arrived = {};      // by reception: the slot of its message
    std::size_t next = 0;                                // instruction
    std::uint64_t arrivals = 0;
    std::uint64_t scratch = 0;
    std::uint64_t scratch_before = 0;  // when the step began
  };

  const std::vector<Instruction>& instructions(std::uint32_t rank) const { return ranks_[rank].instructions; }

  // Where the last write of an output slot is a copy, the last write of what it copies is one.
  void find_last_writes(std::uint32_t rank) {
    std::map<BufferSlot, std::size_t> last;
    std::map<std::size_t, std::size_t> origin;  // of copies: what has written their source
    for (std::size_t i = 0; i < instructions(rank).size(); ++i) {
      const Instruction& it = instructions(rank)[i];
      work_.spend(8);
      if (it.sends()) continue;
      if (it.what.action == Action::copy && last.contains(it.source)) origin[i] = last.at(it.source);
      last[it.target] = i;
    }
    for (const auto& [slot, at] : last) {
      if (slot.buffer != Buffer::output) continue;
      const auto from = origin.find(at);
      const bool free = from != origin.end() && !memory_[rank].last_writes.contains(from->second) &&
                        instructions(rank)[from->second].target.buffer == Buffer::scratch;
      memory_[rank].last_writes[free ? from->second : at] = slot;
    }
  }

  void pair_up() {
    std::map<std::tuple<std::uint32_t, std::uint32_t, LaneId>, std::vector<PairedSend>> connections;
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
      for (std::size_t i = 0; i < instructions(rank).size(); ++i) {
        const Instruction& it = instructions(rank)[i];
        work_.spend(8);
        if (!it.sends()) transfers_[it.what.step];
        if (it.sends()) connections[{rank, it.what.peer.value, it.what.lane}].push_back({rank, it.what.peer.value, i});
      }
    }
    std::map<std::tuple<std::uint32_t, std::uint32_t, LaneId>, std::size_t> taken;
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
      for (std::size_t i = 0; i < instructions(rank).size(); ++i) {
        const Instruction& it = instructions(rank)[i];
        work_.spend(8);
        if (it.sends() || it.local()) continue;
        const std::tuple connection(it.what.peer.value, rank, it.what.lane);
        PairedSend& transfer = connections.at(connection)[taken[connection]++];
        transfer.reception = i;
        transfers_[it.what.step].push_back(transfer);
      }
    }
  }

  BufferSlot where(std::uint32_t rank, const BufferSlot& slot) const {
    const auto found = memory_[rank].where.find(slot);
    return found == memory_[rank].where.end() ? slot : found->second;
  }

  void add_step(StepId now, std::vector<PairedSend>& transfers) {
    PlanStep& step = result_.steps.emplace_back();
    step.sums.resize(ranks_.size());
    const auto ranks = static_cast<std::uint32_t>(ranks_.size());
    const auto key = [&](const PairedSend& it) { return std::pair((it.to + ranks - it.from) % ranks, it.from); };
    std::ranges::stable_sort(transfers, [&](const PairedSend& a, const PairedSend& b) { return key(a) < key(b); });
    for (const PairedSend& it : transfers) add_message(it, step);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      std::vector<PlanSum>& sums = step.sums[rank];
      memory_[rank].scratch_before = memory_[rank].scratch;
      for (std::size_t& next = memory_[rank].next; next < instructions(rank).size(); ++next) {
        const Instruction& it = instructions(rank)[next];
        if (it.what.step > now) break;
        if (!it.sends()) write(rank, next, it, sums);
      }
      if (merged_) fold(sums, widened);
      fold(sums, joined);
      if (merged_) fold(sums, widened);
    }
  }

  void add_message(const PairedSend& it, PlanStep& step) {
    work_.spend(32);
    RankState& there = memory_[it.to];
    const bool combines = instructions(it.to)[it.reception].combines();
    const auto last = there.last_writes.find(it.reception);
    const bool straight = !combines && last != there.last_writes.end();
    const BufferSlot to = straight ? last->second : BufferSlot{Buffer::kept, there.arrivals++};
    there.arrived[it.reception] = to;
    std::vector<PlanMessage>& messages = step.messages;
    if (messages.empty() || messages.back().from != it.from || messages.back().to != it.to)
      messages.push_back({it.from, it.to});
    std::vector<PlanPiece>& pieces = messages.back().pieces;
    const BufferSlot from = where(it.from, instructions(it.from)[it.send].source);
    if (merged_ && !pieces.empty() && moved(pieces.back().from, pieces.back().count) == from &&
        moved(pieces.back().to, pieces.back().count) == to) {
      ++pieces.back().count;
    } else {
      pieces.push_back({from, to});
    }
  }

  void write(std::uint32_t rank, std::size_t number, const Instruction& it, std::vector<PlanSum>& sums) {
    work_.spend(32);
    RankState& state = memory_[rank];
    const auto last = state.last_writes.find(number);
    const auto target_or = [&](auto otherwise) { return last != state.last_writes.end() ? last->second : otherwise(); };
    BufferSlot& now = state.where.try_emplace(it.target, it.target).first->second;
    const auto new_scratch = [&] { return BufferSlot{Buffer::scratch, state.scratch++}; };
    if (it.local()) {
      const BufferSlot source = where(rank, it.source);
      const bool appends = it.what.action == Action::append;
      std::vector<BufferSlot> sources = {source};
      if (appends) sources.insert(sources.begin(), now);
      if (!appends && source == it.target) return void(now = source);  // the last write has gone there
      now = target_or(new_scratch);
      sums.push_back({std::move(sources), now, 1, appends});
      return;
    }
    const BufferSlot arrived = state.arrived.at(number);
    if (it.combines()) {
      const BufferSlot held = where(rank, it.source);
      const bool of_this_step = held.buffer == Buffer::scratch && held.slot >= state.scratch_before;
      now = of_this_step && it.source == it.target ? target_or([&] { return held; }) : target_or(new_scratch);
      sums.push_back({{held, arrived}, now, 1, it.source == it.target});
    } else {
      now = arrived;
    }
  }

  // What an output slot holds in the end, and is somewhere else, is copied there.
  void bring_home() {
    if (result_.steps.empty()) return;
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
      for (const auto& [slot, now] : memory_[rank].where) {
        if (slot.buffer == Buffer::output && now != slot) result_.steps.back().sums[rank].push_back({{now}, slot});
      }
    }
  }

  std::vector<ProcessorProgram> ranks_;
  bool merged_;
  Work work_;
  std::vector<RankState> memory_;
  std::map<StepId, std::vector<PairedSend>> transfers_;
  PlanSteps result_;
};

}  // namespace

Result<PlanSteps> plan_steps(std::vector<ProcessorProgram> ranks, bool merged, const Limits& limits) {
  auto paired = merged_transfers(std::move(ranks), 1, limits);
  if (!paired) return paired.diagnostics();
  try {
    return StepsBuilder(*std::move(paired), merged, limits).build();
  } catch (const Ended& ended) {
    return programs_ended(ended.reason);
  }
}

}  // namespace quadrille::exporting
