// Packets are followed through switches, each from the processor that it last left.
//
// For example, the rows 0->s in step 1 and s->1, s->2 in steps 2 and 3 of one packet are two sends, from 0 to 1 and
// from 0 to 2, which leave in step 1 and arrive in steps 2 and 3. Which arrival a switch's departure belongs to is
// said in model/MODEL.md, Queues and Switches: the latest of steps before; where switches forward, the first that has
// not left.
#include "export/processor_sends.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "export/moves.h"
#include "model/limits/work.h"
#include "model/messages/packet_table.h"

namespace quadrille::exporting {
namespace {

// A packet in a switch: how it left its processor.
struct Passing {
  NodeId from;
  StepId leaves;
  LaneId lane;
  std::uint64_t departure = 0;  // its number among those that are followed
};

struct PlaceHash {
  std::size_t operator()(const PlaceKey& key) const { return static_cast<std::size_t>(key.scramble()); }
};

// A packet that has left a switch is forgotten, unless `keep`: then it may leave once more in a later step.
class Follower {
 public:
  Follower(const SendTable& table, const Limits& limits, bool keep)
      : table_(table),
        work_(limits),
        keep_(keep),
        rounds_(table.fabric.in_rounds()),
        forwards_(table.fabric.switches_forward()),
        step_moves_(table, work_),
        held_(work_),
        copies_(&work_) {}

  Result<ProcessorSends> follow() {
    const auto cursor = table_.rows->open();
    while (const auto step = cursor->next()) {
      if (auto wrong = take(*step)) return *wrong;
    }
    if (const Reason reason = cursor->ended_early(); reason != Reason::none) {
      return error_at({}, fmt::format("the table has not been read to its end: {}", to_string(reason)),
                      code_of(reason));
    }
    const auto earlier = [](const ProcessorSend& a, const ProcessorSend& b) { return a.leaves < b.leaves; };
    auto& sends = result_.sends;
    if (!std::is_sorted(sends.begin(), sends.end(), earlier)) std::stable_sort(sends.begin(), sends.end(), earlier);
    for (const std::uint8_t reached : reached_) {
      result_.lost += reached == 0 ? 1 : 0;
      result_.copied += reached > 1 ? 1 : 0;
    }
    return std::move(result_);
  }

 private:
  std::optional<Diagnostic> take(const StepRows& step) {
    work_.spend(step.rows.size());
    if (const auto wrong = step_moves_.read(step, moves_)) return table_is_wrong(*wrong);
    if (rounds_) {
      std::stable_sort(moves_.begin(), moves_.end(), [](const ChunkMove& a, const ChunkMove& b) {
        return std::tie(a.message, a.from, a.channel, a.lane, a.chunk) <
               std::tie(b.message, b.from, b.channel, b.lane, b.chunk);
      });
      count_branches();
    }
    const std::size_t begin = result_.sends.size();
    before_ = ChunkMove{};
    for (const ChunkMove& move : moves_) {
      if (auto wrong = carry(step.step, move)) return wrong;
    }
    forget();
    for (auto& [key, held] : arrived_) arrive(key, held);
    arrived_.clear();
    const std::size_t more = result_.sends.capacity() - counted_;
    work_.take(more, sizeof(ProcessorSend));
    counted_ += more;
    // The moves of a round were in the order of their messages; sends are in the order of their ends.
    if (!rounds_) return std::nullopt;
    std::stable_sort(
        result_.sends.begin() + static_cast<std::ptrdiff_t>(begin), result_.sends.end(),
        [](const ProcessorSend& a, const ProcessorSend& b) { return std::tie(a.from, a.to) < std::tie(b.from, b.to); });
    return std::nullopt;
  }

  // Messages with several receivers.
  void count_branches() {
    for (std::size_t begin = 0; begin < moves_.size();) {
      std::size_t end = begin;
      bool branches = false;
      for (; end < moves_.size() && moves_[end].message == moves_[begin].message; ++end) {
        branches = branches || moves_[end].to != moves_[begin].to;
        result_.switches = result_.switches || moves_[end].first_channel != moves_[end].channel;
      }
      result_.copied += branches ? 1 : 0;
      begin = end;
    }
  }

  std::optional<Diagnostic> carry(StepId step, const ChunkMove& move) {
    Passing held{move.from, step, move.first_lane, 0};
    const bool from_switch = !table_.fabric.is_processor(move.from);
    if (from_switch) {
      const auto found = leave({move.chunk.value, move.from.value});
      if (!found) {
        return table_is_wrong(fmt::format("in step {} switch {} sends packet {}, which it does not have", step.value,
                                          table_.fabric.name(move.from), table_.collective.label(move.chunk)));
      }
      held = *found;
    }
    if (!table_.fabric.is_processor(move.to)) {
      result_.switches = true;
      if (!from_switch) {
        held.departure = reached_.size();
        reached_.push_back(0);
      }
      arrived_.emplace_back(PlaceKey{move.chunk.value, move.to.value}, held);
      return std::nullopt;
    }
    if (from_switch && reached_[held.departure] < 2) ++reached_[held.departure];
    deliver(step, move, held);
    return std::nullopt;
  }

  void deliver(StepId step, const ChunkMove& move, const Passing& held) {
    const bool same = rounds_ && before_.message == move.message && before_.to == move.to &&
                      before_.from == move.from && before_.channel == move.channel && before_.lane == move.lane &&
                      !result_.sends.empty();
    ProcessorSend send{held.from, move.to, held.leaves, step, held.lane, move.lane, 1};
    before_ = move;
    if (same) {
      ProcessorSend& last = result_.sends.back();
      if (last.arrives == step && last.from == send.from && last.leaves == send.leaves &&
          last.first_lane == send.first_lane) {
        ++last.chunks;
        return;
      }
    }
    result_.sends.push_back(send);
  }

  // Takes effect on what is held before the step; arrivals come later.
  std::optional<Passing> leave(const PlaceKey& key) {
    if (forwards_) {
      const auto found = copies_.find(key);
      if (found == copies_.end()) return std::nullopt;
      std::pmr::deque<Passing>& queue = found->second;
      const Passing held = queue.front();
      queue.pop_front();
      if (queue.empty()) copies_.erase(found);
      return held;
    }
    const Passing* found = held_.find(key);
    if (found == nullptr) return std::nullopt;
    if (!keep_) left_.push_back(key);
    return *found;
  }

  void forget() {
    for (const PlaceKey& key : left_) {
      if (held_.find(key) != nullptr) held_.erase(key);
    }
    left_.clear();
  }

  void arrive(const PlaceKey& key, const Passing& held) {
    if (forwards_) {
      copies_[key].push_back(held);
    } else {
      *held_.insert(key).first = held;
    }
  }

  static Diagnostic table_is_wrong(const std::string& why) {
    return error_at({}, fmt::format("the table is wrong: {}; `quadrille check` tells more", why), Code::invalid);
  }

  const SendTable& table_;
  Work work_;
  bool keep_;
  bool rounds_;
  bool forwards_;
  StepMoves step_moves_;
  ProcessorSends result_;
  std::vector<ChunkMove> moves_;
  ChunkMove before_;  // that was delivered last, in this round
  PacketTable<PlaceKey, Passing> held_;
  std::vector<PlaceKey> left_;  // in this step
  std::pmr::unordered_map<PlaceKey, std::pmr::deque<Passing>, PlaceHash> copies_;
  std::vector<std::pair<PlaceKey, Passing>> arrived_;
  std::vector<std::uint8_t> reached_;  // by departure: how many processors, 2 for more
  std::size_t counted_ = 0;            // of the sends' room, in the work
};

}  // namespace

Result<ProcessorSends> processor_sends(const SendTable& table, const Limits& limits) {
  const Fabric& fabric = table.fabric;
  const bool adds_up = fabric.switches_reduce() && table.collective.combining();
  if (adds_up && fabric.has_switches()) {
    return error_at(
        {},
        fmt::format("the switches of {} add up what passes them: what arrives has no one sender", fabric.notation()),
        Code::unsupported);
  }
  try {
    Result<ProcessorSends> sends = Follower(table, limits, false).follow();
    const bool wrong = !sends && sends.diagnostics().front().code == Code::invalid;
    return wrong ? Follower(table, limits, true).follow() : sends;
  } catch (const Ended& ended) {
    return error_at({}, fmt::format("the table has not been read to its end: {}", to_string(ended.reason)),
                    code_of(ended.reason));
  }
}

}  // namespace quadrille::exporting
