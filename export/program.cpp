// From transmissions to a program: where each chunk lies.
//
// For example, on a line of three, 1 passes 0->2 on in a total exchange: `store scratch 0` in step 1, `send scratch 0`
// in step 2; from step 3 on the slot is free, and the next chunk that 1 only passes on may have it. So a first reading,
// backwards, finds the last send of everything that is kept for others.
#include "export/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <queue>
#include <unordered_map>
#include <utility>

#include "model/limits/work.h"

namespace quadrille::exporting {
namespace {

// Slots that are taken for a while: always the first that is free.
class ScratchSlots {
 public:
  // One from the end of step `now` on, until the end of step `last`. Steps never decrease.
  std::uint64_t take(StepId now, StepId last) {
    while (!taken_.empty() && taken_.top().first < now) {
      free_.push(taken_.top().second);
      taken_.pop();
    }
    std::uint64_t slot = size_;
    if (free_.empty()) {
      ++size_;
    } else {
      slot = free_.top();
      free_.pop();
    }
    taken_.emplace(last, slot);
    return slot;
  }
  std::uint64_t size() const { return size_; }

 private:
  template <class T>
  using LeastFirst = std::priority_queue<T, std::vector<T>, std::greater<>>;
  LeastFirst<std::pair<StepId, std::uint64_t>> taken_;  // by the step in which they are needed last
  LeastFirst<std::uint64_t> free_;
  std::uint64_t size_ = 0;
};

// The chunks of a copying collective that begin at a processor, or that it wants, by number, which is the order of
// their names.
class ChunksOf {
 public:
  ChunksOf(const Collective& collective, NodeId processor, Work& work)
      : collective_(collective), processor_(processor), work_(work) {}

  std::vector<ChunkId> input() const {
    return chunks([&](ChunkId chunk) { return collective_.starts_at(chunk, processor_); }, true);
  }
  std::vector<ChunkId> output() const {
    return chunks([&](ChunkId chunk) { return collective_.demand(chunk, processor_).has_value(); }, false);
  }

 private:
  template <class Test>
  std::vector<ChunkId> chunks(const Test& test, bool own) const {
    std::vector<ChunkId> result;
    const auto add = [&](const ChunkName& name) {
      work_.spend(1);
      const auto chunk = collective_.chunk(name);
      const bool is_one = chunk && test(*chunk);
      if (is_one) result.push_back(*chunk);
      return is_one;
    };
    if (collective_.listed()) {
      for (const CustomChunk& chunk : collective_.description().chunks) add(chunk.name);
    } else {
      for_each_name(own, add);
    }
    if (!std::is_sorted(result.begin(), result.end())) std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
  }

  // Names with this processor as origin, or else as target or for everyone. What holds of one part of a message holds
  // of all.
  template <class Add>
  void for_each_name(bool own, const Add& add) const {
    const auto add_parts = [&](std::uint32_t origin, std::optional<std::uint32_t> target) {
      std::uint32_t part = 0;
      while (part < collective_.description().parts && add({origin, target, part})) ++part;
    };
    if (own) add_parts(processor_.value, std::nullopt);
    for (std::uint32_t other = 0; other < collective_.processors(); ++other) {
      add_parts(own ? processor_.value : other, own ? other : processor_.value);
      if (!own) add_parts(other, std::nullopt);
    }
  }

  const Collective& collective_;
  NodeId processor_;
  Work& work_;
};

std::optional<std::uint64_t> place_in(const std::vector<ChunkId>& sorted, ChunkId chunk) {
  const auto found = std::lower_bound(sorted.begin(), sorted.end(), chunk);
  if (found == sorted.end() || *found != chunk) return std::nullopt;
  return static_cast<std::uint64_t>(found - sorted.begin());
}

class ProgramBuilder {
 public:
  ProgramBuilder(const SendTable& table, NodeId processor, const std::vector<Transmission>& transmissions,
                 const TableReductions& words, const Limits& limits)
      : collective_(table.collective), processor_(processor), all_(transmissions), words_(words), work_(limits) {
    result_.processor = processor;
    result_.instructions.reserve(all_.size());
  }

  Result<ProcessorProgram> build() {
    if (collective_.combining()) {
      result_.values = collective_.values();
      for (std::uint32_t value = 0; value < collective_.values(); ++value) {
        work_.spend(1);
        if (collective_.wanted_contributions(value, processor_)) result_.wanted.push_back(value);
      }
    } else {
      input_ = ChunksOf(collective_, processor_, work_).input();
      output_ = ChunksOf(collective_, processor_, work_).output();
      result_.input = input_.size();
      result_.output = output_.size();
      filled_.resize(output_.size());
    }
    find_last_uses();
    for (std::size_t i = 0; i < all_.size(); ++i) {
      work_.spend(8);
      const bool sent = all_[i].action == Action::send;
      if (auto wrong = sent ? send(all_[i]) : receive(all_[i], last_use_[i])) return *std::move(wrong);
    }
    result_.scratch = scratch_.size();
    for (const std::uint32_t value : result_.wanted) add_result(value);
    return std::move(result_);
  }

 private:
  bool own(ChunkId chunk) const { return collective_.name(chunk).origin == processor_.value; }
  bool for_this(ChunkId chunk) const { return collective_.name(chunk).target == processor_.value; }

  // Whether it lies in the scratch buffer, if anywhere.
  bool relayed(ChunkId chunk) const {
    if (collective_.combining()) return !own(chunk);
    return !place_in(input_, chunk) && !place_in(output_, chunk);
  }

  // Of each reception of what is sent on: the step in which the last send has arrived that begins before the packet
  // comes again (copying: at all).
  void find_last_uses() {
    last_use_.resize(all_.size());
    std::unordered_map<std::uint64_t, StepId> sends;  // the last, of what is read so far, backwards
    std::unordered_map<std::uint64_t, std::size_t> receptions;
    for (std::size_t i = all_.size(); i-- > 0;) {
      const Transmission& it = all_[i];
      work_.spend(8);
      if (!relayed(it.chunk)) continue;
      if (it.action == Action::send) {
        StepId& last = sends[it.chunk.value];
        last = std::max(last, it.there);
      } else if (const auto found = sends.find(it.chunk.value); found != sends.end()) {
        if (found->second > it.step) last_use_[i] = found->second;
        if (collective_.combining()) {
          sends.erase(found);
        } else if (const auto later = receptions.find(it.chunk.value); later != receptions.end()) {
          last_use_[later->second] = StepId();  // the chunk is there already
        }
        receptions[it.chunk.value] = i;
      }
    }
  }

  std::optional<Diagnostic> send(const Transmission& it) {
    if (collective_.combining() && own(it.chunk)) return send_words(it, collective_.value_of(it.chunk));
    if (!collective_.combining()) {
      if (const auto slot = place_in(input_, it.chunk)) return add(it, Buffer::input, *slot);
      if (const auto slot = place_in(output_, it.chunk)) {
        return filled_[*slot] ? add(it, Buffer::output, *slot) : missing(it);
      }
    }
    const auto found = held_.find(it.chunk.value);
    return found == held_.end() ? missing(it) : add(it, Buffer::scratch, found->second);
  }

  // Partial reduction 0 is in `values`; the others in slots of their own, in the order in which they came.
  BufferSlot place_of(std::uint32_t value, std::uint32_t word) {
    return word == 0 ? BufferSlot{Buffer::values, value} : BufferSlot{Buffer::kept, kept_[value].at(word - 1)};
  }

  std::optional<Diagnostic> send_words(const Transmission& it, std::uint32_t value) {
    const std::vector<std::uint32_t>& words = words_.sent[it.words];
    const BufferSlot first = place_of(value, words.empty() ? 0 : words.front());
    result_.instructions.push_back({it, first, {}});
    for (std::size_t i = 1; i < words.size(); ++i)
      result_.instructions.back().others.push_back(place_of(value, words[i]));
    return std::nullopt;
  }

  void add_result(std::uint32_t value) {
    work_.spend(1);
    const auto found = words_.results.find({processor_, value});
    if (found == words_.results.end()) return;
    std::vector<BufferSlot>& places = result_.results.emplace_back();
    for (const std::uint32_t word : found->second) places.push_back(place_of(value, word));
  }

  std::optional<Diagnostic> receive(const Transmission& it, StepId last_use) {
    if (collective_.combining() && for_this(it.chunk)) {
      if (last_use != StepId()) return passed_on(it);
      if (it.action == Action::discard) return add(it, Buffer::none, 0);
      if (it.action == Action::keep) {
        kept_[collective_.value_of(it.chunk)].push_back(result_.kept);
        return add(it, Buffer::kept, result_.kept++);
      }
      return add(it, Buffer::values, collective_.value_of(it.chunk));
    }
    if (const auto slot = collective_.combining() ? std::nullopt : place_in(output_, it.chunk)) {
      if (filled_[*slot]) return discard(it);
      filled_[*slot] = true;
      return add(it, Buffer::output, *slot);
    }
    if (last_use == StepId()) return discard(it);
    const std::uint64_t slot = scratch_.take(it.step, last_use);
    held_[it.chunk.value] = slot;
    return add(it, Buffer::scratch, slot);
  }

  std::optional<Diagnostic> add(const Transmission& it, Buffer buffer, std::uint64_t slot) {
    const BufferSlot place{buffer, slot};
    const bool sends = it.action == Action::send;
    result_.instructions.push_back({it, sends ? place : BufferSlot{}, sends ? BufferSlot{} : place});
    if (result_.instructions.back().combines()) result_.instructions.back().source = place;
    return std::nullopt;
  }
  std::optional<Diagnostic> discard(Transmission it) {
    it.action = Action::discard;
    return add(it, Buffer::none, 0);
  }
  Diagnostic missing(const Transmission& it) const {
    return error_at(
        {},
        fmt::format("the table is wrong: processor {} sends {} in step {}, but does not have it; `quadrille "
                    "check` tells more",
                    processor_.value, collective_.label(it.chunk), it.step.value),
        Code::invalid);
  }
  Diagnostic passed_on(const Transmission& it) const {
    return error_at({},
                    fmt::format("processor {} passes on {}, which is for itself: no program can say that so far",
                                processor_.value, collective_.label(it.chunk)),
                    Code::unsupported);
  }

  const Collective& collective_;
  NodeId processor_;
  const std::vector<Transmission>& all_;
  const TableReductions& words_;
  Work work_;
  std::unordered_map<std::uint32_t, std::vector<std::uint64_t>> kept_;  // slots, by value
  std::vector<ChunkId> input_;
  std::vector<ChunkId> output_;
  std::vector<bool> filled_;
  std::vector<StepId> last_use_;                           // by transmission; 0: of none
  std::unordered_map<std::uint64_t, std::uint64_t> held_;  // slots of scratch, by chunk
  ScratchSlots scratch_;
  ProcessorProgram result_;
};

}  // namespace

std::string_view to_string(Action action) {
  constexpr std::array<std::string_view, 9> names = {"send", "store",   "combine", "combine_before", "combine_after",
                                                     "keep", "discard", "copy",    "append"};
  return names[static_cast<std::size_t>(action)];
}

std::string_view to_string(Buffer buffer) {
  constexpr std::array<std::string_view, 6> names = {"", "input", "output", "values", "kept", "scratch"};
  return names[static_cast<std::size_t>(buffer)];
}

Result<ProcessorProgram> program_of(const SendTable& table, NodeId processor,
                                    const std::vector<Transmission>& transmissions, const TableReductions& words,
                                    const Limits& limits) {
  try {
    return ProgramBuilder(table, processor, transmissions, words, limits).build();
  } catch (const Ended& ended) {
    return programs_ended(ended.reason);
  }
}

Diagnostic programs_ended(Reason reason) {
  return error_at({}, fmt::format("the programs have not been made: {}", to_string(reason)), code_of(reason));
}

}  // namespace quadrille::exporting
