#include "driver/known_schedules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <variant>

#include "compiler/compile.h"
#include "compiler/ir.h"
#include "driver/input.h"
#include "dsl/load.h"

namespace quadrille::driver {
namespace {

constexpr std::uint64_t most_demands = std::uint64_t{1} << 22;  // seconds to work out; nothing can cut that short

Arguments arguments_for(const ir::Schedule& schedule, const Fabric& fabric) {
  const auto* tree = std::get_if<FatTreeShape>(&fabric.shape());
  Arguments arguments;
  for (const ir::Parameter& parameter : schedule.parameters) {
    if (parameter.idle) continue;
    if (!parameter.pattern) {
      arguments[parameter.name] = std::to_string(tree != nullptr ? tree->capacities.size() : fabric.processors());
    } else if (tree != nullptr) {
      arguments[parameter.name] = fmt::format("{}", fmt::join(tree->capacities, ","));
    }
  }
  return arguments;
}

}  // namespace

std::vector<SendTable> known_tables(const Fabric& fabric, const Collective& collective, Context& context) {
  std::vector<SendTable> tables;
  if (collective.demands() > most_demands) return tables;
  for (const ShippedSchedule& shipped : shipped_schedules()) {
    Context apart{context.environment, context.limits};  // its sources are of no use later
    const auto schedule = open_shipped_schedule(std::string(shipped.name), apart);
    if (!schedule || (*schedule)->collective.kind != collective.kind()) continue;
    ElaborateOptions options;
    options.fabric = fabric;
    Result<SendTable> table = elaborate(*schedule, arguments_for(**schedule, fabric), options);
    if (table && table->collective.notation() == collective.notation()) tables.push_back(std::move(*table));
  }
  return tables;
}

}  // namespace quadrille::driver
