#include "tests/reference/compiled.h"

#include "dsl/load.h"
#include "verifier/check.h"

namespace quadrille::reference {

Compiled compiled(const std::string& text, const std::string& name) {
  Sources sources;
  const auto no_files = [](const std::string&) { return std::nullopt; };
  const auto program = load({name, text}, no_files, sources);
  if (!program) return {nullptr, render(program.diagnostics(), sources)};
  const auto schedule = compile(*program, name);
  if (!schedule) return {nullptr, render(schedule.diagnostics(), sources)};
  return {*schedule, ""};
}

std::optional<bool> holds_at(const std::shared_ptr<const ir::Schedule>& schedule, const Arguments& arguments) {
  const auto table = elaborate(schedule, arguments);
  if (table) return check(*table).verdict == Verdict::holds;
  if (!table.diagnostics().front().span.known()) return std::nullopt;  // of the arguments
  return false;
}

}  // namespace quadrille::reference
