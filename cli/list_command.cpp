#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/refuse.h"
#include "compiler/compile.h"
#include "dsl/load.h"
#include "model/fabric_notation.h"
#include "model/verdict.h"

namespace quadrille::cli {
namespace {

// "L in 1..62"; empty if the schedule has no parameters.
Result<std::string> parameters(const ShippedSchedule& shipped, driver::Environment& environment, Sources& sources) {
  const auto read = [&](const std::string& path) { return environment.read_file(path); };
  const auto program = load({fmt::format("shipped:{}", shipped.name), std::string(shipped.text)}, read, sources);
  if (!program) return program.diagnostics();
  const auto schedule = compile(*program, std::string(shipped.name));
  if (!schedule) return schedule.diagnostics();
  return parameters_of(**schedule);
}

}  // namespace

int list_command(driver::Environment& environment) {
  for (const ShippedSchedule& shipped : shipped_schedules()) {
    Sources sources;
    const Result<std::string> declared = parameters(shipped, environment, sources);
    if (!declared) return refuse(declared.diagnostics(), sources, environment);
    environment.print(fmt::format("{}\n    {}\n", shipped.name, shipped.summary));
    if (!declared->empty()) environment.print(fmt::format("    {}\n", *declared));
  }
  return exit_done;
}

int fabrics_command(driver::Environment& environment) {
  for (const FabricKind& kind : fabric_kinds()) {
    environment.print(fmt::format("{}\n    {}\n", kind.notation, kind.meaning));
  }
  return exit_done;
}

}  // namespace quadrille::cli
