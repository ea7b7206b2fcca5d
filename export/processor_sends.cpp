// Moves are followed (motion/followed_moves.h), and those of one message to one receiver put together. A first reading
// forgets packets as they leave switches; if one leaves twice, a second one keeps them.
#include "export/processor_sends.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "model/limits/work.h"
#include "motion/followed_moves.h"

namespace quadrille::exporting {
namespace {

class SendCollector {
 public:
  SendCollector(const SendTable& table, const Limits& limits, bool keep)
      : table_(table), work_(limits), rounds_(table.fabric.in_rounds()), followed_(table, work_, keep) {}

  Result<ProcessorSends> collect() {
    const auto cursor = table_.rows->open();
    while (const auto step = cursor->next()) {
      if (auto wrong = take(*step)) return *wrong;
    }
    if (const Reason reason = cursor->ended_early(); reason != Reason::none) {
      return error_at({}, fmt::format("the table has not been read to its end: {}", to_string(reason)),
                      code_of(reason));
    }
    const auto earlier = [](const ChunkMove& a, const ChunkMove& b) { return a.leaves < b.leaves; };
    auto& sends = result_.sends;
    if (!std::is_sorted(sends.begin(), sends.end(), earlier)) std::stable_sort(sends.begin(), sends.end(), earlier);
    result_.switches = result_.switches || followed_.through_switches();
    result_.copied += followed_.copied();
    result_.lost = followed_.lost();
    return std::move(result_);
  }

 private:
  std::optional<Diagnostic> take(const StepRows& step) {
    work_.spend(step.rows.size());
    if (const auto wrong = followed_.read(step)) {
      return error_at({}, fmt::format("the table is wrong: {}; `quadrille check` tells more", wrong->why),
                      Code::invalid);
    }
    std::vector<ChunkMove>& arrivals = followed_.arrivals();
    if (rounds_) count_branches();
    if (rounds_) std::stable_sort(arrivals.begin(), arrivals.end(), by_message);
    const std::size_t begin = result_.sends.size();
    for (ChunkMove& move : arrivals) {
      move.leaving = move.arriving = nullptr;
      if (rounds_ && result_.sends.size() > begin && is_of(move, result_.sends.back())) {
        ++result_.sends.back().chunks;
      } else {
        result_.sends.push_back(move);
      }
    }
    const std::size_t more = result_.sends.capacity() - counted_;
    work_.take(more, sizeof(ChunkMove));
    counted_ += more;
    if (!rounds_) return std::nullopt;
    std::stable_sort(
        result_.sends.begin() + static_cast<std::ptrdiff_t>(begin), result_.sends.end(),
        [](const ChunkMove& a, const ChunkMove& b) { return std::tie(a.from, a.to) < std::tie(b.from, b.to); });
    return std::nullopt;
  }

  static bool by_message(const ChunkMove& a, const ChunkMove& b) {
    return std::tie(a.message, a.from, a.channel, a.lane, a.chunk) <
           std::tie(b.message, b.from, b.channel, b.lane, b.chunk);
  }

  // Whether it is a further chunk of that send.
  static bool is_of(const ChunkMove& move, const ChunkMove& send) {
    return std::tie(move.message, move.from, move.to, move.channel, move.lane, move.leaves, move.first_lane) ==
           std::tie(send.message, send.from, send.to, send.channel, send.lane, send.leaves, send.first_lane);
  }

  // Messages with several receivers.
  void count_branches() {
    std::vector<std::pair<MessageId, NodeId>> ends;
    for (const ChunkMove& move : followed_.moves()) {
      ends.emplace_back(move.message, move.to);
      result_.switches = result_.switches || move.first_channel != move.channel;
    }
    std::sort(ends.begin(), ends.end());
    for (std::size_t begin = 0, end = 0; begin < ends.size(); begin = end) {
      while (end < ends.size() && ends[end].first == ends[begin].first) ++end;
      result_.copied += ends[end - 1].second != ends[begin].second ? 1 : 0;
    }
  }

  const SendTable& table_;
  Work work_;
  bool rounds_;
  FollowedMoves followed_;
  ProcessorSends result_;
  std::size_t counted_ = 0;  // of the sends' room, in the work
};

}  // namespace

Diagnostic no_sender(const SendTable& table) {
  return error_at(
      {},
      fmt::format("the switches of {} add up what passes them: what arrives has no one sender", table.fabric.title()),
      Code::unsupported);
}

Result<ProcessorSends> processor_sends(const SendTable& table, const Limits& limits) {
  if (joins_in_switches(table)) return no_sender(table);
  try {
    Result<ProcessorSends> sends = SendCollector(table, limits, false).collect();
    const bool wrong = !sends && sends.diagnostics().front().code == Code::invalid;
    return wrong ? SendCollector(table, limits, true).collect() : sends;
  } catch (const Ended& ended) {
    return error_at({}, fmt::format("the table has not been read to its end: {}", to_string(ended.reason)),
                    code_of(ended.reason));
  }
}

}  // namespace quadrille::exporting
