// A rank's program names slots that are written again and again. Here each write gets a slot of its own, and reads are
// led to it: the last write of an output slot goes to that slot, those before it to scratch. For example, in an
// all-reduce around a ring `output 3 := input 3 + what arrives; send output 3; output 3 := what arrives` becomes
// `scratch 0 := input 3 + kept 0; send scratch 0`, and the second message goes straight to output 3. What has arrived
// is never written by the rank itself: the sender's next launch writes there, and knows only that this one is over.
//
// With packets there is no other scratch: what must be added up lies in the output slot that its sum is for, where the
// rank alone writes. Whatever is read there is what was written there last; else the table is refused.
//
// A message belongs to the step in which it arrives, at both ends: until that step's end what it reads does not change
// (export/rank_memory.h).
#include "export/mscclpp_steps.h"

#include <fmt/format.h>

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

// Makes one sum of two, the second of which adds to the first; whether that is one: else the first is of no use.
bool joined(PlanSum& first, const PlanSum& next) {
  if (!next.replaces || next.sources.front() != first.target || first.count != next.count) return false;
  first.sources.insert(first.sources.end(), next.sources.begin() + 1, next.sources.end());
  first.target = next.target;
  return !meet(first, first.count);
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
  StepsBuilder(std::vector<ProcessorProgram> ranks, const PlanChoices& choices, const Limits& limits)
      : ranks_(std::move(ranks)), choices_(choices), work_(limits), memory_(ranks_.size()) {}

  Result<PlanSteps> build() {
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) find_last_writes(rank);
    pair_up();
    for (auto& [step, transfers] : transfers_) add_step(step, transfers);
    bring_home();
    for (const RankState& it : memory_) {
      result_.arrivals.push_back(it.arrivals);
      result_.scratch.push_back(it.scratch);
    }
    if (without_room_)
      return error_at({},
                      fmt::format("mscclpp: rank {} would overwrite what it needs: {} no room beside the results",
                                  *without_room_, choices_.packets() ? "packets leave" : "calls in place leave"),
                      Code::unsupported);
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
    std::map<BufferSlot, BufferSlot> results = {};       // packets: the output slot that a slot's sums are for
    std::map<BufferSlot, BufferSlot> written = {};       // by slot of the call's buffers: the program's slot it holds
    std::set<BufferSlot> by_port = {};        // slots of the call's buffers that ports have sent, or may be sending yet
    std::vector<std::uint32_t> senders = {};  // by slot of Buffer::kept
    std::size_t next = 0;                     // instruction
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
      ordered_ = ordered_ || (it.combines() && it.what.action != Action::combine);
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
      if (choices_.instances == 1) fold(sums, widened);
      fold(sums, [&](PlanSum& first, const PlanSum& second) {
        PlanSum both = first;
        if (!joined(both, second) || !sayable(both)) return false;
        first = std::move(both);
        return true;
      });
      put_in_order(rank, sums);
      if (choices_.instances == 1) fold(sums, widened);
    }
  }

  // Ranks that add up the same in one step do so in one order, that of the ranks that it comes from, and so get the
  // same bits. What is too long for one sum begins with one to a slot of its own.
  void put_in_order(std::uint32_t rank, std::vector<PlanSum>& sums) {
    if (choices_.packets()) return;
    std::vector<PlanSum> all;
    for (PlanSum& sum : sums) {
      const auto origin = [&](const BufferSlot& it) {
        return it.buffer == Buffer::kept ? memory_[rank].senders[it.slot] : rank;
      };
      if (!ordered_) std::ranges::stable_sort(sum.sources, {}, origin);
      while (sum.sources.size() > most_sources) {
        const auto rest = sum.sources.begin() + most_sources;
        const BufferSlot begun{Buffer::scratch, memory_[rank].scratch};
        memory_[rank].scratch += sum.count;
        all.push_back({{sum.sources.begin(), rest}, begun, sum.count});
        sum.sources.erase(sum.sources.begin(), rest);
        sum.sources.insert(sum.sources.begin(), begun);
      }
      all.push_back(std::move(sum));
    }
    sums = std::move(all);
  }

  // Packets are added to what is none, and nothing else is added along with them; so a sum of them is not begun before.
  bool sayable(const PlanSum& sum) const {
    const auto packets = [&](const BufferSlot& it) { return choices_.packets() && it.buffer == Buffer::kept; };
    if (choices_.packets() && sum.sources.size() > most_sources) return false;
    return sum.sources.size() == 1 || std::ranges::none_of(sum.sources, packets) ||
           (!packets(sum.sources.front()) && std::ranges::all_of(sum.sources.begin() + 1, sum.sources.end(), packets));
  }

  void add_message(const PairedSend& it, PlanStep& step) {
    work_.spend(32);
    RankState& there = memory_[it.to];
    const bool combines = instructions(it.to)[it.reception].combines();
    const auto last = there.last_writes.find(it.reception);
    const bool straight =
        !choices_.packets() && !combines && last != there.last_writes.end() && !shared(it.to, last->second);
    const BufferSlot to = straight ? last->second : BufferSlot{Buffer::kept, there.arrivals++};
    if (!straight) there.senders.push_back(it.from);
    there.arrived[it.reception] = to;
    std::vector<PlanMessage>& messages = step.messages;
    if (messages.empty() || messages.back().from != it.from || messages.back().to != it.to)
      messages.push_back({it.from, it.to});
    std::vector<PlanPiece>& pieces = messages.back().pieces;
    const BufferSlot from = read(it.from, instructions(it.from)[it.send].source);
    if (!choices_.in_one_node(it.from, it.to)) memory_[it.from].by_port.insert(in_memory(it.from, from));
    if (choices_.instances == 1 && !pieces.empty() && moved(pieces.back().from, pieces.back().count) == from &&
        moved(pieces.back().to, pieces.back().count) == to) {
      ++pieces.back().count;
    } else {
      pieces.push_back({from, to});
    }
  }

  // Where a slot's content is; it is still there.
  BufferSlot read(std::uint32_t rank, const BufferSlot& slot) {
    const BufferSlot place = where(rank, slot);
    const bool of_call = place.buffer == Buffer::input || place.buffer == Buffer::output;
    if (of_call && (choices_.packets() || choices_.in_place)) {
      const auto holder = memory_[rank].written.find(in_memory(rank, place));
      const bool there = holder == memory_[rank].written.end() ? place.buffer == Buffer::input : holder->second == slot;
      if (!there) without_room_ = rank;
    }
    return place;
  }

  // In place, chunks of the smaller buffer of a call are chunks of the larger one, or of the output if both are as
  // large.
  BufferSlot in_memory(std::uint32_t rank, const BufferSlot& slot) const {
    const std::uint64_t input = ranks_[rank].input;
    const std::uint64_t output = ranks_[rank].output;
    const Buffer inner = input <= output ? Buffer::input : Buffer::output;
    if (!choices_.in_place || slot.buffer != inner) return slot;
    const std::uint64_t first = input == output ? 0 : rank * std::min(input, output);
    return {inner == Buffer::input ? Buffer::output : Buffer::input, first + slot.slot};
  }

  // Whether an output slot is a slot of the input, too.
  bool shared(std::uint32_t rank, const BufferSlot& slot) const {
    if (!choices_.in_place) return false;
    const std::uint64_t input = ranks_[rank].input;
    const std::uint64_t first = input == ranks_[rank].output ? 0 : rank * input;
    return input >= ranks_[rank].output || (slot.slot >= first && slot.slot < first + input);
  }

  void write(std::uint32_t rank, std::size_t number, const Instruction& it, std::vector<PlanSum>& sums) {
    work_.spend(32);
    if (it.local()) {
      keep(rank, number, it, sums);
    } else if (it.combines()) {
      combine(rank, number, it, sums);
    } else {
      store(rank, number, it, sums);
    }
  }

  void keep(std::uint32_t rank, std::size_t number, const Instruction& it, std::vector<PlanSum>& sums) {
    const bool appends = it.what.action == Action::append;
    const BufferSlot source = read(rank, it.source);
    if (!appends && source == it.target) return put(rank, it.target, source);  // the last write has gone there
    if (!appends && in_memory(rank, source) == in_memory(rank, it.target)) {
      memory_[rank].where[it.target] = source;
      return;
    }
    std::vector<BufferSlot> sources = {source};
    if (appends) sources.insert(sources.begin(), read(rank, it.target));
    const BufferSlot target = target_of(rank, number, it.target);
    add_sum(rank, {std::move(sources), target, 1, appends}, it.target, sums);
  }

  void combine(std::uint32_t rank, std::size_t number, const Instruction& it, std::vector<PlanSum>& sums) {
    RankState& state = memory_[rank];
    const BufferSlot held = read(rank, it.source);
    const bool in_place = it.source == it.target;
    if (const auto result = state.results.find(it.source); result != state.results.end())
      state.results.try_emplace(it.target, result->second);
    const bool of_this_step = held.buffer == Buffer::scratch && held.slot >= state.scratch_before;
    const bool again = of_this_step && in_place && !state.last_writes.contains(number);
    const BufferSlot target = again ? held : target_of(rank, number, it.target);
    const BufferSlot arrived = state.arrived.at(number);
    if (it.what.action == Action::combine_before) return add_sum(rank, {{arrived, held}, target}, it.target, sums);
    add_sum(rank, {{held, arrived}, target, 1, in_place}, it.target, sums);
  }

  void store(std::uint32_t rank, std::size_t number, const Instruction& it, std::vector<PlanSum>& sums) {
    const BufferSlot arrived = memory_[rank].arrived.at(number);
    if (!choices_.packets() || !memory_[rank].last_writes.contains(number)) return put(rank, it.target, arrived);
    add_sum(rank, {{arrived}, target_of(rank, number, it.target), 1}, it.target, sums);
  }

  void add_sum(std::uint32_t rank, PlanSum sum, const BufferSlot& slot, std::vector<PlanSum>& sums) {
    note_overwritten(rank, sum);
    if (!sayable(sum)) without_room_ = rank;
    put(rank, slot, sum.target);
    sums.push_back(std::move(sum));
  }

  void note_overwritten(std::uint32_t rank, const PlanSum& sum) {
    for (std::uint64_t i = 0; i < sum.count; ++i) {
      if (memory_[rank].by_port.contains(in_memory(rank, moved(sum.target, i)))) result_.overwrites = true;
    }
  }

  void put(std::uint32_t rank, const BufferSlot& slot, const BufferSlot& place) {
    memory_[rank].where[slot] = place;
    if (place.buffer == Buffer::output) memory_[rank].written[in_memory(rank, place)] = slot;
  }

  // Where the instruction writes what it makes for a slot.
  BufferSlot target_of(std::uint32_t rank, std::size_t number, const BufferSlot& slot) {
    RankState& state = memory_[rank];
    const auto last = state.last_writes.find(number);
    if (choices_.packets() && slot.buffer == Buffer::output) state.results.try_emplace(slot, slot);
    if (last != state.last_writes.end()) return last->second;
    if (!choices_.packets()) return {Buffer::scratch, state.scratch++};
    const auto result = state.results.find(slot);
    if (result == state.results.end()) without_room_ = rank;
    return result == state.results.end() ? slot : result->second;
  }

  // What an output slot holds in the end, and is somewhere else, is copied there.
  void bring_home() {
    if (result_.steps.empty()) return;
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
      std::vector<PlanSum> copies;
      for (const auto& [slot, now] : memory_[rank].where) {
        if (slot.buffer == Buffer::output && in_memory(rank, now) != in_memory(rank, slot))
          copies.push_back({{now}, slot});
      }
      if (choices_.instances == 1) fold(copies, widened);
      for (const PlanSum& copy : copies) {
        note_overwritten(rank, copy);
        result_.steps.back().sums[rank].push_back(copy);
      }
    }
  }

  std::vector<ProcessorProgram> ranks_;
  const PlanChoices& choices_;
  Work work_;
  std::vector<RankState> memory_;
  std::map<StepId, std::vector<PairedSend>> transfers_;
  PlanSteps result_;
  bool ordered_ = false;                       // sums have an order
  std::optional<std::uint32_t> without_room_;  // a rank that would overwrite what it needs
};

}  // namespace

Result<PlanSteps> plan_steps(std::vector<ProcessorProgram> ranks, const PlanChoices& choices, const Limits& limits) {
  auto paired = merged_transfers(std::move(ranks), 1, limits);
  if (!paired) return paired.diagnostics();
  try {
    return StepsBuilder(*std::move(paired), choices, limits).build();
  } catch (const Ended& ended) {
    return programs_ended(ended.reason);
  }
}

}  // namespace quadrille::exporting
