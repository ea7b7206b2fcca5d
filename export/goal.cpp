// A table as GOAL: its sends between processors, and in words what becomes of the rest.
#include "export/goal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "export/processor_sends.h"
#include "model/text/counted.h"
#include "model/text/result.h"
#include "programs/goal/goal.h"
#include "programs/goal/write.h"

namespace quadrille::exporting {
namespace {

// --- operations and what they wait for -----------------------------------------------------------------------------

// goal_program makes operations of a table's sends, and the dependencies between them.
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

// Each send is one message of chunks · chunk_bytes bytes; its tag is its number, from 1, among those of its sender to
// its target; a lane is a network interface of that number. A processor begins the sends of a step when all that it
// sent and received in steps before has ended, and then expects what others send it in that step. Or what GOAL cannot
// say: a lane, or a size, that is too large. Cost: linear, but for receptions on their way through switches.
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

// --- ----------------------------------------------------------------------------------------------------------------

// Bytes of a chunk; what does not divide is rounded up.
std::uint64_t whole_chunk_bytes(const ExportInput& input) {
  const std::uint64_t parts = input.table.collective.message_parts();
  return (input.message_bytes + parts - 1) / parts;
}

std::vector<std::string> left_out(const ExportInput& input, const ProcessorSends& sends) {
  std::vector<std::string> notes;
  if (sends.switches) notes.emplace_back("switches are left out: what passes them is one message from end to end");
  if (sends.copied > 0) {
    notes.push_back(fmt::format("{} for several receivers: a message for each of these in place of one",
                                counted(sends.copied, "packet")));
  }
  if (sends.lost > 0) notes.push_back(fmt::format("{} in switches: left out", counted(sends.lost, "packet end")));
  if (input.table.collective.combining()) {
    notes.emplace_back("what is added up is left out: GOAL says how many bytes move, and adding takes no time");
  }
  return notes;
}

std::vector<std::string> head_comments(const ExportInput& input, const std::vector<std::string>& notes) {
  std::vector<std::string> lines{fmt::format("fabric: {}", input.table.fabric.title()),
                                 fmt::format("collective: {}", input.table.collective.notation())};
  if (!input.table.schedule.empty()) lines.push_back(fmt::format("schedule: {}", input.table.schedule));
  lines.push_back(fmt::format("chunk: {} bytes", whole_chunk_bytes(input)));
  lines.insert(lines.end(), notes.begin(), notes.end());
  return lines;
}

template <class Write>
Result<ExportOutcome> export_goal(const ExportInput& input, const Write& write) {
  const Result<ProcessorSends> sends = processor_sends(input.table, input.limits);
  if (!sends) return sends.diagnostics();
  constexpr std::uint64_t bytes_of_a_send =
      2 * (sizeof(programs::GoalOperation) + 4 * sizeof(programs::GoalDependency));
  if (sends->sends.size() > input.limits.memory / bytes_of_a_send) {
    return error_at({}, fmt::format("{} need more memory than the limit", counted(sends->sends.size(), "message")),
                    Code::limit);
  }
  const auto schedule = goal_program(*sends, input.table.fabric.processors(), whole_chunk_bytes(input));
  if (!schedule) return schedule.diagnostics();
  if (const Reason reason = input.limits.reached(); reason != Reason::none) {
    return error_at({}, fmt::format("nothing has been written: {}", to_string(reason)), code_of(reason));
  }
  ExportOutcome outcome{left_out(input, *sends)};
  write(*schedule, outcome.notes);
  return outcome;
}

}  // namespace

Result<ExportOutcome> export_goal_text(const ExportInput& input, const Sink& sink) {
  return export_goal(input, [&](const programs::GoalSchedule& schedule, const std::vector<std::string>& notes) {
    programs::write_goal_text(schedule, head_comments(input, notes), sink);
  });
}

Result<ExportOutcome> export_goal_binary(const ExportInput& input, const Sink& sink) {
  return export_goal(input, [&](const programs::GoalSchedule& schedule, const std::vector<std::string>&) {
    programs::write_goal_binary(schedule, sink);
  });
}

}  // namespace quadrille::exporting
