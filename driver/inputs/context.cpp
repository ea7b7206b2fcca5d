// The common part of all commands: the limits that a person gives, and the memory that is left after a table has been
// read.
#include "driver/inputs/context.h"

#include <algorithm>
#include <atomic>
#include <memory>

#include "model/limits/resident_memory.h"
#include "model/topologies/graph.h"

namespace quadrille::driver {

const World& standard_world() {
  static const World world;
  return world;
}

Limits remaining(const Context& context) {
  Limits limits = context.limits;
  limits.memory_floor = std::max(resident_memory(), context.memory_floor);
  limits.memory -= std::min(limits.memory, limits.memory_floor - context.memory_floor);
  return limits;
}

void tell_note(const std::string& text, Context& context) {
  if (std::ranges::find(context.notes, text) != context.notes.end()) return;
  context.notes.push_back(text);
  if (context.on_note) context.on_note(text);
}

void tell_note(const Fabric& fabric, Context& context) {
  const auto* graph = dynamic_cast<const Graph*>(&fabric.topology());
  if (graph != nullptr && !graph->note.empty()) tell_note(graph->note, context);
}

void allow_unlisted_channels(Context& context) { context.limits.channels = most_channels; }

void tell_stage(const Context& context, std::string_view stage) {
  if (context.limits.progress) context.limits.progress({.stage = stage, .done = std::nullopt});
}

Limits make_limits(const LimitRequest& request, Environment& environment) {
  Limits limits;
  limits.stop = environment.interrupts();
  limits.told = std::make_shared<std::atomic<Reason>>(Reason::none);
  limits.memory = static_cast<std::uint64_t>(request.gib * static_cast<double>(std::uint64_t{1} << 30));
  if (request.seconds > 0) {
    limits.deadline = environment.now() + std::chrono::duration_cast<Limits::Clock::duration>(
                                              std::chrono::duration<double>(request.seconds));
  }
  environment.keep_within(limits);
  return limits;
}

}  // namespace quadrille::driver
