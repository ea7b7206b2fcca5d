// From rows to transmissions. In a copying collective that counts steps, a row says all by itself; in rounds rows are
// put together to messages first (moves.h); where packets combine, all of them are followed (joined_words.h), since
// what becomes of an arrival depends on what it carries.
#include "driver/transmissions.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "driver/joined_words.h"
#include "driver/moves.h"

namespace quadrille::driver {
namespace {

class TransmissionReader {
 public:
  TransmissionReader(const SendTable& table, const ProcessorRange& range, const Limits& limits,
                     const VisitTransmission& visit)
      : table_(table), range_(range), limits_(limits), visit_(visit), words_(table) {}

  std::optional<Diagnostic> read() {
    const bool rounds = table_.fabric.rules().timing == Timing::rounds;
    const bool plain = !rounds && !table_.collective.combining();
    const auto cursor = table_.rows->open();
    while (const auto step = cursor->next()) {
      if (auto stopped = look_at_limits(*step)) return stopped;
      const auto wrong = plain ? copy(*step) : move(*step, rounds);
      if (wrong)
        return error_at({}, fmt::format("the table is wrong: {}; `quadrille check` tells more", *wrong), Code::invalid);
      if (words_.bytes() > limits_.memory) {
        return error_at({}, "the contributions need more memory than the limit", Code::limit);
      }
    }
    const Reason reason = cursor->ended_early();
    if (reason == Reason::none) return std::nullopt;
    return error_at({}, fmt::format("the table has not been read to its end: {}", to_string(reason)), code_of(reason));
  }

 private:
  std::optional<Diagnostic> look_at_limits(const StepRows& step) {
    constexpr std::uint64_t rows_between_looks = 1 << 16;
    rows_ += step.rows.size();
    if (rows_ < next_look_) return std::nullopt;
    next_look_ = rows_ + rows_between_looks;
    if (const Reason reason = limits_.reached(); reason != Reason::none) {
      return error_at({}, fmt::format("the table has not been read to its end: {}", to_string(reason)),
                      code_of(reason));
    }
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

  std::optional<std::string> move(const StepRows& step, bool rounds) {
    if (rounds) {
      if (auto wrong = moves_of_round(step, table_, moves_)) return wrong;
    } else {
      rows_as_moves(step);
    }
    for (const Move& move : moves_) {
      if (!range_.contains(move.from)) continue;
      visit_(move.from, {step.step, rounds ? move.to : table_.fabric.channel(move.first_channel).to, move.chunk,
                         move.first_lane, move.message, Action::send});
    }
    if (table_.collective.combining()) {
      if (auto wrong = words_.step(step.step, moves_)) return wrong;
    }
    for (const Move& move : moves_) {
      if (!range_.contains(move.to)) continue;
      visit_(move.to, {step.step, rounds ? move.from : table_.fabric.channel(move.channel).from, move.chunk, move.lane,
                       move.message, move.action});
    }
    return std::nullopt;
  }

  void rows_as_moves(const StepRows& step) {
    moves_.clear();
    for (const Row& row : step.rows) {
      const Channel& channel = table_.fabric.channel(row.channel);
      moves_.push_back({channel.from, channel.to, row.channel, row.channel, row.lane, row.lane, row.chunk, {}});
    }
    std::sort(moves_.begin(), moves_.end(), [](const Move& a, const Move& b) {
      return std::tie(a.channel, a.lane, a.chunk) < std::tie(b.channel, b.lane, b.chunk);
    });
  }

  const SendTable& table_;
  const ProcessorRange& range_;
  const Limits& limits_;
  const VisitTransmission& visit_;
  JoinedWords words_;
  std::vector<Move> moves_;
  std::uint64_t rows_ = 0;
  std::uint64_t next_look_ = 0;
};

}  // namespace

std::optional<Diagnostic> read_transmissions(const SendTable& table, const ProcessorRange& range, const Limits& limits,
                                             const VisitTransmission& visit) {
  if (table.collective.combining() && table.fabric.rules().switches != Switching::copy) {
    return error_at({},
                    "programs of combining collectives are for `switches=copy` so far: elsewhere switches join, too",
                    Code::unsupported);
  }
  if (table.rows->has_words()) {
    return error_at({}, "programs of tables whose rows say something of words are not written so far",
                    Code::unsupported);
  }
  return TransmissionReader(table, range, limits, visit).read();
}

}  // namespace quadrille::driver
