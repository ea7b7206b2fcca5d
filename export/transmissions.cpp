// From rows to transmissions. In a copying collective that counts steps, a row says all by itself; in rounds rows are
// put together to messages first (moves.h); where packets combine, all of them are followed (joined_reductions.h),
// since what becomes of an arrival depends on what it carries.
#include "export/transmissions.h"

#include <fmt/format.h>

#include <optional>
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
                     const VisitTransmission& visit, TableReductions& table_reductions)
      : table_(table),
        range_(range),
        limits_(limits),
        visit_(visit),
        worded_(table.rows->has_partial_reductions()),
        table_reductions_(table_reductions),
        work_(limits),
        followed_(table, work_, true) {
    if (table.collective.combining()) reductions_.emplace(table, work_);
  }

  std::optional<Diagnostic> read() {
    const bool plain = !table_.fabric.in_rounds() && !table_.collective.combining();
    // What packets carry depends on all of them; and a message, on all its rows.
    const ProcessorsAt at{NodeId(range_.begin), NodeId(range_.end - 1)};
    const auto cursor = plain && range_.begin < range_.end ? open_at(*table_.rows, at) : table_.rows->open();
    while (const auto step = cursor->next()) {
      if (auto stopped = look_at_limits(*step)) return stopped;
      const auto wrong = plain ? copy(*step) : move(*step);
      if (wrong)
        return error_at({}, fmt::format("the table is wrong: {}; `quadrille check` tells more", *wrong), Code::invalid);
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

  std::optional<std::string> copy(const StepRows& step) {
    for (const Row& row : step.rows) {
      const Channel& channel = table_.fabric.channel(row.channel);
      if (!range_.contains(channel.from)) continue;
      visit_(channel.from, {step.step, channel.to, row.chunk, row.lane, {}, Action::send});
    }
    for (const Row& row : step.rows) {
      const Channel& channel = table_.fabric.channel(row.channel);
      if (!range_.contains(channel.to)) continue;
      visit_(channel.to, {step.step, channel.from, row.chunk, row.lane, {}, Action::store});
    }
    return std::nullopt;
  }

  std::optional<std::string> move(const StepRows& step) {
    if (auto wrong = followed_.read(step)) return wrong;
    for (const ChunkMove& move : followed_.moves()) {
      if (!range_.contains(move.from)) continue;
      visit_(move.from,
             {step.step, move.to, move.chunk, move.first_lane, move.message, Action::send, reductions_sent(move)});
    }
    std::vector<ChunkMove>& arrivals = followed_.arrivals();
    if (reductions_) {
      if (auto wrong = reductions_->step(step.step, followed_.moves(), arrivals)) return wrong;
    }
    for (const ChunkMove& move : arrivals) {
      if (!range_.contains(move.to)) continue;
      visit_(move.to, {step.step, move.via, move.chunk, move.lane, move.message, move.action});
    }
    return std::nullopt;
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
  bool worded_;
  TableReductions& table_reductions_;
  Work work_;
  FollowedMoves followed_;
  std::optional<JoinedReductions> reductions_;  // where packets combine
  std::uint64_t rows_ = 0;
  std::uint64_t next_look_ = 0;
};

}  // namespace

std::optional<Diagnostic> read_transmissions(const SendTable& table, const ProcessorRange& range, const Limits& limits,
                                             const VisitTransmission& visit, TableReductions& words) {
  if (has_no_sender(table)) return no_sender(table);
  try {
    return TransmissionReader(table, range, limits, visit, words).read();
  } catch (const Ended& ended) {
    return not_read_to_its_end(ended.reason);
  }
}

}  // namespace quadrille::exporting
