// The messages become a schedule in the language, with a list each of sources, targets and parts: all are sent in step
// 1, and retiming finds the steps. 0 -> 2 twice and 1 -> 3:
//
//   param source: list = [0,0,1]
//   param target: list = [2,2,3]
//   param number: list = [0,1,0]
//   collective custom:
//     for i in 0..2: chunk source[i] -> target[i] part number[i]
//   for i in 0..2: at 1: send source[i] -> target[i] carrying source[i] -> target[i] part number[i]
//
// The table is replayed before its steps are told. Messages to oneself take none.
#include "driver/off_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <utility>

#include "compiler/compile.h"
#include "dsl/load.h"
#include "runtime/replay.h"

namespace quadrille::driver {
namespace {

constexpr std::size_t most_messages = 4096;
constexpr std::uint64_t most_hops = std::uint64_t{1} << 18;

std::string schedule_text(const std::vector<RoutedMessage>& messages) {
  std::vector<std::uint32_t> sources, targets, numbers;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> parts;
  for (const RoutedMessage& it : messages) {
    sources.push_back(it.from);
    targets.push_back(it.to);
    numbers.push_back(parts[{it.from, it.to}]++);
  }
  return fmt::format(
      "param source: list = [{}]\nparam target: list = [{}]\nparam number: list = [{}]\n"
      "collective custom:\n  for i in 0..{}: chunk source[i] -> target[i] part number[i]\n"
      "for i in 0..{}: at 1: send source[i] -> target[i] carrying source[i] -> target[i] part number[i]\n",
      fmt::join(sources, ","), fmt::join(targets, ","), fmt::join(numbers, ","), messages.size() - 1,
      messages.size() - 1);
}

std::string first_message(const Diagnostics& diagnostics) { return diagnostics.front().message; }

OffLine steps_of(const std::string& text, const Fabric& fabric, Context& context) {
  Sources sources;  // of nobody's interest
  const ReadFile read = [](const std::string&) { return FileText(std::nullopt); };
  const Result<ast::Program> program = load({"traffic.qd", text}, read, sources, remaining(context));
  if (!program) return {{}, first_message(program.diagnostics())};
  const auto schedule = compile(*program, "traffic");
  if (!schedule) return {{}, first_message(schedule.diagnostics())};
  ElaborateOptions options;
  options.fabric = fabric;
  options.retime = true;
  options.limits = remaining(context);
  const Result<SendTable> table = elaborate(*schedule, {}, options);
  if (!table) return {{}, first_message(table.diagnostics())};
  const Measurements measured = replay(*table, {.limits = remaining(context)});
  if (measured.verdict == Verdict::holds) return {measured.steps, {}};
  return {{}, measured.faults.empty() ? measured.why : measured.faults.front().message};
}

}  // namespace

OffLine scheduled_off_line(const Fabric& fabric, const std::vector<RoutedMessage>& messages, std::uint64_t hops,
                           Context& context) {
  if (messages.size() > most_messages) return {{}, fmt::format("more than {} messages", most_messages)};
  if (hops > most_hops) return {{}, fmt::format("more than {} hops", most_hops)};
  if (fabric.rules().timing == Timing::rounds) return {{}, "the fabric counts rounds"};
  std::vector<RoutedMessage> to_others = messages;
  std::erase_if(to_others, [](const RoutedMessage& it) { return it.from == it.to; });
  if (to_others.empty()) return {0, {}};
  tell_stage(context, "scheduling off line");
  return steps_of(schedule_text(to_others), fabric, context);
}

}  // namespace quadrille::driver
