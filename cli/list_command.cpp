#include <fmt/format.h>

#include "cli/commands.h"
#include "compiler/compile.h"
#include "dsl/load.h"
#include "model/fabric_notation.h"
#include "model/verdict.h"

namespace quadrille::cli {
namespace {

// "L in 1..62"; empty if the schedule has no parameters.
Result<std::string> parameters(const ShippedSchedule& shipped, Outside& outside, Sources& sources) {
  const auto read = [&](const std::string& path) { return outside.read_file(path); };
  const auto program = load({fmt::format("shipped:{}", shipped.name), std::string(shipped.text)}, read, sources);
  if (!program) return program.diagnostics();
  const auto schedule = compile(*program, std::string(shipped.name));
  if (!schedule) return schedule.diagnostics();
  return parameters_of(**schedule);
}

}  // namespace

int list_command(Outside& outside) {
  for (const ShippedSchedule& shipped : shipped_schedules()) {
    Sources sources;
    const Result<std::string> declared = parameters(shipped, outside, sources);
    if (!declared) return refuse(declared.diagnostics(), sources, outside);
    outside.print(fmt::format("{}\n    {}\n", shipped.name, shipped.summary));
    if (!declared->empty()) outside.print(fmt::format("    {}\n", *declared));
  }
  return exit_done;
}

int fabrics_command(Outside& outside) {
  for (const FabricKind& kind : fabric_kinds()) {
    outside.print(fmt::format("{}\n    {}\n", kind.notation, kind.meaning));
  }
  return exit_done;
}

}  // namespace quadrille::cli
