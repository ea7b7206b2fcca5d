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

using programs::Kind;

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

class TransfersBuilder {
 public:
  TransfersBuilder(const std::vector<RankProgram>& ranks, std::int64_t most, const Limits& limits)
      : most_(most), work_(limits) {
    for (const RankProgram& rank : ranks) {
      work_.spend(rank.operations.size());
      operations_.push_back(rank.operations);
    }
  }

  Result<std::vector<std::vector<ChunkTransfer>>> build() {
    connect();
    for (auto& [connection, ends] : connections_) {
      if (std::max(connection.from, connection.to) >= operations_.size()) return in_a_switch(connection);
      if (auto wrong = pair(connection, ends)) return *std::move(wrong);
    }
    for (const auto& operations : operations_) {
      auto& list = planned_.emplace_back();
      work_.spend(operations.size());
      for (const ChunkOperation& it : operations)
        list.push_back({it.kind, it.step, it.peer, it.lane, it.source, it.target});
    }
    for (const auto& [connection, ends] : connections_) merge(connection, ends);
    for (std::vector<ChunkTransfer>& list : planned_) {
      merge_copies(list);
      std::erase_if(list, [](const ChunkTransfer& it) { return it.count == 0; });
    }
    return std::move(planned_);
  }

 private:
  static Connection connection_of(std::uint32_t rank, const ChunkOperation& it) {
    return it.kind == Kind::send ? Connection{rank, it.peer.value, it.lane} : Connection{it.peer.value, rank, it.lane};
  }

  void connect() {
    for (std::uint32_t rank = 0; rank < operations_.size(); ++rank) {
      for (std::size_t i = 0; i < operations_[rank].size(); ++i) {
        work_.spend(4);
        const ChunkOperation& it = operations_[rank][i];
        if (it.kind == Kind::copy) continue;
        Ends& ends = connections_[connection_of(rank, it)];
        (it.kind == Kind::send ? ends.sends : ends.receptions).push_back(i);
      }
    }
  }

  // In rounds a message may end in a switch, and another begin there.
  Diagnostic in_a_switch(const Connection& connection) const {
    const std::uint32_t processor = std::min(connection.from, connection.to);
    const bool sends = processor == connection.from;
    return error_at({},
                    fmt::format("what processor {} {} a switch, where it waits, cannot be said there", processor,
                                sends ? "sends to" : "gets from"),
                    Code::unsupported);
  }

  // Puts the sends in the order of the receptions.
  std::optional<Diagnostic> pair(const Connection& connection, const Ends& ends) {
    const auto key = [](const ChunkOperation& it) { return std::tuple(it.step, it.message, it.chunk); };
    std::vector<ChunkOperation>& there = operations_[connection.from];
    const std::vector<ChunkOperation>& here = operations_[connection.to];
    std::map<std::tuple<StepId, MessageId, ChunkId>, ChunkOperation> sent;
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

  static bool follows(const BufferCell& cell, const BufferCell& first, std::int64_t count) {
    return cell.space == first.space && cell.offset == first.offset + count;
  }

  // Whether a transfer of one chunk can be part of that one.
  bool goes_on(const ChunkTransfer& first, const ChunkTransfer& it) const {
    return it.kind == first.kind && it.step == first.step && first.count < most_ &&
           (!programs::reads_source(it.kind) || follows(it.source, first.source, first.count)) &&
           (!programs::writes_target(it.kind) || follows(it.target, first.target, first.count));
  }

  // The sends of a step read what is there before it, so any may be one; receptions that are one come next to each
  // other.
  void merge(const Connection& connection, const Ends& ends) {
    std::vector<ChunkTransfer>& there = planned_[connection.from];
    std::vector<ChunkTransfer>& here = planned_[connection.to];
    std::size_t first = 0;
    work_.spend(ends.receptions.size());
    for (std::size_t k = 1; k < ends.receptions.size(); ++k) {
      ChunkTransfer& sent = there[ends.sends[k]];
      ChunkTransfer& received = here[ends.receptions[k]];
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

  void merge_copies(std::vector<ChunkTransfer>& list) {
    ChunkTransfer* first = nullptr;
    work_.spend(list.size());
    for (ChunkTransfer& it : list) {
      if (it.kind == Kind::copy && first != nullptr && goes_on(*first, it)) {
        ++first->count;
        it.count = 0;
      } else {
        first = it.kind == Kind::copy ? &it : nullptr;
      }
    }
  }

  std::int64_t most_;
  Work work_;
  std::vector<std::vector<ChunkOperation>> operations_;  // by rank
  std::map<Connection, Ends> connections_;
  std::vector<std::vector<ChunkTransfer>> planned_;  // likewise; count 0: it is part of another one
};

}  // namespace

Result<std::vector<std::vector<ChunkTransfer>>> transfers(const std::vector<RankProgram>& ranks, std::int64_t most,
                                                          const Limits& limits) {
  try {
    return TransfersBuilder(ranks, most, limits).build();
  } catch (const Ended& ended) {
    return programs_ended(ended.reason);
  }
}

}  // namespace quadrille::exporting
