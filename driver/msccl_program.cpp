// For example, of a ring's all-gather among three, rank 1 has three thread blocks: one that sends to 2 (its own chunk,
// then that of 0), one that receives from 0 (the chunks of 0 and 2), and one that copies its own chunk to the output.
// The second send waits for the first reception.
//
// Sends and receptions of a connection meet in order, first in, first out; so the sends of a step over one connection
// are put in the order of their receptions. As every wait is for an operation of an earlier step, or for a reception
// before it in the same step, no two ranks ever wait for one another in a circle, however little a connection holds.
#include "driver/msccl_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "driver/msccl_waits.h"

namespace quadrille::driver {
namespace {

using programs::Kind;
using programs::MscclFile;
using programs::MscclRank;
using programs::MscclStep;

struct Connection {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  LaneId lane;
  auto operator<=>(const Connection&) const = default;
};

// The operations of both ends, by their numbers at their ranks.
struct Ends {
  std::vector<std::size_t> sends;
  std::vector<std::size_t> receptions;
};

// A step of the file.
struct Planned {
  ChunkOperation first;
  std::int64_t count = 1;  // 0: it is part of another one
};

class MscclBuilder {
 public:
  MscclBuilder(std::vector<RankProgram> ranks, const Limits& limits) : ranks_(std::move(ranks)), limits_(limits) {}

  Result<MscclFile> build() {
    connect();
    for (auto& [connection, ends] : connections_) {
      if (auto wrong = pair(connection, ends)) return *std::move(wrong);
    }
    plan();
    for (const auto& [connection, ends] : connections_) merge(connection, ends);
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
      if (const Reason reason = limits_.reached(); reason != Reason::none)
        return error_at({}, fmt::format("nothing has been written: {}", to_string(reason)), code_of(reason));
      merge_copies(rank);
      file_.members.push_back(written(rank));
    }
    file_.ranks = static_cast<std::int64_t>(ranks_.size());
    file_.channels = channels_;
    return std::move(file_);
  }

 private:
  static constexpr std::uint32_t ends_of_channel = 32;  // of a rank, each way

  std::vector<ChunkOperation>& operations(std::uint32_t rank) { return ranks_[rank].operations; }

  static Connection connection_of(std::uint32_t rank, const ChunkOperation& it) {
    return it.kind == Kind::send ? Connection{rank, it.peer.value, it.lane} : Connection{it.peer.value, rank, it.lane};
  }

  void connect() {
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
      for (std::size_t i = 0; i < operations(rank).size(); ++i) {
        const ChunkOperation& it = operations(rank)[i];
        if (it.kind == Kind::copy) continue;
        Ends& ends = connections_[connection_of(rank, it)];
        (it.kind == Kind::send ? ends.sends : ends.receptions).push_back(i);
      }
    }
  }

  // Puts the sends in the order of the receptions.
  std::optional<Diagnostic> pair(const Connection& connection, Ends& ends) {
    const auto key = [](const ChunkOperation& it) { return std::tuple(it.step, it.message, it.chunk); };
    std::map<std::tuple<StepId, MessageId, ChunkId>, ChunkOperation> sent;
    for (const std::size_t i : ends.sends)
      sent.emplace(key(operations(connection.from)[i]), operations(connection.from)[i]);
    bool wrong = sent.size() != ends.sends.size() || sent.size() != ends.receptions.size();
    for (std::size_t k = 0; k < ends.receptions.size() && !wrong; ++k) {
      const auto found = sent.find(key(operations(connection.to)[ends.receptions[k]]));
      wrong = found == sent.end();
      if (!wrong) operations(connection.from)[ends.sends[k]] = found->second;
    }
    if (!wrong) return std::nullopt;
    return error_at(
        {},
        fmt::format("the table is wrong: what processor {} sends to {} is not what comes; `quadrille check` "
                    "tells more",
                    connection.from, connection.to),
        Code::invalid);
  }

  void plan() {
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
      auto& planned = planned_.emplace_back();
      for (const ChunkOperation& it : operations(rank)) planned.push_back({it});
    }
  }

  static bool follows(const Cell& cell, const Cell& first, std::int64_t count) {
    return cell.space == first.space && cell.offset == first.offset + count;
  }

  // Whether an operation can be part of a step of the file that begins with another one.
  static bool goes_on(const Planned& first, const ChunkOperation& it) {
    const Kind kind = it.kind;
    return kind == first.first.kind && it.step == first.first.step && first.count < programs::most_together &&
           (!programs::reads_source(kind) || follows(it.source, first.first.source, first.count)) &&
           (!programs::writes_target(kind) || follows(it.target, first.first.target, first.count));
  }

  // The sends of a step read what is there before it, so any may be one; receptions that are one come next to each
  // other.
  void merge(const Connection& connection, const Ends& ends) {
    std::size_t first = 0;
    for (std::size_t k = 1; k < ends.receptions.size(); ++k) {
      Planned& send = planned_[connection.from][ends.sends[first]];
      Planned& reception = planned_[connection.to][ends.receptions[first]];
      const ChunkOperation& sent = operations(connection.from)[ends.sends[k]];
      const ChunkOperation& received = operations(connection.to)[ends.receptions[k]];
      const bool next = ends.receptions[k] == ends.receptions[k - 1] + 1;
      if (next && goes_on(send, sent) && goes_on(reception, received)) {
        ++send.count;
        ++reception.count;
        planned_[connection.from][ends.sends[k]].count = 0;
        planned_[connection.to][ends.receptions[k]].count = 0;
      } else {
        first = k;
      }
    }
  }

  void merge_copies(std::uint32_t rank) {
    Planned* first = nullptr;
    for (Planned& it : planned_[rank]) {
      if (it.first.kind == Kind::copy && first != nullptr && goes_on(*first, it.first)) {
        ++first->count;
        it.count = 0;
      } else {
        first = it.first.kind == Kind::copy ? &it : nullptr;
      }
    }
  }

  // Both ends of a connection have the same number.
  std::int64_t channel_of(const Connection& connection) const {
    const auto ranks = static_cast<std::uint32_t>(ranks_.size());
    const std::uint32_t apart = (connection.to + ranks - connection.from) % ranks - 1;
    const std::uint32_t channels_a_lane = (ranks - 1 + ends_of_channel - 1) / ends_of_channel;
    return std::int64_t{connection.lane.value} * channels_a_lane + apart / ends_of_channel;
  }

  MscclRank written(std::uint32_t rank) {
    const RankProgram& program = ranks_[rank];
    MscclRank result{rank, static_cast<std::int64_t>(program.input), static_cast<std::int64_t>(program.output),
                     static_cast<std::int64_t>(program.scratch)};
    const std::map<BlockOf, std::size_t> blocks = blocks_of(rank, result);
    Waits waits(blocks.size());
    std::vector<std::vector<std::size_t>> lines(blocks.size());  // where in the file's block an operation is
    std::set<std::pair<std::size_t, std::size_t>> awaited;
    for (const Planned& it : planned_[rank]) {
      if (it.count == 0) continue;
      const std::size_t block = blocks.at(place_of(rank, it.first));
      const Cell* source = programs::reads_source(it.first.kind) ? &it.first.source : nullptr;
      const Cell* target = programs::writes_target(it.first.kind) ? &it.first.target : nullptr;
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

  BlockOf place_of(std::uint32_t rank, const ChunkOperation& it) const {
    if (it.kind == Kind::copy) return {copies, 0, false};
    return {channel_of(connection_of(rank, it)), it.peer.value, it.kind == Kind::send};
  }

  std::map<BlockOf, std::size_t> blocks_of(std::uint32_t rank, MscclRank& result) {
    std::map<BlockOf, std::size_t> blocks;
    for (const Planned& it : planned_[rank]) blocks.emplace(place_of(rank, it.first), 0);
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
  static void write(const Planned& it, const std::vector<BlockLine>& needed,
                    const std::vector<std::vector<std::size_t>>& lines, std::vector<MscclStep>& steps) {
    for (std::size_t i = 0; i < std::max<std::size_t>(needed.size(), 1); ++i) {
      MscclStep step;
      step.s = static_cast<std::int64_t>(steps.size());
      if (i < needed.size()) {
        step.depends_on_block = static_cast<std::int64_t>(needed[i].block);
        step.depends_on_step = static_cast<std::int64_t>(lines[needed[i].block][needed[i].line]);
      }
      if (i + 1 >= needed.size()) {
        step.kind = it.first.kind;
        step.source = it.first.source.space;
        step.source_offset = it.first.source.offset;
        step.target = it.first.target.space;
        step.target_offset = it.first.target.offset;
        step.count = it.count;
      }
      steps.push_back(step);
    }
  }

  std::vector<RankProgram> ranks_;
  const Limits& limits_;
  std::map<Connection, Ends> connections_;
  std::vector<std::vector<Planned>> planned_;  // by rank
  std::int64_t channels_ = 1;
  MscclFile file_;
};

}  // namespace

Result<programs::MscclFile> msccl_program(std::vector<RankProgram> ranks, const Limits& limits) {
  return MscclBuilder(std::move(ranks), limits).build();
}

}  // namespace quadrille::driver
