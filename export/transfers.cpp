// For example, of recursive doubling's all-gather, rank 0 gets the chunks of 2 and 3 from rank 2 in step 2: two sends
// there and two receptions here, each next to the other in the buffers; so they become one transfer of two chunks.
#include "export/transfers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "model/limits/work.h"

namespace quadrille::exporting {
namespace {

struct Connection {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  LaneId lane;
  auto operator<=>(const Connection&) const = default;
};

// The instructions of both ends, by their numbers at their ranks.
struct Ends {
  std::vector<std::size_t> sends;
  std::vector<std::size_t> receptions;
};

class TransfersBuilder {
 public:
  TransfersBuilder(std::vector<ProcessorProgram> ranks, std::uint64_t most, const Limits& limits)
      : most_(most), work_(limits), ranks_(std::move(ranks)) {}

  Result<std::vector<ProcessorProgram>> build() {
    connect();
    for (auto& [connection, ends] : connections_) {
      if (auto wrong = pair(connection, ends)) return *std::move(wrong);
    }
    for (const auto& [connection, ends] : connections_) merge(connection, ends);
    for (ProcessorProgram& rank : ranks_) {
      merge_local(rank.instructions);
      std::erase_if(rank.instructions, [](const Instruction& it) { return it.count == 0; });
    }
    return std::move(ranks_);
  }

 private:
  static Connection connection_of(std::uint32_t rank, const Instruction& it) {
    const std::uint32_t peer = it.what.peer.value;
    return it.sends() ? Connection{rank, peer, it.what.lane} : Connection{peer, rank, it.what.lane};
  }

  void connect() {
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
      for (std::size_t i = 0; i < instructions(rank).size(); ++i) {
        work_.spend(4);
        const Instruction& it = instructions(rank)[i];
        if (it.local()) continue;
        Ends& ends = connections_[connection_of(rank, it)];
        (it.sends() ? ends.sends : ends.receptions).push_back(i);
      }
    }
  }

  // Puts the sends in the order of the receptions.
  std::optional<Diagnostic> pair(const Connection& connection, const Ends& ends) {
    const auto key = [](const Instruction& it) {
      return std::tuple(it.leaves(), it.arrives(), it.what.message, it.what.chunk);
    };
    std::vector<Instruction>& there = instructions(connection.from);
    const std::vector<Instruction>& here = instructions(connection.to);
    std::map<std::tuple<StepId, StepId, MessageId, ChunkId>, Instruction> sent;
    for (const std::size_t i : ends.sends) {
      work_.spend(16);
      sent.emplace(key(there[i]), there[i]);
    }
    bool wrong = sent.size() != ends.sends.size() || sent.size() != ends.receptions.size();
    for (std::size_t k = 0; k < ends.receptions.size() && !wrong; ++k) {
      work_.spend(16);
      const auto found = sent.find(key(here[ends.receptions[k]]));
      wrong = found == sent.end();
      if (!wrong) there[ends.sends[k]] = found->second;
    }
    if (!wrong) return std::nullopt;
    return error_at(
        {},
        fmt::format("the table is wrong: what processor {} sends to {} is not what comes; `quadrille check` "
                    "tells more",
                    connection.from, connection.to),
        Code::invalid);
  }

  static bool follows(const BufferSlot& slot, const BufferSlot& first, std::uint64_t count) {
    if (slot.buffer == Buffer::none) return first.buffer == Buffer::none;
    return slot.buffer == first.buffer && slot.slot == first.slot + count;
  }

  // Whether an instruction of one chunk can be part of that one.
  bool goes_on(const Instruction& first, const Instruction& it) const {
    return it.what.action == first.what.action && it.what.step == first.what.step &&
           it.what.there == first.what.there && first.count < most_ && follows(it.source, first.source, first.count) &&
           follows(it.target, first.target, first.count);
  }

  // The sends of a step read what is there before it, so any may be one; receptions that are one come next to each
  // other.
  void merge(const Connection& connection, const Ends& ends) {
    std::vector<Instruction>& there = instructions(connection.from);
    std::vector<Instruction>& here = instructions(connection.to);
    std::size_t first = 0;
    work_.spend(ends.receptions.size());
    for (std::size_t k = 1; k < ends.receptions.size(); ++k) {
      Instruction& sent = there[ends.sends[k]];
      Instruction& received = here[ends.receptions[k]];
      const bool next = ends.receptions[k] == ends.receptions[k - 1] + 1;
      if (next && goes_on(there[ends.sends[first]], sent) && goes_on(here[ends.receptions[first]], received)) {
        ++there[ends.sends[first]].count;
        ++here[ends.receptions[first]].count;
        sent.count = 0;
        received.count = 0;
      } else {
        first = k;
      }
    }
  }

  // The slots that are read are others than those that are written.
  void merge_local(std::vector<Instruction>& list) {
    Instruction* first = nullptr;
    work_.spend(list.size());
    for (Instruction& it : list) {
      if (it.local() && first != nullptr && goes_on(*first, it)) {
        ++first->count;
        it.count = 0;
      } else {
        first = it.local() ? &it : nullptr;
      }
    }
  }

  std::vector<Instruction>& instructions(std::uint32_t rank) { return ranks_[rank].instructions; }

  std::uint64_t most_;
  Work work_;
  std::vector<ProcessorProgram> ranks_;  // an instruction of count 0 is part of another one
  std::map<Connection, Ends> connections_;
};

}  // namespace

Result<std::vector<ProcessorProgram>> merged_transfers(std::vector<ProcessorProgram> ranks, std::uint64_t most,
                                                       const Limits& limits) {
  try {
    return TransfersBuilder(std::move(ranks), most, limits).build();
  } catch (const Ended& ended) {
    return programs_ended(ended.reason);
  }
}

}  // namespace quadrille::exporting
