// What the loaders do to a thread block, step by step (mscclGetAlgoFromXmlFile; mscclGetAlgoFromXMLAndSetAlgo):
//   nop  depid=1 deps=3        kept for the next operation that is not fused
//   re   i0 -> s0  depid=2     operation 0, which waits twice; its number is 1: waits but one add to it
//   re   i1 -> s0              fused with it: same buffers, same target, no depid; now its number is 2
//   nop  depid=3 deps=0        does not end the group, and protects nothing of what is fused after it
//   re   i2 -> s0              fused; number 3
//   s    s0  depid=1 deps=5    operation 1, waits twice, number 5
// The block's 16th `re` ends its group, and so does one with hasdep; a group that begins later has no end. The flag
// that an operation with hasdep sets is its number.
#include "programs/msccl/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "programs/msccl/limits.h"

namespace quadrille::programs {
namespace {

constexpr std::uint32_t fusion_check = 16;  // MSCCL_MAX_REDUCE_FUSION, of the block's running total

Location place_of(const MscclRank& rank, const MscclBlock& block) {
  return {static_cast<std::uint32_t>(rank.id), static_cast<std::uint32_t>(block.id), -1, block.span, 0};
}
Location place_of(const MscclRank& rank, const MscclBlock& block, const MscclStep& step) {
  return {static_cast<std::uint32_t>(rank.id), static_cast<std::uint32_t>(block.id), step.s, step.span, 0};
}

// Builds the operations of a block.
class BlockLoader {
 public:
  explicit BlockLoader(ThreadBlock& block) : block_(block) {}

  void add(const MscclStep& step) {
    if (step.depends_on_block >= 0) {
      waits_.push_back({static_cast<std::uint32_t>(step.depends_on_block), step.depends_on_step});
    }
    if (!step.kind) return;
    if (step.kind == Kind::reduce && open_ && step.depends_on_block == -1 && fits(step)) {
      join(step);
    } else {
      begin(step);
    }
    block_.operations.back().flags = step.has_dependence != 0;
    if (step.kind != Kind::reduce) {
      open_ = false;
      return;
    }
    ++reductions_;
    open_ = step.has_dependence == 0 && reductions_ != fusion_check;
  }

  // The operations that wait though their own step names no dependency; a loader refuses them.
  const std::vector<const MscclStep*>& orphaned() const { return orphaned_; }
  std::uint32_t reductions() const { return reductions_; }
  std::size_t waits() const { return all_waits_ + waits_.size(); }

 private:
  bool fits(const MscclStep& step) const {
    const ProgramOperation& last = block_.operations.back();
    return last.target == step.target && last.target_offset == step.target_offset && last.source == step.source;
  }

  void begin(const MscclStep& step) {
    ProgramOperation operation;
    operation.kind = *step.kind;
    operation.count = static_cast<std::uint32_t>(std::max<std::int64_t>(step.count, 0));
    operation.source = step.source;
    operation.target = step.target;
    operation.sources = {step.source_offset};
    operation.target_offset = step.target_offset;
    operation.written = step.s;
    operation.span = step.span;
    if (!waits_.empty() && step.depends_on_block < 0) orphaned_.push_back(&step);
    all_waits_ += waits_.size();
    if (waits_.size() > 1) next_ += static_cast<std::int64_t>(waits_.size()) - 1;
    operation.waits = std::exchange(waits_, {});
    operation.number = next_++;
    block_.operations.push_back(std::move(operation));
  }

  // Fuses a step. The last step's count holds for all, and the kernel counts fused reductions only if there is
  // something to do.
  void join(const MscclStep& step) {
    ProgramOperation& operation = block_.operations.back();
    operation.sources.push_back(step.source_offset);
    const auto before = operation.count == 0 ? 0 : static_cast<std::int64_t>(operation.sources.size()) - 2;
    operation.count = static_cast<std::uint32_t>(std::max<std::int64_t>(step.count, 0));
    const auto now = operation.count == 0 ? 0 : static_cast<std::int64_t>(operation.sources.size()) - 1;
    operation.number += now - before;
    next_ = operation.number + 1;
  }

  ThreadBlock& block_;
  std::vector<FlagWait> waits_ = {};  // of steps since the last operation that began
  std::vector<const MscclStep*> orphaned_ = {};
  std::size_t all_waits_ = 0;
  std::uint32_t reductions_ = 0;
  std::int64_t next_ = 0;
  bool open_ = false;  // the last operation may be joined
};

class MscclLoader {
 public:
  MscclLoader(const MscclFile& file, const MscclCall& call, std::size_t listed)
      : file_(file), call_(call), executor_(*call.executor), listed_(listed) {}

  LoadedMsccl load() {
    Program& program = loaded_.program;
    program.family = call_.family.value_or(family_of(executor_, file_.collective).value_or(ProgramFamily::other));
    program.in_place = call_.in_place;
    program.root = call_.root;
    program.chunks = static_cast<std::uint32_t>(file_.chunks);
    program.rules = rules_of(executor_, file_.protocol);
    const std::uint64_t buffer = call_.buffer.value_or(default_buffer(executor_, file_.protocol));
    const std::uint64_t effective = effective_chunk(executor_, file_.protocol, program.family, buffer);
    program.regimes = regimes(effective, program.chunks, call_.bytes_from, call_.bytes_to);
    if (program.regimes.empty()) {
      limit({}, fmt::format("no message of {} to {} bytes has {} equal chunks", call_.bytes_from, call_.bytes_to,
                            file_.chunks));
      program.regimes.push_back({});
    }
    find_buffers(buffer);
    judge_limits(file_, call_,
                 [this](std::optional<Location> at, std::string message) { limit(at, std::move(message)); });
    if (program.root >= file_.ranks) structure({}, fmt::format("there is no rank {}", program.root));
    divide();
    program.ranks.resize(static_cast<std::size_t>(file_.ranks));
    for (std::size_t i = 0; i < program.ranks.size(); ++i) size(program.ranks[i], nullptr);
    for (const MscclRank& rank : file_.members) load(rank, program.ranks[static_cast<std::size_t>(rank.id)]);
    note_msccl(file_, executor_, program, loaded_.report);
    return std::move(loaded_);
  }

 private:
  void limit(std::optional<Location> at, std::string message) {
    loaded_.report.add({ProgramProperty::limits, std::move(message), at}, listed_);
  }
  void structure(std::optional<Location> at, std::string message) {
    loaded_.report.add({ProgramProperty::structure, std::move(message), at}, listed_);
  }

  void find_buffers(std::uint64_t usual) {
    Program& program = loaded_.program;
    if (call_.buffer || call_.bytes_to == 0) return;
    const std::uint64_t chunk = call_.bytes_to / program.chunks;
    for (std::uint64_t together = 0; together <= most_together; ++together) {
      // A buffer is larger than what travels in one message; sizes may be as large as 64 bits hold.
      const bool fits = together == 0 || chunk <= usual / together;
      const std::uint64_t least =
          buffer_for(executor_, file_.protocol, program.family, fits ? together * chunk : usual);
      program.buffers.push_back(std::min(least, usual));
    }
  }

  // Divides the message; its parts must be whole chunks.
  void divide() {
    const ProgramFamily family = loaded_.program.family;
    const bool parts = family == ProgramFamily::allgather || family == ProgramFamily::reducescatter ||
                       family == ProgramFamily::alltoall;
    if (parts && file_.chunks % file_.ranks != 0) {
      structure({}, fmt::format("{} chunks are no whole number for each of {} ranks", file_.chunks, file_.ranks));
    }
    if (static_cast<std::int64_t>(file_.members.size()) != file_.ranks) {
      std::set<std::int64_t> there;
      for (const MscclRank& rank : file_.members) there.insert(rank.id);
      std::int64_t absent = 0;
      while (there.contains(absent)) ++absent;
      structure({}, fmt::format("gpu {} of {} is not there", absent, file_.ranks));
    }
  }

  void size(Rank& rank, const MscclRank* written) {
    const auto all = static_cast<std::uint32_t>(file_.chunks);
    const auto part = static_cast<std::uint32_t>(file_.chunks / file_.ranks);
    const ProgramFamily family = loaded_.program.family;
    rank.input = family == ProgramFamily::allgather ? part : all;
    rank.output = family == ProgramFamily::reducescatter ? part : all;
    if (written == nullptr) return;
    if (family == ProgramFamily::other) {
      rank.input = static_cast<std::uint32_t>(written->input_chunks);
      rank.output = static_cast<std::uint32_t>(written->output_chunks);
    }
    rank.scratch = static_cast<std::uint32_t>(written->scratch_chunks);
  }

  void load(const MscclRank& written, Rank& rank) {
    size(rank, &written);
    for (const MscclBlock& block : written.blocks) load(written, block, rank.blocks.emplace_back());
    std::sort(rank.blocks.begin(), rank.blocks.end(),
              [](const ThreadBlock& a, const ThreadBlock& b) { return a.id < b.id; });
  }

  void load(const MscclRank& rank, const MscclBlock& written, ThreadBlock& block) {
    block.id = static_cast<std::uint32_t>(written.id);
    block.send_peer = written.send;
    block.receive_peer = written.receive;
    block.channel = written.channel;
    block.span = written.span;
    if (written.channel >= file_.channels && (written.send >= 0 || written.receive >= 0)) {
      structure(place_of(rank, written),
                fmt::format("channel {} of {}: no connection is made for it", written.channel, file_.channels));
    }
    if (std::max(written.send, written.receive) >= file_.ranks) {
      structure(place_of(rank, written),
                fmt::format("its peer is rank {} of {}", std::max(written.send, written.receive), file_.ranks));
    }
    BlockLoader loader(block);
    for (const MscclStep& step : written.steps) {
      if (step.adds_result) {
        limit(place_of(rank, written, step), "ra: no kernel runs it; the block ends there");
        break;
      }
      loader.add(step);
    }
    for (const MscclStep* step : loader.orphaned()) {
      limit(place_of(rank, written, *step),
            "the nops before it have dependencies and it has none: loaders want the last of them on the step itself");
    }
    judge_block_limits(executor_, block, {loader.reductions(), loader.waits()},
                       [&](std::string message) { limit(place_of(rank, written), std::move(message)); });
  }

  const MscclFile& file_;
  const MscclCall& call_;
  const Executor& executor_;
  std::size_t listed_;
  LoadedMsccl loaded_ = {};
};

}  // namespace

LoadedMsccl load_msccl(const MscclFile& file, const MscclCall& call, std::size_t listed) {
  return MscclLoader(file, call, listed).load();
}

}  // namespace quadrille::programs
