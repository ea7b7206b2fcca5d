// For example, of a ring's all-gather among three, rank 1 has three thread blocks: one that sends to 2 (its own chunk,
// then that of 0), one that receives from 0 (the chunks of 0 and 2), and one that copies its own chunk to the output.
// The second send waits for the first reception.
//
// Sends and receptions of a connection meet in order, first in, first out. As every wait is for an operation of an
// earlier step, or for a reception before it in the same step, no two ranks ever wait for one another in a circle,
// however little a connection holds.
#include "export/msccl_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "export/program.h"
#include "export/transfers.h"
#include "model/limits/work.h"

namespace quadrille::exporting {
namespace {

using programs::Kind;
using programs::MscclFile;
using programs::MscclRank;
using programs::MscclStep;
using programs::Space;

// An operation of a rank, in one of its thread blocks: the `line`-th one there.
struct BlockLine {
  std::size_t block = 0;
  std::size_t line = 0;
  bool operator==(const BlockLine&) const = default;
};

// Waits finds the operations of other thread blocks that an operation of a rank has to wait for. It is given one
// operation after another, in an order in which they may run one by one.
//
// Blocks run side by side, each in order. Operation x is known to have ended before y if y's block has it earlier, or
// if y waits for an operation that x is known to have ended before; so each operation has a vector clock, and a wait
// that the clock already covers is left out. For example, on a ring a reception r1 waits for nothing, the send s1 of
// what it brought for r1, and s2 for r2 alone: that r1 has ended is known by s1.
//
// Cost: the operations times the blocks of a rank.
class Waits {
 public:
  explicit Waits(std::size_t blocks) : known_(blocks) {}

  // The lines that the next operation, at `at`, has to wait for: at most one of each other block. A read waits for the
  // last write of its slots, a write for that and for the reads since; what follows from other waits is left out. The
  // slots are `count` ones from each on; null: none are read, or written.
  std::vector<BlockLine> next(BlockLine at, const BufferSlot* source, const BufferSlot* target, std::uint64_t count) {
    Known known = at.line == 0 ? Known(known_.size(), 0) : known_[at.block][at.line - 1];
    std::map<std::size_t, std::size_t> needed;  // by block: so many of its lines
    const auto visit = [&](const BufferSlot* first, const auto& act) {
      for (std::uint64_t i = 0; first != nullptr && i < count; ++i) act(uses_[{first->buffer, first->slot + i}]);
    };
    visit(source, [&](const Use& use) {
      for (const BlockLine& line : use.writes) need(line, needed);
    });
    visit(target, [&](const Use& use) {
      for (const BlockLine& line : use.writes) need(line, needed);
      for (const BlockLine& line : use.reads) need(line, needed);
    });
    visit(source, [&](Use& use) { use.reads.push_back(at); });
    visit(target, [&](Use& use) { use = {{at}, {}}; });
    // The wait whose operation knows most comes first: it may make others needless.
    std::vector<std::pair<std::size_t, BlockLine>> order;
    for (const auto& [block, lines] : needed) {
      const Known& there = known_[block][lines - 1];
      std::size_t sum = 0;
      for (const std::size_t ended : there) sum += ended;
      order.emplace_back(sum, BlockLine{block, lines - 1});
    }
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<BlockLine> waits;
    for (const auto& [sum, line] : order) {
      if (known[line.block] > line.line) continue;
      waits.push_back(line);
      const Known& there = known_[line.block][line.line];
      for (std::size_t i = 0; i < known.size(); ++i) known[i] = std::max(known[i], there[i]);
    }
    known[at.block] = at.line + 1;
    known_[at.block].push_back(std::move(known));
    return waits;
  }

 private:
  // By block: of how many of its lines it is known that they have ended.
  using Known = std::vector<std::size_t>;
  struct Use {
    std::vector<BlockLine> writes;  // the last one, if there is any
    std::vector<BlockLine> reads;   // since
  };

  void need(BlockLine line, std::map<std::size_t, std::size_t>& needed) const {
    std::size_t& lines = needed[line.block];
    lines = std::max(lines, line.line + 1);
  }

  std::vector<std::vector<Known>> known_;  // by block and line: after the operation
  std::map<BufferSlot, Use> uses_;
};

Kind kind_of(const Instruction& it) {
  if (it.sends()) return Kind::send;
  if (it.local()) return it.what.action == Action::copy ? Kind::copy : Kind::reduce;
  return it.combines() ? Kind::receive_reduce_copy : Kind::receive;
}

Space space_of(const BufferSlot& slot) {
  return slot.buffer == Buffer::scratch ? Space::scratch : slot.buffer == Buffer::output ? Space::output : Space::input;
}

class MscclBuilder {
 public:
  MscclBuilder(std::vector<ProcessorProgram> ranks, const programs::Executor& executor, const Limits& limits)
      : ranks_(std::move(ranks)), executor_(executor), limits_(limits), work_(limits) {}

  Result<MscclFile> build() {
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
      MscclRank counted;
      if (blocks_of(rank, counted).size() <= executor_.blocks) continue;
      return error_at({},
                      fmt::format("{0}: limits: {0} runs {1} thread blocks of a gpu at most; rank {2} needs {3}",
                                  executor_.name, executor_.blocks, rank, counted.blocks.size()),
                      Code::unsupported);
    }
    auto merged = merged_transfers(std::move(ranks_), programs::most_together, limits_);
    if (!merged) return merged.diagnostics();
    ranks_ = *std::move(merged);
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
      file_.members.push_back(written(rank));
    }
    file_.ranks = static_cast<std::int64_t>(ranks_.size());
    file_.channels = channels_;
    return std::move(file_);
  }

 private:
  static constexpr std::uint32_t ends_of_channel = 32;  // of a rank, each way

  // Both ends of a connection have the same number.
  std::int64_t channel_of(std::uint32_t from, std::uint32_t to, LaneId lane) const {
    const auto ranks = static_cast<std::uint32_t>(ranks_.size());
    const std::uint32_t apart = (to + ranks - from) % ranks - 1;
    const std::uint32_t channels_a_lane = (ranks - 1 + ends_of_channel - 1) / ends_of_channel;
    return std::int64_t{lane.value} * channels_a_lane + apart / ends_of_channel;
  }

  MscclRank written(std::uint32_t rank) {
    const ProcessorProgram& program = ranks_[rank];
    MscclRank result{rank, static_cast<std::int64_t>(program.input), static_cast<std::int64_t>(program.output),
                     static_cast<std::int64_t>(program.scratch)};
    const std::map<BlockOf, std::size_t> blocks = blocks_of(rank, result);
    Waits waits(blocks.size());
    std::vector<std::vector<std::size_t>> lines(blocks.size());  // where in the file's block an operation is
    std::set<std::pair<std::size_t, std::size_t>> awaited;
    for (const Instruction& it : ranks_[rank].instructions) {
      work_.spend(16 * blocks.size() + 4 * it.count);
      const std::size_t block = blocks.at(place_of(rank, it));
      const BufferSlot* source = it.source.buffer == Buffer::none ? nullptr : &it.source;
      const BufferSlot* target = it.target.buffer == Buffer::none ? nullptr : &it.target;
      std::vector<MscclStep>& steps = result.blocks[block].steps;
      const auto needed = waits.next({block, lines[block].size()}, source, target, it.count);
      write(it, needed, lines, steps);
      for (const BlockLine& line : needed) awaited.emplace(line.block, lines[line.block][line.line]);
      lines[block].push_back(steps.size() - 1);
    }
    for (const auto& [block, step] : awaited) result.blocks[block].steps[step].has_dependence = 1;
    return result;
  }

  // A thread block of a rank: which connection's end, or the one of the copies, which is the last.
  struct BlockOf {
    std::int64_t channel = 0;
    std::int64_t peer = 0;
    bool sends = false;
    auto operator<=>(const BlockOf&) const = default;
  };
  static constexpr std::int64_t copies = INT64_MAX;

  BlockOf place_of(std::uint32_t rank, const Instruction& it) const {
    if (it.local()) return {copies, 0, false};
    const std::uint32_t peer = it.what.peer.value;
    const LaneId lane = it.what.lane;
    return {it.sends() ? channel_of(rank, peer, lane) : channel_of(peer, rank, lane), peer, it.sends()};
  }

  std::map<BlockOf, std::size_t> blocks_of(std::uint32_t rank, MscclRank& result) {
    std::map<BlockOf, std::size_t> blocks;
    for (const Instruction& it : ranks_[rank].instructions) blocks.emplace(place_of(rank, it), 0);
    for (auto& [place, block] : blocks) {
      block = result.blocks.size();
      const bool copying = place.channel == copies;
      result.blocks.push_back({static_cast<std::int64_t>(block), place.sends ? place.peer : -1,
                               place.sends || copying ? -1 : place.peer, copying ? 0 : place.channel});
      if (!copying) channels_ = std::max(channels_, place.channel + 1);
    }
    return blocks;
  }

  // A step waits for one other; a nop before it for each of the rest. Loaders count both, so a step's number is its
  // place.
  static void write(const Instruction& it, const std::vector<BlockLine>& needed,
                    const std::vector<std::vector<std::size_t>>& lines, std::vector<MscclStep>& steps) {
    for (std::size_t i = 0; i < std::max<std::size_t>(needed.size(), 1); ++i) {
      MscclStep step;
      step.s = static_cast<std::int64_t>(steps.size());
      if (i < needed.size()) {
        step.depends_on_block = static_cast<std::int64_t>(needed[i].block);
        step.depends_on_step = static_cast<std::int64_t>(lines[needed[i].block][needed[i].line]);
      }
      if (i + 1 >= needed.size()) {
        step.kind = kind_of(it);
        step.source = space_of(it.source);
        step.source_offset = static_cast<std::int64_t>(it.source.slot);
        step.target = space_of(it.target);
        step.target_offset = static_cast<std::int64_t>(it.target.slot);
        step.count = static_cast<std::int64_t>(it.count);
      }
      steps.push_back(step);
    }
  }

  std::vector<ProcessorProgram> ranks_;
  const programs::Executor& executor_;
  const Limits& limits_;
  Work work_;
  std::int64_t channels_ = 1;
  MscclFile file_;
};

}  // namespace

Result<programs::MscclFile> msccl_program(std::vector<ProcessorProgram> ranks, const programs::Executor& executor,
                                          const Limits& limits) {
  try {
    return MscclBuilder(std::move(ranks), executor, limits).build();
  } catch (const Ended& ended) {
    return programs_ended(ended.reason);
  }
}

}  // namespace quadrille::exporting
