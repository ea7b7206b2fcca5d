// From rows to transmissions. In a copying collective that counts steps, a row says all by itself; in rounds rows are
// put together to messages first (motion/moves.h); where packets combine, all of them are followed
// (joined_reductions.h), since what becomes of an arrival depends on what it carries.
//
// It depends on the packets of its own value alone, so that values can be followed in groups. For example, an allreduce
// around a ring of 4096 has as many values, and 8 bytes for each of them at each processor are 128 MiB; with room for
// 80 MiB there are two groups, of 2048 values each. What is wrong with a table is what the first group finds that meets
// it, or, in an earlier step, another one.
#include "export/transmissions.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "compiler/rows/rows_at.h"
#include "export/joined_reductions.h"
#include "export/processor_sends.h"
#include "motion/followed_moves.h"

namespace quadrille::exporting {
namespace {

Diagnostic not_read_to_its_end(Reason reason) {
  return error_at({}, fmt::format("the table has not been read to its end: {}", to_string(reason)), code_of(reason));
}

Diagnostic table_is_wrong(const StepFault& fault) {
  return error_at({}, fmt::format("the table is wrong: {}; `quadrille check` tells more", fault.why), Code::invalid);
}

// One reading of a table.
class TransmissionReader {
 public:
  // Reads all values.
  TransmissionReader(const SendTable& table, const ProcessorRange& range, const Limits& limits,
                     const VisitTransmission& visit, TableReductions& table_reductions, Peers peers)
      : TransmissionReader(table, range, limits, visit, table_reductions, peers,
                           {0, table.collective.combining() ? table.collective.values() : 0}) {
    if (table.collective.combining()) reductions_.emplace(table, work_);
  }
  // Reads these values of a combining collective; `passed_on`: see JoinedReductions.
  TransmissionReader(const SendTable& table, const ProcessorRange& range, const Limits& limits,
                     const VisitTransmission& visit, TableReductions& table_reductions, ValueRange values,
                     bool passed_on)
      : TransmissionReader(table, range, limits, visit, table_reductions, Peers::neighbour, values) {
    reductions_.emplace(table, work_, values, passed_on);
  }

  // Ends when the step of `fault` is over; puts another one there if that comes before it. Throws Ended, and
  // GoesOnFromTarget.
  std::optional<Diagnostic> read(std::optional<StepFault>& fault) {
    const bool direct = peers_ == Peers::neighbour || !switches_;
    const bool plain = direct && !table_.fabric.in_rounds() && !table_.collective.combining();
    // A packet's contributions depend on all packets, and a message on all its rows.
    const ProcessorsAt at{NodeId(range_.begin), NodeId(range_.end - 1)};
    const auto cursor = plain && range_.begin < range_.end ? open_at(*table_.rows, at) : table_.rows->open();
    while (const auto step = cursor->next()) {
      if (fault && fault->step < step->step) return std::nullopt;
      look_at_limits(*step);
      if (plain) {
        copy(*step);
      } else if (auto wrong = move(*step)) {
        return wrong;
      } else if (fault_) {
        if (!fault || *fault_ < *fault) fault = fault_;
        return std::nullopt;
      }
    }
    const Reason reason = cursor->ended_early();
    if (reason != Reason::none) return not_read_to_its_end(reason);
    if (worded_ && reductions_) note_results();
    return std::nullopt;
  }

 private:
  TransmissionReader(const SendTable& table, const ProcessorRange& range, const Limits& limits,
                     const VisitTransmission& visit, TableReductions& table_reductions, Peers peers, ValueRange values)
      : table_(table),
        range_(range),
        limits_(limits),
        visit_(visit),
        peers_(peers),
        values_(values),
        switches_(table.fabric.has_switches()),
        worded_(table.rows->has_partial_reductions()),
        table_reductions_(table_reductions),
        work_(limits),
        followed_(table, work_, true, table.collective.combining() ? std::optional(values) : std::nullopt) {}

  void look_at_limits(const StepRows& step) {
    constexpr std::uint64_t rows_between_looks = 1 << 16;
    rows_ += step.rows.size();
    if (rows_ < next_look_) return;
    next_look_ = rows_ + rows_between_looks;
    if (const Reason reason = limits_.reached(); reason != Reason::none) throw Ended{reason};
    if (!limits_.progress) return;
    const auto last = table_.rows->last_step();
    limits_.progress({.stage = "reading the table",
                      .done = step.step.value,
                      .of = last ? std::optional<std::uint64_t>(last->value) : std::nullopt,
                      .unit = "steps",
                      .rows = rows_});
  }

  void copy(const StepRows& step) {
    for (const Row& row : step.rows) {
      const Channel& channel = table_.fabric.channel(row.channel);
      if (!range_.contains(channel.from)) continue;
      visit_(channel.from, {step.step, step.step, channel.to, row.lane, row.chunk, {}, Action::send});
    }
    for (const Row& row : step.rows) {
      const Channel& channel = table_.fabric.channel(row.channel);
      if (!range_.contains(channel.to)) continue;
      visit_(channel.to, {step.step, step.step, channel.from, row.lane, row.chunk, {}, Action::store});
    }
  }

  // Leaves what is wrong with the step in fault_.
  std::optional<Diagnostic> move(const StepRows& step) {
    fault_ = followed_.read(step);
    if (fault_) return std::nullopt;
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
      fault_ = reductions_->step(step, followed_.moves(), arrivals);
      if (fault_) return std::nullopt;
      for (const Reception& reception : reductions_->receptions()) visit_reception(step.step, reception);
    } else {
      for (const ChunkMove& move : arrivals) visit_reception(step.step, {&move});
    }
    return std::nullopt;
  }

  // Arrivals that are kept come first; then those that change a value otherwise; then those that only pass.
  std::uint32_t order_of(const Reception& reception) const {
    const ChunkMove& move = *reception.move;
    if (!reductions_ || table_.collective.name(move.chunk).target != move.to.value) return 2 + move.number;
    return reception.action == Action::keep ? 0 : 1;
  }

  // A packet that comes back from a switch to the processor that it left is there already.
  std::optional<Diagnostic> leave_out_returns(std::vector<ChunkMove>& arrivals) const {
    const auto returns = [](const ChunkMove& move) { return move.from == move.to; };
    if (table_.collective.combining() && std::ranges::any_of(arrivals, returns)) {
      return error_at({}, "what a processor sends to itself, by way of a switch, cannot be said", Code::unsupported);
    }
    std::erase_if(arrivals, returns);
    return std::nullopt;
  }

  void visit_reception(StepId step, const Reception& reception) {
    const ChunkMove& move = *reception.move;
    if (!range_.contains(move.to)) return;
    const bool ends = peers_ == Peers::processor;
    visit_(move.to, {step, ends ? move.leaves : step, ends ? move.from : move.last_from, move.lane, move.chunk,
                     move.message, reception.action, 0, order_of(reception)});
  }

  void visit_send(const ChunkMove& move, StepId leaves, StepId arrives) {
    if (!range_.contains(move.from)) return;
    const std::uint32_t words = sent_.empty() ? 0 : sent_[move.departure];
    visit_(move.from,
           {leaves, arrives, move.to, move.first_lane, move.chunk, move.message, Action::send, words, move.number});
  }

  // Lists the partial reductions that the moves out of processors in this step send.
  void note_departures() {
    if (!worded_ || !reductions_) return;
    const bool many_steps = switches_ && !followed_.joins();
    if (!many_steps) sent_.clear();
    for (const ChunkMove& move : followed_.moves()) {
      if (!followed_.joins() && !table_.fabric.is_processor(move.from)) continue;
      sent_.push_back(range_.contains(move.from) ? reductions_sent(move) : 0);
      work_.take(many_steps ? 1 : 0, sizeof(std::uint32_t));
    }
  }

  // The chunks that have gone last from one processor to another by one lane.
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

  // Lists the partial reductions that the move sends, as they are when the step begins; returns their place. Those that
  // are not there are found later.
  std::uint32_t reductions_sent(const ChunkMove& move) {
    if (!reductions_ || move.leaving == nullptr || move.leaving->sent.empty() || !reductions_->has(move)) return 0;
    const std::uint32_t value = table_.collective.value_of(move.chunk);
    table_reductions_.sent.push_back(reductions_->in_order(value, move.from, move.leaving->sent));
    return static_cast<std::uint32_t>(table_reductions_.sent.size() - 1);
  }

  void note_results() {
    for (std::uint32_t p = range_.begin; p < range_.end; ++p) {
      for (std::uint32_t value = values_.begin; value < values_.end; ++value) {
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
  ValueRange values_;  // combining
  bool switches_;
  bool worded_;
  TableReductions& table_reductions_;
  Work work_;
  FollowedMoves followed_;
  std::vector<std::uint32_t> sent_;  // by departure: index into TableReductions::sent
  std::map<std::pair<NodeId, NodeId>, std::vector<LastSent>> lanes_;
  std::optional<JoinedReductions> reductions_;  // where packets combine
  std::optional<StepFault> fault_;              // of the last step
  std::uint64_t rows_ = 0;
  std::uint64_t next_look_ = 0;
};

// So many values, in groups of the same size, that what is held of one group takes a third of the memory: the
// transmissions of a processor may take half.
std::uint32_t values_at_a_time(const Collective& collective, const Limits& limits) {
  const std::uint64_t bytes = std::uint64_t{collective.processors()} * 8;
  const std::uint64_t most = std::max<std::uint64_t>(1, limits.memory / 3 / bytes);
  const std::uint64_t groups = (collective.values() + most - 1) / most;
  return static_cast<std::uint32_t>((collective.values() + groups - 1) / groups);
}

// Throws Ended, and GoesOnFromTarget.
template <class ReadGroup>
std::optional<Diagnostic> read_groups(const Collective& collective, std::uint32_t size, const ReadGroup& read_group) {
  std::optional<StepFault> fault;
  for (std::uint32_t begin = 0; begin < collective.values(); begin += std::min(size, collective.values() - begin)) {
    const ValueRange values{begin, begin + std::min(size, collective.values() - begin)};
    if (auto wrong = read_group(values, fault)) return wrong;
  }
  return fault ? std::optional(table_is_wrong(*fault)) : std::nullopt;
}

}  // namespace

std::optional<Diagnostic> read_transmissions(const SendTable& table, const ProcessorRange& range, const Limits& limits,
                                             const VisitTransmission& visit, TableReductions& words) {
  if (joins_in_switches(table)) return no_sender(table);
  try {
    std::optional<StepFault> fault;
    auto wrong = TransmissionReader(table, range, limits, visit, words, Peers::processor).read(fault);
    return !wrong && fault ? table_is_wrong(*fault) : wrong;
  } catch (const Ended& ended) {
    return not_read_to_its_end(ended.reason);
  }
}

std::optional<Diagnostic> read_neighbour_transmissions(const SendTable& table, const ProcessorRange& range,
                                                       const Limits& limits, const VisitTransmission& visit,
                                                       const std::function<void()>& begin_again, TableReductions& words,
                                                       std::uint32_t most_values) {
  const bool combining = table.collective.combining();
  std::uint32_t size = combining ? std::min(values_at_a_time(table.collective, limits), most_values) : 1;
  bool passed_on = false;
  for (;;) {
    try {
      if (combining) {
        return read_groups(table.collective, size, [&](ValueRange values, std::optional<StepFault>& fault) {
          return TransmissionReader(table, range, limits, visit, words, values, passed_on).read(fault);
        });
      }
      std::optional<StepFault> fault;
      auto wrong = TransmissionReader(table, range, limits, visit, words, Peers::neighbour).read(fault);
      return !wrong && fault ? table_is_wrong(*fault) : wrong;
    } catch (const GoesOnFromTarget&) {
      passed_on = true;
    } catch (const Ended& ended) {
      if (ended.reason != Reason::limit || size == 1) return not_read_to_its_end(ended.reason);
      size /= 2;
    }
    words = {};
    begin_again();
  }
}

void put_values_in_order(std::vector<Transmission>& transmissions) {
  const auto before = [](const Transmission& a, const Transmission& b) {
    const auto receives = [](const Transmission& it) { return it.action != Action::send; };
    return std::tuple(a.step, receives(a), a.order) < std::tuple(b.step, receives(b), b.order);
  };
  if (!std::ranges::is_sorted(transmissions, before)) std::ranges::stable_sort(transmissions, before);
}

}  // namespace quadrille::exporting
