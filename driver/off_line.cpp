// The messages become the sends of a schedule, all of them written for step 1, those with the longest path first;
// retiming finds the steps. For example, of 0 -> 2 twice and 1 -> 3 on the ring of 4, the second message by way of 3,
// all three leave in step 1, each on a way of its own. The table is replayed before its steps are reported. Messages to
// the sender itself take no steps. Cost: that of retiming as many sends.
#include <algorithm>
#include <map>
#include <utility>

#include "driver/flight_rows.h"
#include "driver/routed_traffic.h"
#include "model/text/evaluation_error.h"
#include "place/retime.h"
#include "runtime/replay.h"

namespace quadrille::driver {
namespace {

struct Most {
  std::uint64_t messages;
  std::uint64_t hops;
};
constexpr Most most_unasked{4096, std::uint64_t{1} << 18};
constexpr Most most_asked_for{std::uint64_t{1} << 20, std::uint64_t{1} << 23};

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
  const NodePath* path;
};

// The messages that go anywhere, those with the longest path first.
std::vector<Sending> sendings(const std::vector<RoutedMessage>& messages, const std::vector<NodePath>& paths) {
  std::vector<Sending> result;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> parts;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const RoutedMessage& it = messages[i];
    if (it.from != it.to) result.push_back({it, parts[{it.from, it.to}]++, &paths[i]});
  }
  std::ranges::stable_sort(result, std::ranges::greater(), [](const Sending& it) { return it.path->size(); });
  return result;
}

// The collective that wants each message where it goes.
Result<Collective> collective_of(const std::vector<Sending>& all, const Fabric& fabric) {
  std::vector<CustomChunk> chunks;
  for (const auto& [message, part, path] : all) {
    chunks.push_back({{message.from, message.to, part}, {message.from}, {message.to}});
  }
  return collective_of_chunks(std::move(chunks), fabric.processors());
}

Flights flights_of(const std::vector<Sending>& all, const Fabric& fabric, const Collective& collective,
                   bool on_paths_taken) {
  Flights flights;
  for (const auto& [message, part, path] : all) {
    Flight flight;
    flight.serial = flights.list.size();
    flight.chunk = collective.chunk({message.from, message.to, part}).value();
    flight.source = NodeId(message.from);
    flight.target = NodeId(message.to);
    flight.start = 1;
    flight.first_hop = flights.hops.size();
    if (on_paths_taken) {
      flight.named_path = true;
      flight.hops = static_cast<std::uint32_t>(path->size() - 1);
      for (std::uint32_t i = 0; i < flight.hops; ++i) {
        flights.hops.push_back({fabric.channel_between((*path)[i], (*path)[i + 1]).value(), i + 1});
      }
    }
    flights.list.push_back(flight);
  }
  return flights;
}

// The number of steps; nothing if there is none, with the reason.
std::optional<std::uint64_t> steps_of(Flights flights, const Fabric& fabric, const Collective& collective,
                                      Context& context, std::string& why) {
  try {
    const RetimedFlights placed = retimed(std::move(flights), fabric, collective, fabric, remaining(context));
    const SendTable table{fabric, collective, "traffic", {}, rows_of(placed.flights, fabric)};
    const Measurements measured = replay(table, {.limits = remaining(context)});
    if (measured.verdict == Verdict::holds) return measured.steps;
    why = measured.faults.empty() ? measured.why : measured.faults.front().message;
  } catch (const EvaluationError& error) {
    why = error.diagnostic.message;
  }
  return std::nullopt;
}

}  // namespace

bool may_be_scheduled(std::uint64_t messages, std::uint64_t hops, bool asked_for) {
  const Most& most = asked_for ? most_asked_for : most_unasked;
  return messages <= most.messages && hops <= most.hops;
}

OffLine scheduled_off_line(const Fabric& fabric, const std::vector<RoutedMessage>& messages,
                           const std::vector<RouterEvent>& events, Context& context) {
  if (fabric.in_rounds()) return {{}, {}, "the fabric counts rounds"};
  const std::vector<NodePath> paths = paths_taken(fabric, messages, events);
  const std::vector<Sending> all = sendings(messages, paths);
  if (all.empty()) return {0, 0, {}};
  tell_stage(context, "scheduling off line");
  const Result<Collective> collective = collective_of(all, fabric);
  if (!collective) return {{}, {}, collective.diagnostics().front().message};
  OffLine result;
  result.on_default_routes =
      steps_of(flights_of(all, fabric, *collective, false), fabric, *collective, context, result.why);
  result.on_paths_taken =
      steps_of(flights_of(all, fabric, *collective, true), fabric, *collective, context, result.why);
  return result;
}

}  // namespace quadrille::driver
