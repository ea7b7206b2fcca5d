#include "tests/reference/frozen_hashes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "export/targets.h"
#include "runtime/replay.h"
#include "runtime/times/lock_step.h"
#include "runtime/times/timed_replay.h"

namespace quadrille::reference {
namespace frozen {
namespace {

constexpr std::uint64_t message_bytes = 1024;

std::string text_of(const StepRows& step, std::size_t i) {
  const Row& row = step.rows[i];
  std::string text = fmt::format("{} {} {}", row.channel.value, row.lane.value, row.chunk.value);
  if (!step.messages.empty()) text += fmt::format(" m{}", step.messages[i].value);
  if (!step.uses.empty())
    text += fmt::format(" s{} {}", fmt::join(step.uses[i].sent, ","), static_cast<int>(step.uses[i].arrival));
  return text;
}

std::string text_of(const LevelUse& use) {
  return fmt::format("{} {} {} {} {} {}\n", use.level, use.down, use.lanes, use.rows, use.busiest,
                     fmt::join(use.over_time, ","));
}

std::string text_of(const Measurements& measured) {
  std::string text = fmt::format(
      "{} {} {} {} {} {} {} {} {} {} {}\n{}\n{}\n", static_cast<int>(measured.verdict), measured.steps,
      measured.messages, measured.rows, measured.volume.value_or(0), measured.hops.value_or(0), measured.delivered,
      measured.demanded, measured.max_queue, measured.max_channel_queue, measured.fault_count,
      fmt::join(measured.queue_by_level, ","), fmt::join(measured.channel_queue_by_level, ","));
  if (measured.load) text += fmt::format("load {}\n", to_string(*measured.load));
  for (const LevelUse& use : measured.use) text += text_of(use);
  for (const LinkUse& use : measured.busiest_links)
    text += fmt::format("{} {} {}\n", use.channel.value, use.lanes, use.rows);
  for (const Fault& fault : measured.faults) text += fault.message + "\n";
  return text;
}

}  // namespace
}  // namespace frozen

std::string hash_of(const std::string& text) {
  std::uint32_t hash = 2166136261U;
  for (const char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * 16777619U;
  return fmt::format("{:08x}", hash);
}

std::string hash_of_rows(const SendTable& table) {
  std::string text;
  const auto cursor = table.rows->open();
  while (const auto step = cursor->next()) {
    std::vector<std::string> rows;
    for (std::size_t i = 0; i < step->rows.size(); ++i) rows.push_back(frozen::text_of(*step, i));
    std::sort(rows.begin(), rows.end());
    text += fmt::format("{}:\n{}\n", step->step.value, fmt::join(rows, "\n"));
  }
  return hash_of(text);
}

std::string hash_of_replay(const SendTable& table) {
  const Measurements measured = replay(table);
  std::string text = frozen::text_of(measured);
  if (measured.verdict != Verdict::holds) return hash_of(text);  // times are those of tables that keep all rules
  const TransferCosts costs;
  text += fmt::format("{:.9g}\n", seconds_in_lock_step(table, costs, frozen::message_bytes).value_or(-1));
  const TimedReplay timed =
      replay_in_time(table, {.costs = costs, .bytes_per_chunk = frozen::message_bytes, .limits = {}});
  text += fmt::format("{:.9g}\n", timed.seconds);
  for (const TimedUse& use : timed.use) text += fmt::format("{} {} {:.9g}\n", use.level, use.down, use.busy);
  return hash_of(text);
}

std::string hash_of_programs(const SendTable& table) {
  std::string text;
  const Limits limits;
  for (const exporting::ExportTarget& target : exporting::standard_targets()) {
    if (target.name == "mscclpp") continue;  // younger than what is frozen, with tests of its own
    const auto sink = [&](std::string_view piece) {
      text += piece;
      return true;
    };
    const auto outcome = target.write({table, frozen::message_bytes, "", limits}, sink);
    if (!outcome) text += "refused: " + outcome.diagnostics().front().message;
    if (outcome) text += fmt::format("{}", fmt::join(outcome->notes, "\n"));
  }
  return hash_of(text);
}

}  // namespace quadrille::reference
