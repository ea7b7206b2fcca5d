// The messages become a schedule in the language, which sends all of them in step 1, those with the longest path
// first; retiming finds the steps. For example, 0 -> 2 twice and 1 -> 3 on the ring of 4, the second message by way
// of 3:
//
//   collective custom:
//     chunk 0 -> 2 part 0
//     chunk 0 -> 2 part 1
//     chunk 1 -> 3 part 0
//   at 1: send 0 -> 2 along "1" carrying 0 -> 2 part 0
//   at 1: send 0 -> 2 along "3" carrying 0 -> 2 part 1
//   at 1: send 1 -> 3 along "2" carrying 1 -> 3 part 0
//
// Without `along` the paths are the fabric's default routes. The table is replayed before its steps are reported.
// Messages to the sender itself take no steps.
#include "driver/off_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "compiler/compile.h"
#include "dsl/load.h"
#include "runtime/replay.h"

namespace quadrille::driver {
namespace {

constexpr std::uint64_t most_messages = 4096;
constexpr std::uint64_t most_hops = std::uint64_t{1} << 18;

using NodePath = std::vector<NodeId>;  // from processor to processor

// Continues a path. If it meets a node again, the circle since then is removed.
void go_on(NodePath& path, NodeId node) {
  const auto met = std::find(path.begin(), path.end(), node);
  if (met != path.end()) path.erase(met, path.end());
  path.push_back(node);
}

// The paths, by message.
std::vector<NodePath> paths_taken(const Fabric& fabric, const std::vector<RoutedMessage>& messages,
                                  const std::vector<RouterEvent>& events) {
  std::vector<NodePath> paths;
  for (const RoutedMessage& it : messages) paths.push_back({NodeId(it.from)});
  for (const RouterEvent& event : events) {
    if (event.kind != RouterEvent::Kind::crossed && event.kind != RouterEvent::Kind::referred) continue;
    const Channel& channel = fabric.channel(event.channel);
    go_on(paths[event.message], channel.from);
    go_on(paths[event.message], channel.to);
  }
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const NodeId target(messages[i].to);
    // If the processor is attached to a switch, adds the switch between it and a neighbour.
    if (paths[i].size() == 1 && !fabric.channel_between(paths[i].back(), target)) {
      go_on(paths[i], fabric.channel(fabric.channels_from(paths[i].back())[0]).to);
    }
    go_on(paths[i], target);
  }
  return paths;
}

struct Sending {
  RoutedMessage message;
  std::uint32_t part;
  std::size_t hops;
  std::string along;  // " along "1"", or empty
};

std::string along(const Fabric& fabric, const NodePath& path) {
  std::string text;
  for (std::size_t i = 1; i + 1 < path.size(); ++i) {
    text += fmt::format("{}\"{}\"", i == 1 ? " along " : ", ", fabric.name(path[i]));
  }
  return text;
}

std::vector<Sending> sendings(const Fabric& fabric, const std::vector<RoutedMessage>& messages,
                              const std::vector<NodePath>& paths) {
  std::vector<Sending> result;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> parts;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const RoutedMessage& it = messages[i];
    if (it.from == it.to) continue;
    result.push_back({it, parts[{it.from, it.to}]++, paths[i].size(), along(fabric, paths[i])});
  }
  std::stable_sort(result.begin(), result.end(), [](const Sending& a, const Sending& b) { return a.hops > b.hops; });
  return result;
}

std::string schedule_text(const std::vector<Sending>& sendings, bool on_paths_taken) {
  std::string text = "collective custom:\n";
  for (const auto& [message, part, hops, along] : sendings) {
    text += fmt::format("  chunk {} -> {} part {}\n", message.from, message.to, part);
  }
  for (const auto& [message, part, hops, along] : sendings) {
    text += fmt::format("at 1: send {} -> {}{} carrying {} -> {} part {}\n", message.from, message.to,
                        on_paths_taken ? along : "", message.from, message.to, part);
  }
  return text;
}

// The number of steps; nothing if there is none, with the reason.
std::optional<std::uint64_t> steps_of(const std::string& text, const Fabric& fabric, Context& context,
                                      std::string& why) {
  const auto refuse = [&](const Diagnostics& diagnostics) {
    why = diagnostics.front().message;
    return std::nullopt;
  };
  Sources sources;  // of nobody's interest
  const ReadFile read = [](const std::string&) { return FileText(std::nullopt); };
  const Result<ast::SourceFiles> program = load({"traffic.qd", text}, read, sources, remaining(context));
  if (!program) return refuse(program.diagnostics());
  const auto schedule = compile(*program, "traffic");
  if (!schedule) return refuse(schedule.diagnostics());
  ElaborateOptions options;
  options.fabric = fabric;
  options.retime = true;
  options.limits = remaining(context);
  const Result<SendTable> table = elaborate(*schedule, {}, options);
  if (!table) return refuse(table.diagnostics());
  const Measurements measured = replay(*table, {.limits = remaining(context)});
  if (measured.verdict == Verdict::holds) return measured.steps;
  why = measured.faults.empty() ? measured.why : measured.faults.front().message;
  return std::nullopt;
}

}  // namespace

bool may_be_scheduled(std::uint64_t messages, std::uint64_t hops) {
  return messages <= most_messages && hops <= most_hops;
}

OffLine scheduled_off_line(const Fabric& fabric, const std::vector<RoutedMessage>& messages,
                           const std::vector<RouterEvent>& events, Context& context) {
  if (fabric.in_rounds()) return {{}, {}, "the fabric counts rounds"};
  const std::vector<Sending> all = sendings(fabric, messages, paths_taken(fabric, messages, events));
  if (all.empty()) return {0, 0, {}};
  tell_stage(context, "scheduling off line");
  OffLine result;
  result.on_default_routes = steps_of(schedule_text(all, false), fabric, context, result.why);
  result.on_paths_taken = steps_of(schedule_text(all, true), fabric, context, result.why);
  return result;
}

}  // namespace quadrille::driver
