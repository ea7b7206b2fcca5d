// From sends to operations and what they wait for.
//
// For example, if 0 sends to 1 in step 1, and 0 and 1 send to one another in step 2, rank 0 is
//
//   s1: send to 1 tag 1
//   s2: send to 1 tag 2
//   r1: recv from 1 tag 1
//   s2 requires s1
//   r1 irequires s2
//
// Why step by step, and not only what the data ask for: a receiver that had begun everything would search all of it
// for each message. Where m operations would each wait for k, and that is more than m + k dependencies, they wait for a
// calculation of no time that waits for these.
//
// No rank ever waits for ever, even if no send ends before its reception begins: of the operations that belong to a
// step, receptions to the step in which their message *leaves*, none waits for what belongs to a later one to begin.
// So all of a step's operations begin once those of the steps before have, and end. (A reception that belonged to the
// step in which its message comes out of a switch could keep its sender waiting.)
#include "export/goal_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace quadrille::exporting {
namespace {

using programs::GoalKind;
using programs::GoalOperation;
using programs::GoalRank;

// Indices of sends by processor, in the order of the sends.
struct ByProcessor {
  std::vector<std::size_t> begin;
  std::vector<std::uint32_t> index;

  ByProcessor(const std::vector<ChunkMove>& sends, std::uint32_t processors, NodeId ChunkMove::*end)
      : begin(std::size_t{processors} + 1), index(sends.size()) {
    for (const ChunkMove& it : sends) ++begin[std::size_t{(it.*end).value} + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
    for (std::uint32_t i = 0; i < sends.size(); ++i) index[next[(sends[i].*end).value]++] = i;
  }
};

// Each send's number among those of its sender to its target.
std::vector<std::uint32_t> tags_of(const std::vector<ChunkMove>& sends, const ByProcessor& out,
                                   std::uint32_t processors) {
  std::vector<std::uint32_t> tags(sends.size());
  std::vector<std::uint32_t> count(processors);
  for (std::uint32_t from = 0; from < processors; ++from) {
    for (std::size_t i = out.begin[from]; i < out.begin[from + 1]; ++i) {
      tags[out.index[i]] = ++count[sends[out.index[i]].to.value];
    }
    for (std::size_t i = out.begin[from]; i < out.begin[from + 1]; ++i) count[sends[out.index[i]].to.value] = 0;
  }
  return tags;
}

class GoalRankBuilder {
 public:
  // Begins a step: what belongs to it.
  void begin() {
    sends_.clear();
    receptions_.clear();
    added_.clear();
  }
  void send(const GoalOperation& it) { added_.push_back(it); }
  void receive(const GoalOperation& it, StepId arrives) { expected_.emplace_back(it, arrives); }

  void end(StepId step) {
    const std::size_t starting = added_.empty() ? expected_.size() : added_.size();
    if (before_.size() * starting > before_.size() + starting) wait_together();
    for (const GoalOperation& it : added_) sends_.push_back(append(it));
    bool came = false;
    for (const auto& [it, arrives] : expected_) {
      receptions_.push_back(append(it));
      due_[arrives].push_back(receptions_.back());
      came = came || arrives == step;
    }
    expected_.clear();
    depend();
    const auto now = due_.find(step);
    if (!sends_.empty() || came) before_.clear();
    before_.insert(before_.end(), sends_.begin(), sends_.end());
    if (now == due_.end()) return;
    before_.insert(before_.end(), now->second.begin(), now->second.end());
    due_.erase(now);
  }

  // The next step in which something comes that has been expected; 0: none.
  StepId next_due() const { return due_.empty() ? StepId(0) : due_.begin()->first; }

  GoalRank take() { return std::move(rank_); }

 private:
  std::uint32_t append(const GoalOperation& it) {
    rank_.operations.push_back(it);
    return static_cast<std::uint32_t>(rank_.operations.size() - 1);
  }

  void wait_together() {
    const std::uint32_t gate = append({});
    for (const std::uint32_t earlier : before_) rank_.dependencies.push_back({gate, earlier, false});
    before_.assign(1, gate);
  }

  void depend() {
    const auto& starting = sends_.empty() ? receptions_ : sends_;
    for (const std::uint32_t later : starting) {
      for (const std::uint32_t earlier : before_) rank_.dependencies.push_back({later, earlier, false});
    }
    if (sends_.empty() || before_.empty()) return;
    for (const std::uint32_t later : receptions_) rank_.dependencies.push_back({later, sends_.front(), true});
  }

  GoalRank rank_;
  std::vector<GoalOperation> added_;
  std::vector<std::pair<GoalOperation, StepId>> expected_;
  std::vector<std::uint32_t> sends_;
  std::vector<std::uint32_t> receptions_;
  std::vector<std::uint32_t> before_;  // all that belongs to steps before has ended when these have
  std::map<StepId, std::vector<std::uint32_t>> due_;
};

class GoalBuilder {
 public:
  GoalBuilder(const std::vector<ChunkMove>& sends, std::uint32_t processors, std::uint64_t chunk_bytes)
      : sends_(sends),
        chunk_bytes_(chunk_bytes),
        out_(sends, processors, &ChunkMove::from),
        in_(sends, processors, &ChunkMove::to),
        tags_(tags_of(sends, out_, processors)) {}

  GoalRank rank(std::uint32_t processor) const {
    GoalRankBuilder builder;
    std::size_t out = out_.begin[processor];
    std::size_t in = in_.begin[processor];
    const std::size_t out_end = out_.begin[processor + 1];
    const std::size_t in_end = in_.begin[processor + 1];
    constexpr StepId never(std::numeric_limits<std::uint32_t>::max());
    while (true) {
      StepId step = builder.next_due() == StepId(0) ? never : builder.next_due();
      if (out < out_end) step = std::min(step, sends_[out_.index[out]].leaves);
      if (in < in_end) step = std::min(step, sends_[in_.index[in]].leaves);
      if (step == never) return builder.take();
      builder.begin();
      for (; out < out_end && sends_[out_.index[out]].leaves == step; ++out) {
        builder.send(operation(out_.index[out], GoalKind::send));
      }
      for (; in < in_end && sends_[in_.index[in]].leaves == step; ++in) {
        builder.receive(operation(in_.index[in], GoalKind::receive), sends_[in_.index[in]].arrives);
      }
      builder.end(step);
    }
  }

 private:
  GoalOperation operation(std::uint32_t index, GoalKind kind) const {
    const ChunkMove& it = sends_[index];
    const bool sends = kind == GoalKind::send;
    return {.size = chunk_bytes_ * it.chunks,
            .peer = (sends ? it.to : it.from).value,
            .tag = tags_[index],
            .kind = kind,
            .nic = static_cast<std::uint8_t>((sends ? it.first_lane : it.lane).value)};
  }

  const std::vector<ChunkMove>& sends_;
  std::uint64_t chunk_bytes_;
  ByProcessor out_;
  ByProcessor in_;
  std::vector<std::uint32_t> tags_;
};

std::optional<Diagnostic> unsayable(const ProcessorSends& sends, std::uint64_t chunk_bytes) {
  for (const ChunkMove& it : sends.sends) {
    const std::uint32_t lane = std::max(it.first_lane, it.lane).value;
    if (lane > programs::most_goal_unit) {
      return error_at(
          {}, fmt::format("lane {}: GOAL's network interfaces are numbered 0 to {}", lane, programs::most_goal_unit),
          Code::unsupported);
    }
    if (chunk_bytes > std::numeric_limits<std::uint64_t>::max() / it.chunks) {
      return error_at({}, fmt::format("a message of {} chunks of {} bytes is too large", it.chunks, chunk_bytes),
                      Code::range);
    }
  }
  if (sends.sends.size() < std::numeric_limits<std::uint32_t>::max() / 4) return std::nullopt;
  return error_at({}, fmt::format("{} messages are more than can be written", sends.sends.size()), Code::limit);
}

}  // namespace

Result<programs::GoalSchedule> goal_program(const ProcessorSends& sends, std::uint32_t processors,
                                            std::uint64_t chunk_bytes) {
  if (auto wrong = unsayable(sends, chunk_bytes)) return *std::move(wrong);
  const GoalBuilder builder(sends.sends, processors, chunk_bytes);
  programs::GoalSchedule schedule;
  for (std::uint32_t processor = 0; processor < processors; ++processor) {
    schedule.ranks.push_back(builder.rank(processor));
  }
  return schedule;
}

}  // namespace quadrille::exporting
