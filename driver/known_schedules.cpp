// Schedules to begin a search with: those that ship, at the size of the fabric. Each is compiled for the fabric and
// kept if it is for the same collective; the search itself drops those that break a rule. For example, total_exchange
// with L = 3 and capacity = 1,2,4 on fat_tree:levels=3,capacity=exponential. Cost: a compilation for each schedule that
// ships, and none of their rows.
#include "driver/known_schedules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <variant>

#include "compiler/compile.h"
#include "compiler/ir.h"
#include "driver/input.h"
#include "dsl/load.h"
#include "model/topology.h"

namespace quadrille::driver {
namespace {

constexpr std::uint64_t most_demands = std::uint64_t{1} << 22;  // seconds to work out; nothing can cut that short
constexpr std::uint64_t most_placed = std::uint64_t{1}
                                      << 14;  // of schedules in rounds: their packets are placed one by one

// The value of that argument; null if there is none, or one of another type.
template <class Value>
const Value* find(const std::vector<TopologyArgument>& shape, std::string_view name) {
  const auto found = std::ranges::find(shape, name, &TopologyArgument::name);
  return found == shape.end() ? nullptr : std::get_if<Value>(&found->value);
}

bool counts_rounds(const ir::Schedule& schedule) {
  return std::ranges::any_of(schedule.fabric.arguments, [](const ir::Argument& argument) {
    return argument.key == "timing" && argument.word == "rounds";
  });
}

}  // namespace

Arguments arguments_for(const ir::Schedule& schedule, const Fabric& fabric, const Collective& collective) {
  const std::vector<TopologyArgument> shape = fabric.topology().arguments();
  const auto* levels = find<std::uint32_t>(shape, "levels");
  const auto* capacities = find<std::vector<std::uint32_t>>(shape, "capacity");
  Arguments arguments;
  for (const ir::Parameter& parameter : schedule.parameters) {
    if (parameter.idle) continue;
    if (parameter.name == "root" && collective.rooted()) {
      arguments[parameter.name] = std::to_string(collective.description().root);
    } else if (!parameter.pattern && !parameter.default_value) {
      // N is the number of processors; a schedule for trees counts their levels, under another name.
      const bool of_levels = levels != nullptr && parameter.name != "N";
      arguments[parameter.name] = std::to_string(of_levels ? *levels : fabric.processors());
    } else if (parameter.pattern && levels != nullptr && capacities != nullptr) {
      arguments[parameter.name] = fmt::format("{}", fmt::join(*capacities, ","));
    }
  }
  return arguments;
}

std::vector<SendTable> known_tables(const Fabric& fabric, const Collective& collective, Context& context) {
  std::vector<SendTable> tables;
  if (collective.demands() > most_demands) return tables;
  for (const ShippedFile& shipped : shipped_schedules()) {
    Context apart{context.environment, context.limits, {}, context.world};  // its sources are of no use later
    const auto schedule = open_shipped_schedule(std::string(shipped.name), apart);
    if (!schedule || (*schedule)->collective.kind != collective.kind()) continue;
    if (counts_rounds(**schedule) && collective.demands() > most_placed) continue;
    ElaborateOptions options;
    options.fabric = fabric;
    options.limits = remaining(context);
    Result<SendTable> table = elaborate(*schedule, arguments_for(**schedule, fabric, collective), options);
    if (table && table->collective.notation() == collective.notation()) tables.push_back(std::move(*table));
  }
  return tables;
}

}  // namespace quadrille::driver
