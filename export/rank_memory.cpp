// A program's slots become slots of the three buffers of a call. Copying collectives have a slot for each chunk: that
// of input or output which the call's meaning gives it, or one of scratch.
//
// Where packets combine, a value is in the input at first, and then at its home: in the output if it is wanted here,
// else in scratch. For example, an all-reduce by recursive doubling on two ranks is, on each, `send input 0` and
// `output 0 := input 0 + what arrives`. When in the next step output 0 is sent and something arrives for it, too, the
// sum goes to a second slot beside it, and so on in turn; so no reception waits for a send of its own step, or for one
// that is still under way, and two ranks that exchange what they have never wait for each other, however little the
// connection holds. In the end what is wanted is copied to the output if it is not there.
//
// A partial reduction that is kept has a slot of scratch, or of the output if it is a result by itself. For example, in
// an exclusive prefix by recursive doubling rank 3 keeps {2} in scratch 0 and sends it with its own: at the end of step
// 1 it copies scratch 0 to scratch 2 and appends input 0, and in step 2 it sends scratch 2. A result of several slots
// is combined likewise after all steps, in the output, where nothing has been before.
//
// Cost: linear, but for the logarithm of the values.
#include "export/rank_memory.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "model/limits/work.h"

namespace quadrille::exporting {
namespace {

constexpr StepId last_of_all{0xFFFFFFFF};

// Which buffers have a block of chunks for each rank, in order of rank; others have one block.
struct CallLayout {
  bool input_of_ranks = false;   // what goes to the rank
  bool output_of_ranks = false;  // what comes from the rank
};

CallLayout layout_of(const Collective& collective) {
  const DemandShape shape = collective.shape().value_or(DemandShape{});
  return {shape.unit_per_wanter, shape.unit_per_supplier};
}

class CallBuffers {
 public:
  CallBuffers(const ProcessorProgram& program, const SendTable& table, const Limits& limits)
      : program_(program),
        collective_(table.collective),
        layout_(layout_of(collective_)),
        parts_(collective_.description().parts),
        work_(limits) {
    result_.input = layout_.input_of_ranks ? parts_ * collective_.processors() : parts_;
    result_.output = layout_.output_of_ranks ? parts_ * collective_.processors() : parts_;
    result_.processor = program.processor;
    result_.scratch = program.scratch;
  }

  ProcessorProgram build() {
    if (!collective_.combining()) copy_own();
    find_homes();
    for (std::size_t begin = 0; begin < program_.instructions.size();) {
      std::size_t end = begin;
      while (end < program_.instructions.size() && step_at(end) == step_at(begin)) ++end;
      step(begin, end);
      begin = end;
    }
    for (std::size_t i = 0; i < program_.wanted.size(); ++i) bring_home(i);
    return std::move(result_);
  }

 private:
  StepId step_at(std::size_t i) const { return program_.instructions[i].what.step; }

  // What a rank has itself belongs to its output, too.
  void copy_own() {
    const std::uint64_t rank = program_.processor.value;
    if (collective_.rooted() && rank != collective_.description().root) return;
    const std::uint64_t input = layout_.input_of_ranks ? rank * parts_ : 0;
    const std::uint64_t output = layout_.output_of_ranks ? rank * parts_ : 0;
    for (std::uint64_t part = 0; part < parts_; ++part)
      local(Action::copy, StepId(0), {Buffer::input, input + part}, {Buffer::output, output + part});
  }

  void local(Action action, StepId step, BufferSlot from, BufferSlot to) {
    work_.spend(4);
    Transmission what;
    what.step = what.there = step;
    what.action = action;
    result_.instructions.push_back({what, from, to});
  }

  // Combines in order; no source is the target.
  void combine(StepId step, const std::vector<BufferSlot>& sources, BufferSlot target) {
    Action action = Action::copy;
    for (const BufferSlot& source : sources) local(std::exchange(action, Action::append), step, source, target);
  }

  // A slot that is a result by itself is in the output from the beginning.
  void find_homes() {
    std::vector<BufferSlot> alone(program_.kept);
    for (std::size_t i = 0; i < program_.results.size(); ++i) {
      const std::vector<BufferSlot>& result = program_.results[i];
      const std::uint32_t value = program_.wanted[i];
      if (result.size() != 1 || result.front().buffer != Buffer::values) made_of_kept_.insert(value);
      if (result.size() == 1 && result.front().buffer == Buffer::kept) alone[result.front().slot] = final_place(value);
    }
    for (const BufferSlot& place : alone) kept_.push_back(place.buffer == Buffer::output ? place : new_slot());
  }

  void step(std::size_t begin, std::size_t end) {
    const StepId now = step_at(begin);
    std::erase_if(sent_, [now](const auto& sent) { return sent.second < now; });
    std::map<std::vector<BufferSlot>, BufferSlot> sums;
    for (std::size_t i = begin; i < end; ++i) {
      const Instruction& it = program_.instructions[i];
      if (it.sends() && !it.others.empty()) combine_for(it, sums);
    }
    for (std::size_t i = begin; i < end; ++i) {
      const Instruction& it = program_.instructions[i];
      work_.spend(8);
      if (it.sends()) {
        send(it, it.others.empty() ? slot_of(it) : sums.at(slots_of(it)));
      } else {
        receive(it);
      }
    }
  }

  std::vector<BufferSlot> slots_of(const Instruction& it) {
    std::vector<BufferSlot> slots{place_of(it.source)};
    for (const BufferSlot& other : it.others) slots.push_back(place_of(other));
    work_.spend(slots.size());
    return slots;
  }

  // What several sends of a step have in common is combined once.
  void combine_for(const Instruction& it, std::map<std::vector<BufferSlot>, BufferSlot>& sums) {
    const auto [sum, made] = sums.try_emplace(slots_of(it));
    if (made) {
      const auto free = std::ranges::find_if(sum_slots_, [&](const BufferSlot& slot) { return !sent_.contains(slot); });
      sum->second = free != sum_slots_.end() ? *free : sum_slots_.emplace_back(new_slot());
      combine(StepId(it.what.step.value - 1), sum->first, sum->second);
    }
    note_sent(sum->second, it.what.there);
  }

  void note_sent(BufferSlot from, StepId there) {
    StepId& until = sent_[from];
    until = std::max(until, there);
  }

  void send(const Instruction& it, BufferSlot from) {
    note_sent(from, it.what.there);
    add(it, from, {});
  }

  void receive(const Instruction& it) {
    if (it.what.action == Action::discard) {
      add(it, {}, rubbish());
    } else if (it.combines()) {
      const BufferSlot from = place_of(it.source);
      add(it, from, move(it.target.slot));
    } else {
      add(it, {}, it.target.buffer == Buffer::values ? move(it.target.slot) : slot_of(it));
    }
  }

  void add(const Instruction& it, BufferSlot source, BufferSlot target) {
    result_.instructions.push_back({it.what, source, target});
  }

  // Of a combining collective's own buffers.
  BufferSlot place_of(const BufferSlot& slot) const {
    return slot.buffer == Buffer::kept ? kept_[slot.slot] : where(slot.slot);
  }

  // Where a chunk is, or goes to.
  BufferSlot slot_of(const Instruction& it) const {
    if (it.place().buffer == Buffer::scratch) return it.place();
    if (collective_.combining()) return place_of(it.place());
    const ChunkName name = collective_.name(it.what.chunk);
    if (it.place().buffer == Buffer::input) {
      const std::uint64_t place = layout_.input_of_ranks ? std::uint64_t{name.target.value_or(0)} * parts_ : 0;
      return {Buffer::input, place + name.part};
    }
    const std::uint64_t place = layout_.output_of_ranks ? std::uint64_t{name.origin} * parts_ : 0;
    return {Buffer::output, place + name.part};
  }

  // Where a value is now.
  BufferSlot where(std::uint64_t value) const {
    const auto found = values_.find(value);
    return found == values_.end() ? BufferSlot{Buffer::input, value} : found->second.now;
  }

  // Where it is from the next operation on: where it is now, or else at its home or in a slot beside that, the first
  // from which nothing is on its way.
  BufferSlot move(std::uint64_t value) {
    Value& it = values_.try_emplace(value).first->second;
    if (it.slots.empty()) it.slots.push_back(it.now = home(value));
    if (!sent_.contains(it.now)) return it.now;
    const auto free = std::ranges::find_if(it.slots, [&](const BufferSlot& slot) { return !sent_.contains(slot); });
    if (free != it.slots.end()) return it.now = *free;
    it.slots.push_back(new_slot());
    return it.now = it.slots.back();
  }

  BufferSlot home(std::uint64_t value) { return is_result(value) ? final_place(value) : new_slot(); }

  bool is_result(std::uint64_t value) const {
    return std::binary_search(program_.wanted.begin(), program_.wanted.end(), value) && !made_of_kept_.contains(value);
  }

  BufferSlot final_place(std::uint64_t value) const {
    const std::uint64_t first = layout_.input_of_ranks ? program_.processor.value * std::uint64_t{parts_} : 0;
    return {Buffer::output, value - first};
  }

  BufferSlot new_slot() { return {Buffer::scratch, result_.scratch++}; }

  BufferSlot rubbish() {
    if (!rubbish_) rubbish_ = new_slot();
    return *rubbish_;
  }

  void bring_home(std::size_t wanted) {
    const std::uint32_t value = program_.wanted[wanted];
    std::vector<BufferSlot> places;
    if (program_.results.empty()) {
      places.push_back(where(value));
    } else {
      for (const BufferSlot& slot : program_.results[wanted]) places.push_back(place_of(slot));
    }
    work_.spend(4);
    if (places != std::vector{final_place(value)}) combine(last_of_all, places, final_place(value));
  }

  struct Value {
    BufferSlot now;
    std::vector<BufferSlot> slots = {};  // its home, and those beside it
  };

  const ProcessorProgram& program_;
  const Collective& collective_;
  CallLayout layout_;
  std::uint64_t parts_;
  Work work_;
  ProcessorProgram result_;
  std::map<std::uint64_t, Value> values_;  // those that are no longer in the input
  std::set<std::uint64_t> made_of_kept_;   // the results that are not what is held
  std::vector<BufferSlot> kept_;           // by slot
  std::vector<BufferSlot> sum_slots_;      // for sends of several slots
  std::map<BufferSlot, StepId> sent_;      // what is on its way from there arrives then
  std::optional<BufferSlot> rubbish_;      // for what is not needed
};

}  // namespace

std::uint64_t call_chunks(const Collective& collective) {
  const std::uint64_t parts = collective.description().parts;
  const CallLayout layout = layout_of(collective);
  return layout.input_of_ranks || layout.output_of_ranks ? parts * collective.processors() : parts;
}

Result<ProcessorProgram> on_call_buffers(const ProcessorProgram& program, const SendTable& table,
                                         const Limits& limits) {
  try {
    return CallBuffers(program, table, limits).build();
  } catch (const Ended& ended) {
    return programs_ended(ended.reason);
  }
}

}  // namespace quadrille::exporting
