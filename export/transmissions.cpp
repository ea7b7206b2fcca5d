// From rows to transmissions. In a copying collective that counts steps, a row says all by itself; in rounds rows are
// put together to messages first (moves.h); where packets combine, all of them are followed (joined_reductions.h),
// since what becomes of an arrival depends on what it carries.
#include "export/transmissions.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "compiler/rows/rows_at.h"
#include "export/followed_moves.h"
#include "export/joined_reductions.h"
#include "export/processor_sends.h"

namespace quadrille::exporting {
namespace {

Diagnostic not_read_to_its_end(Reason reason) {
  return error_at({}, fmt::format("the table has not been read to its end: {}", to_string(reason)), code_of(reason));
}

class TransmissionReader {
 public:
  TransmissionReader(const SendTable& table, const ProcessorRange& range, const Limits& limits,
                     const VisitTransmission& visit, TableReductions& table_reductions, Peers peers)
      : table_(table),
        range_(range),
        limits_(limits),
        visit_(visit),
        peers_(peers),
        switches_(table.fabric.has_switches()),
        worded_(table.rows->has_partial_reductions()),
        table_reductions_(table_reductions),
        work_(limits),
        followed_(table, work_, true) {
    if (table.collective.combining()) reductions_.emplace(table, work_);
  }

  std::optional<Diagnostic> read() {
    const bool direct = peers_ == Peers::neighbour || !switches_;
    const bool plain = direct && !table_.fabric.in_rounds() && !table_.collective.combining();
    // What packets carry depends on all of them; and a message, on all its rows.
    const ProcessorsAt at{NodeId(range_.begin), NodeId(range_.end - 1)};
    const auto cursor = plain && range_.begin < range_.end ? open_at(*table_.rows, at) : table_.rows->open();
    while (const auto step = cursor->next()) {
      if (auto stopped = look_at_limits(*step)) return stopped;
      if (plain) {
        copy(*step);
      } else if (auto wrong = move(*step)) {
        return wrong;
      }
    }
    const Reason reason = cursor->ended_early();
    if (reason == Reason::none) {
      if (worded_ && reductions_) note_results();
      return std::nullopt;
    }
    return not_read_to_its_end(reason);
  }

 private:
  std::optional<Diagnostic> look_at_limits(const StepRows& step) {
    constexpr std::uint64_t rows_between_looks = 1 << 16;
    rows_ += step.rows.size();
    if (rows_ < next_look_) return std::nullopt;
    next_look_ = rows_ + rows_between_looks;
    if (const Reason reason = limits_.reached(); reason != Reason::none) return not_read_to_its_end(reason);
    if (!limits_.progress) return std::nullopt;
    const auto last = table_.rows->last_step();
    limits_.progress({.stage = "reading the table",
                      .done = step.step.value,
                      .of = last ? std::optional<std::uint64_t>(last->value) : std::nullopt,
                      .unit = "steps",
                      .rows = rows_});
    return std::nullopt;
  }

  void copy(const StepRows& step) {
    for (const Row& row : step.rows) {
      const Channel& channel = table_.fabric.channel(row.channel);
      if (!range_.contains(channel.from)) continue;
      visit_(channel.from, {step.step, step.step, channel.to, row.chunk, row.lane, {}, Action::send});
    }
    for (const Row& row : step.rows) {
      const Channel& channel = table_.fabric.channel(row.channel);
      if (!range_.contains(channel.to)) continue;
      visit_(channel.to, {step.step, step.step, channel.from, row.chunk, row.lane, {}, Action::store});
    }
  }

  std::optional<Diagnostic> move(const StepRows& step) {
    if (auto wrong = followed_.read(step)) return table_is_wrong(*wrong);
    note_departures();
    std::vector<ChunkMove>& arrivals = followed_.arrivals();
    if (peers_ == Peers::processor) {
      if (auto wrong = leave_out_returns(arrivals)) return wrong;
      for (ChunkMove& move : arrivals) move.first_lane = move.lane = connection_lane(move);
      for (const ChunkMove& move : arrivals) visit_send(move, move.leaves, move.arrives);
    } else {
      for (const ChunkMove& move : followed_.moves()) visit_send(move, step.step, step.step);
    }
    if (reductions_) {
      if (auto wrong = reductions_->step(step.step, followed_.moves(), arrivals)) return table_is_wrong(*wrong);
    }
    for (const ChunkMove& move : arrivals) {
      if (!range_.contains(move.to)) continue;
      const bool ends = peers_ == Peers::processor;
      visit_(move.to, {step.step, ends ? move.leaves : step.step, ends ? move.from : move.via, move.chunk, move.lane,
                       move.message, move.action});
    }
    return std::nullopt;
  }

  static Diagnostic table_is_wrong(const std::string& why) {
    return error_at({}, fmt::format("the table is wrong: {}; `quadrille check` tells more", why), Code::invalid);
  }

  // What comes back from a switch to the processor that it left is there already.
  std::optional<Diagnostic> leave_out_returns(std::vector<ChunkMove>& arrivals) const {
    const auto returns = [](const ChunkMove& move) { return move.from == move.to; };
    if (table_.collective.combining() && std::ranges::any_of(arrivals, returns)) {
      return error_at({}, "what a processor sends to itself, by way of a switch, cannot be said", Code::unsupported);
    }
    std::erase_if(arrivals, returns);
    return std::nullopt;
  }

  void visit_send(const ChunkMove& move, StepId leaves, StepId arrives) {
    if (!range_.contains(move.from)) return;
    const std::uint32_t words = sent_.empty() ? 0 : sent_[move.departure];
    visit_(move.from, {leaves, arrives, move.to, move.chunk, move.first_lane, move.message, Action::send, words});
  }

  // What those send of partial reductions that leave in this step.
  void note_departures() {
    if (!worded_ || !reductions_) return;
    if (!switches_) sent_.clear();
    for (const ChunkMove& move : followed_.moves()) {
      if (!table_.fabric.is_processor(move.from)) continue;
      sent_.push_back(range_.contains(move.from) ? reductions_sent(move) : 0);
      work_.take(switches_ ? 1 : 0, sizeof(std::uint32_t));
    }
  }

  // What has gone last from one processor to another by one lane.
  struct LastSent {
    StepId leaves;
    StepId arrives;
    std::set<std::pair<MessageId, ChunkId>> chunks = {};  // of the last that left and arrived together
  };

  // The first lane in which it is received in the order in which it is sent. Arrivals come step by step.
  LaneId connection_lane(const ChunkMove& move) {
    if (!switches_) return table_.fabric.in_rounds() ? LaneId() : move.lane;
    std::vector<LastSent>& lanes = lanes_[{move.from, move.to}];
    std::uint32_t lane = 0;
    for (;; ++lane) {
      if (lane == lanes.size()) lanes.push_back({move.leaves, move.arrives});
      LastSent& it = lanes[lane];
      const bool together = it.leaves == move.leaves && it.arrives == move.arrives;
      if (!together && it.leaves <= move.leaves) it = {move.leaves, move.arrives};
      if (it.leaves == move.leaves && it.arrives == move.arrives && it.chunks.emplace(move.message, move.chunk).second)
        return LaneId(lane);
    }
  }

  // Where they are listed; as they are when the step begins. Partial reductions that are not there are found later.
  std::uint32_t reductions_sent(const ChunkMove& move) {
    if (!reductions_ || move.leaving == nullptr || move.leaving->sent.empty() || !reductions_->has(move)) return 0;
    const std::uint32_t value = table_.collective.value_of(move.chunk);
    table_reductions_.sent.push_back(reductions_->in_order(value, move.from, move.leaving->sent));
    return static_cast<std::uint32_t>(table_reductions_.sent.size() - 1);
  }

  void note_results() {
    for (std::uint32_t p = range_.begin; p < range_.end; ++p) {
      for (std::uint32_t value = 0; value < table_.collective.values(); ++value) {
        if (!table_.collective.wanted_contributions(value, NodeId(p))) continue;
        table_reductions_.results[{NodeId(p), value}] = reductions_->result(value, NodeId(p));
      }
    }
  }

  const SendTable& table_;
  const ProcessorRange& range_;
  const Limits& limits_;
  const VisitTransmission& visit_;
  Peers peers_;
  bool switches_;
  bool worded_;
  TableReductions& table_reductions_;
  Work work_;
  FollowedMoves followed_;
  std::vector<std::uint32_t> sent_;  // by departure: index into TableReductions::sent
  std::map<std::pair<NodeId, NodeId>, std::vector<LastSent>> lanes_;
  std::optional<JoinedReductions> reductions_;  // where packets combine
  std::uint64_t rows_ = 0;
  std::uint64_t next_look_ = 0;
};

}  // namespace

std::optional<Diagnostic> read_transmissions(const SendTable& table, const ProcessorRange& range, const Limits& limits,
                                             const VisitTransmission& visit, TableReductions& words, Peers peers) {
  if (has_no_sender(table)) return no_sender(table);
  try {
    return TransmissionReader(table, range, limits, visit, words, peers).read();
  } catch (const Ended& ended) {
    return not_read_to_its_end(ended.reason);
  }
}

}  // namespace quadrille::exporting
