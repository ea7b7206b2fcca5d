// The complete example of the public headers: from the text of a schedule to a verdict.
#include <quadrille/bounds.h>
#include <quadrille/check.h>
#include <quadrille/compile.h>
#include <quadrille/load.h>
#include <quadrille/prove.h>
#include <quadrille/replay.h>

#include <cstdio>

namespace {

// Prints what is wrong and gives the status of bad input.
int refuse(const quadrille::Diagnostics& diagnostics, const quadrille::Sources& sources) {
  std::fputs(quadrille::render(diagnostics, sources).c_str(), stderr);
  return quadrille::exit_bad_input;
}

}  // namespace

int main() {
  using namespace quadrille;
  Sources sources;
  const auto shipped = shipped_schedule("total_exchange");
  if (!shipped) return exit_bad_input;
  const auto read_nothing = [](const std::string&) { return std::optional<std::string>(); };
  const auto program = load({"total_exchange.qd", std::string(shipped->text)}, read_nothing, sources);
  if (!program) return refuse(program.diagnostics(), sources);

  const auto schedule = compile(*program, "total_exchange");
  if (!schedule) return refuse(schedule.diagnostics(), sources);
  const auto table = elaborate(*schedule, {{"L", "4"}, {"capacity", "exponential"}});
  if (!table) return refuse(table.diagnostics(), sources);

  const Report report = check(*table);
  const Measurements measured = replay(*table);
  const auto bounds = lower_bounds(table->fabric, table->collective);
  std::printf("%s in %llu steps, at least %llu needed, %llu of %llu delivered\n", to_string(report.verdict).data(),
              static_cast<unsigned long long>(report.steps), static_cast<unsigned long long>(*bounds.front().steps),
              static_cast<unsigned long long>(measured.delivered), static_cast<unsigned long long>(measured.demanded));
  const Proof proof = prove(**schedule, {.arguments = {{"L", "2"}, {"capacity", "exponential"}}});
  std::printf("with Z3: %s\n", to_string(proof.verdict).data());
  return exit_status(report.verdict);
}
