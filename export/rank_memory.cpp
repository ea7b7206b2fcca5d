// A program's slots become slots of the three buffers of a call. Copying collectives have a slot for each chunk: that
// of input or output which the call's meaning gives it, or one of scratch.
//
// Where packets combine, a value is in the input at first, and then at its home: in the output if it is wanted here,
// else in scratch. For example, an all-reduce by recursive doubling on two ranks is, on each, `send input 0` and
// `output 0 := input 0 + what arrives`. When in the next step output 0 is sent and something arrives for it, too, the
// sum goes to a second slot beside it, and so on in turn; so no reception waits for a send of its own step, or for one
// that is still under way, and two
// ranks that exchange what they have never wait for each other, however little the connection holds. In the end what is
// wanted is copied to the output if it is not there.
//
// Cost: linear, but for the logarithm of the values.
#include "export/rank_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "model/limits/work.h"

namespace quadrille::exporting {
namespace {

using programs::ProgramFamily;

constexpr StepId last_of_all{0xFFFFFFFF};

Diagnostic unsupported(std::string why) { return error_at({}, std::move(why), Code::unsupported); }

class CallBuffers {
 public:
  CallBuffers(const ProcessorProgram& program, const SendTable& table, const Limits& limits)
      : program_(program),
        collective_(table.collective),
        family_(family_of(collective_)),
        parts_(collective_.description().parts),
        work_(limits) {
    const std::uint64_t all = call_chunks(collective_);
    result_.input = family_ == ProgramFamily::allgather ? parts_ : all;
    result_.output = family_ == ProgramFamily::reducescatter ? parts_ : all;
    result_.processor = program.processor;
    result_.scratch = program.scratch;
  }

  Result<ProcessorProgram> build() {
    if (!collective_.combining()) copy_own();
    for (std::size_t begin = 0; begin < program_.instructions.size();) {
      std::size_t end = begin;
      while (end < program_.instructions.size() && step_at(end) == step_at(begin)) ++end;
      if (auto wrong = step(begin, end)) return *std::move(wrong);
      begin = end;
    }
    for (const std::uint32_t value : program_.wanted) bring_home(value);
    return std::move(result_);
  }

 private:
  StepId step_at(std::size_t i) const { return program_.instructions[i].what.step; }

  // What a rank has itself belongs to its output, too.
  void copy_own() {
    const std::uint64_t rank = program_.processor.value;
    if (family_ == ProgramFamily::broadcast && rank != collective_.description().root) return;
    const std::uint64_t input = family_ == ProgramFamily::alltoall ? rank * parts_ : 0;
    const std::uint64_t output = family_ == ProgramFamily::broadcast ? 0 : rank * parts_;
    for (std::uint64_t part = 0; part < parts_; ++part)
      copy(StepId(0), {Buffer::input, input + part}, {Buffer::output, output + part});
  }

  void copy(StepId step, BufferSlot from, BufferSlot to) {
    work_.spend(4);
    Transmission what;
    what.step = what.there = step;
    what.action = Action::copy;
    result_.instructions.push_back({what, from, to});
  }

  std::optional<Diagnostic> step(std::size_t begin, std::size_t end) {
    std::erase_if(sent_, [now = step_at(begin)](const auto& sent) { return sent.second < now; });
    for (std::size_t i = begin; i < end; ++i) {
      const Instruction& it = program_.instructions[i];
      work_.spend(8);
      if (auto wrong = it.what.action == Action::send ? send(it) : receive(it)) return wrong;
    }
    return std::nullopt;
  }

  std::optional<Diagnostic> send(const Instruction& it) {
    if (!it.others.empty() || it.source.buffer == Buffer::kept) return words();
    const BufferSlot from = it.source.buffer == Buffer::values ? where(it.source.slot) : slot_of(it);
    StepId& until = sent_[from];
    until = std::max(until, it.what.there);
    add(it, from, {});
    return std::nullopt;
  }

  std::optional<Diagnostic> receive(const Instruction& it) {
    switch (it.what.action) {
      case Action::combine_before:
      case Action::combine_after:
        return unsupported("an operation that does not commute has no name there");
      case Action::keep:
        return words();
      case Action::discard:
        add(it, {}, rubbish());
        break;
      case Action::store:
        add(it, {}, it.target.buffer == Buffer::values ? move(it.target.slot) : slot_of(it));
        break;
      case Action::combine: {
        const BufferSlot from = where(it.source.slot);
        add(it, from, move(it.target.slot));
        break;
      }
      case Action::send:
      case Action::copy:
        break;
    }
    return std::nullopt;
  }

  static Diagnostic words() {
    return unsupported("words that are kept, or combined when they are sent, cannot be said");
  }

  void add(const Instruction& it, BufferSlot source, BufferSlot target) {
    result_.instructions.push_back({it.what, source, target});
  }

  // Of copying collectives, and of what is passed on.
  BufferSlot slot_of(const Instruction& it) const {
    if (it.place().buffer == Buffer::scratch) return it.place();
    const ChunkName name = collective_.name(it.what.chunk);
    if (it.place().buffer == Buffer::input) {
      const std::uint64_t place =
          family_ == ProgramFamily::alltoall ? std::uint64_t{name.target.value_or(0)} * parts_ : 0;
      return {Buffer::input, place + name.part};
    }
    const std::uint64_t place = family_ == ProgramFamily::broadcast ? 0 : std::uint64_t{name.origin} * parts_;
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

  BufferSlot home(std::uint64_t value) { return wanted(value) ? final_place(value) : new_slot(); }

  bool wanted(std::uint64_t value) const {
    return std::binary_search(program_.wanted.begin(), program_.wanted.end(), value);
  }

  BufferSlot final_place(std::uint64_t value) const {
    const std::uint64_t first =
        family_ == ProgramFamily::reducescatter ? program_.processor.value * std::uint64_t{parts_} : 0;
    return {Buffer::output, value - first};
  }

  BufferSlot new_slot() { return {Buffer::scratch, result_.scratch++}; }

  BufferSlot rubbish() {
    if (!rubbish_) rubbish_ = new_slot();
    return *rubbish_;
  }

  void bring_home(std::uint64_t value) {
    work_.spend(4);
    const BufferSlot now = where(value);
    if (now != final_place(value)) copy(last_of_all, now, final_place(value));
  }

  struct Value {
    BufferSlot now;
    std::vector<BufferSlot> slots = {};  // its home, and those beside it
  };

  const ProcessorProgram& program_;
  const Collective& collective_;
  ProgramFamily family_;
  std::uint32_t parts_;
  Work work_;
  ProcessorProgram result_;
  std::map<std::uint64_t, Value> values_;  // those that are no longer in the input
  std::map<BufferSlot, StepId> sent_;      // what is on its way from there arrives then
  std::optional<BufferSlot> rubbish_;      // for what is not needed
};

}  // namespace

programs::ProgramFamily family_of(const Collective& collective) {
  switch (collective.kind()) {
    case CollectiveKind::Known::broadcast:
      return ProgramFamily::broadcast;
    case CollectiveKind::Known::allgather:
      return ProgramFamily::allgather;
    case CollectiveKind::Known::total_exchange:
      return ProgramFamily::alltoall;
    case CollectiveKind::Known::reduce:
      return ProgramFamily::reduce;
    case CollectiveKind::Known::reduce_scatter:
      return ProgramFamily::reducescatter;
    case CollectiveKind::Known::allreduce:
      return ProgramFamily::allreduce;
    default:
      return ProgramFamily::other;
  }
}

std::uint64_t call_chunks(const Collective& collective) {
  const std::uint64_t parts = collective.description().parts;
  const ProgramFamily family = family_of(collective);
  const bool each =
      family == ProgramFamily::allgather || family == ProgramFamily::alltoall || family == ProgramFamily::reducescatter;
  return each ? parts * collective.processors() : parts;
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
