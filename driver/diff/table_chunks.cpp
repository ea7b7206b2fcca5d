// A table's transfers: every processor's program is made, as for an executor, and all run together, step by step. Sends
// of a step read what slots hold when it begins; then what is received and what is local changes them, in order.
//
//   reduce of 0 and 1 to 0: step 1: 1 sends value 0 (contribution 1) to 0, which combines it: result 0 of processor 0
//   is the sum of contributions 0 and 1
//
// Cost: memory and time linear in the sends and receptions.
#include <algorithm>
#include <deque>
#include <map>
#include <tuple>

#include "driver/diff/sent_contents.h"
#include "export/msccl.h"
#include "export/program.h"
#include "export/rank_programs.h"

namespace quadrille::driver {
namespace {

using exporting::Action;
using exporting::Buffer;
using exporting::BufferSlot;
using exporting::Instruction;
using exporting::ProcessorProgram;
using programs::SumNumber;
using programs::Sums;

// All processors' slots, and what is under way.
class Run {
 public:
  Run(const std::vector<ProcessorProgram>& programs, SlotNumbering buffers, Sums& sums)
      : programs_(programs), buffers_(buffers), sums_(sums) {
    result_.timed = true;
    result_.processors = static_cast<std::uint32_t>(programs.size());
    for (const ProcessorProgram& it : programs) result_.inputs = std::max(result_.inputs, it.input + it.values);
    for (std::uint32_t p = 0; p < programs.size(); ++p) {
      const bool combining = buffers == SlotNumbering::own && programs[p].values > 0;
      const std::uint64_t own = combining ? programs[p].values : programs[p].input;
      for (std::uint64_t k = 0; k < own; ++k) {
        slot(p, {combining ? Buffer::values : Buffer::input, k}) =
            sums.leaf(static_cast<std::uint32_t>(p * result_.inputs + k));
      }
    }
  }

  SentContents all() {
    std::vector<std::size_t> next(programs_.size());
    for (;;) {
      StepId step(std::numeric_limits<std::uint32_t>::max());
      bool more = false;
      for (std::uint32_t p = 0; p < programs_.size(); ++p) {
        if (next[p] == programs_[p].instructions.size()) continue;
        more = true;
        step = std::min(step, programs_[p].instructions[next[p]].what.step);
      }
      if (!more) break;
      run(step, next);
    }
    end();
    return std::move(result_);
  }

 private:
  using Key = std::tuple<std::uint32_t, std::uint32_t, LaneId, MessageId, ChunkId, StepId>;

  SumNumber& slot(std::uint32_t processor, const BufferSlot& place) { return slots_[{processor, place}]; }

  void run(StepId step, std::vector<std::size_t>& next) {
    for (std::uint32_t p = 0; p < programs_.size(); ++p) {
      for (std::size_t i = next[p]; i < programs_[p].instructions.size(); ++i) {
        const Instruction& it = programs_[p].instructions[i];
        if (it.what.step != step) break;
        if (it.sends()) send(p, it);
      }
    }
    for (std::uint32_t p = 0; p < programs_.size(); ++p) {
      for (; next[p] < programs_[p].instructions.size(); ++next[p]) {
        const Instruction& it = programs_[p].instructions[next[p]];
        if (it.what.step != step) break;
        if (!it.sends()) change(p, it);
      }
    }
  }

  void send(std::uint32_t p, const Instruction& it) {
    SumNumber content = slot(p, it.source);
    for (const BufferSlot& other : it.others) content = sums_.add(content, slot(p, other));
    under_way_[{p, it.what.peer.value, it.what.lane, it.what.message, it.what.chunk, it.what.step}].push_back(content);
    result_.all.push_back({p, it.what.peer.value, it.what.lane.value, content, it.what.step.value, it.arrives().value});
  }

  SumNumber arriving(std::uint32_t p, const Instruction& it) {
    auto& sent = under_way_[{it.what.peer.value, p, it.what.lane, it.what.message, it.what.chunk, it.what.there}];
    if (sent.empty()) return Sums::undefined;
    const SumNumber content = sent.front();
    sent.pop_front();
    return content;
  }

  void change(std::uint32_t p, const Instruction& it) {
    if (it.local()) {
      const SumNumber content = slot(p, it.source);
      SumNumber& held = slot(p, it.target);
      held = it.what.action == Action::append ? sums_.add(held, content) : content;
      return;
    }
    const SumNumber arrived = arriving(p, it);
    if (it.target.buffer == Buffer::none) return;
    slot(p, it.target) = it.combines() ? sums_.add(slot(p, it.source), arrived) : arrived;
  }

  // What each processor ends with.
  void end() {
    for (std::uint32_t p = 0; p < programs_.size(); ++p) {
      const ProcessorProgram& it = programs_[p];
      for (std::uint64_t k = 0; k < it.output; ++k) result_.results[{p, k}] = slot(p, {Buffer::output, k});
      if (buffers_ == SlotNumbering::calls) continue;
      for (std::size_t k = 0; k < it.wanted.size(); ++k) {
        SumNumber sum = Sums::undefined;
        if (it.results.empty()) {
          sum = slot(p, {Buffer::values, it.wanted[k]});
        } else {
          for (const BufferSlot& place : it.results[k])
            sum = sum == Sums::undefined ? slot(p, place) : sums_.add(sum, slot(p, place));
        }
        result_.results[{p, it.wanted[k]}] = sum;
      }
    }
  }

  const std::vector<ProcessorProgram>& programs_;
  SlotNumbering buffers_;
  Sums& sums_;
  std::map<std::pair<std::uint32_t, BufferSlot>, SumNumber> slots_;
  std::map<Key, std::deque<SumNumber>> under_way_;
  SentContents result_;
};

}  // namespace

Result<SentContents> sent_contents_of(const SendTable& table, SlotNumbering buffers, Sums& sums, Context& context) {
  const Limits limits = remaining(context);
  const Result<std::vector<ProcessorProgram>> programs =
      buffers == SlotNumbering::calls ? exporting::rank_programs(table, exporting::msccl_calls(), limits)
                                      : exporting::processor_programs(table, limits);
  if (!programs) return programs.diagnostics();
  SentContents result = Run(*programs, buffers, sums).all();
  result.in_rounds = table.fabric.in_rounds();
  return result;
}

}  // namespace quadrille::driver
