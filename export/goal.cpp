// A table as GOAL: its sends between processors, and in words what becomes of the rest.
#include "export/goal.h"

#include <fmt/format.h>

#include <utility>

#include "export/goal_program.h"
#include "export/processor_sends.h"
#include "model/text/counted.h"
#include "programs/goal/write.h"

namespace quadrille::exporting {
namespace {

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
