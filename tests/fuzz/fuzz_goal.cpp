// Any bytes: reading and judging them as GOAL must not crash; what is read must survive being written, in both forms.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "programs/goal/judge.h"
#include "programs/goal/read.h"
#include "programs/goal/write.h"

using namespace quadrille;
using programs::GoalSchedule;

namespace {

template <class Write>
std::string written(const Write& write) {
  std::string text;
  write([&](std::string_view more) {
    text += more;
    return true;
  });
  return text;
}

std::string as_text(const GoalSchedule& schedule) {
  return written([&](const programs::GoalSink& sink) { programs::write_goal_text(schedule, {}, sink); });
}

std::string as_binary(const GoalSchedule& schedule) {
  return written([&](const programs::GoalSink& sink) { programs::write_goal_binary(schedule, sink); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Source source{"input", std::string(reinterpret_cast<const char*>(data), size)};
  const bool binary = programs::goal_form(source.text) == programs::GoalForm::binary;
  const auto schedule = binary ? programs::read_goal_binary(source.text) : programs::read_goal_text(source, 0);
  if (!schedule && schedule.diagnostics().size() != 1) std::abort();
  if (!schedule) return 0;
  const std::string bytes = as_binary(*schedule);
  const auto again = programs::read_goal_binary(bytes);
  if (!again || as_binary(*again) != bytes) std::abort();
  programs::GoalJudgeOptions options;
  options.limits.memory = std::uint64_t{1} << 27;
  const programs::ProgramVerdict verdict = programs::judge_goal(*schedule, options).verdict();
  if (programs::judge_goal(*again, options).verdict() != verdict) std::abort();
  const std::string text = as_text(*schedule);
  const auto reread = programs::read_goal_text({"again", text}, 0);
  // The text has no place for a sender that is not a rank, nor for what a calculation has to do with no peer.
  if (!binary && (!reread || as_text(*reread) != text)) std::abort();
  return 0;
}
