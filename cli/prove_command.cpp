#include <fmt/format.h>

#include <cmath>

#include "cli/commands.h"
#include "cli/prove_report.h"
#include "cli/prove_sizes.h"
#include "cli/prove_smt2.h"
#include "cli/refuse.h"
#include "driver/input.h"
#include "model/verdict.h"
#include "verifier/prove.h"

namespace quadrille::cli {
namespace {

ExitStatus exit_status(ProofVerdict verdict) {
  if (verdict == ProofVerdict::proved) return exit_done;
  return verdict == ProofVerdict::refuted ? exit_violated : exit_unknown;
}

ProveOptions options_for(const ProveArguments& arguments, const Arguments& given, driver::SizeChecker& sizes,
                         const driver::Environment& environment) {
  ProveOptions options;
  options.arguments = given;
  options.milliseconds = static_cast<unsigned>(std::lround(arguments.timeout * 1000));
  options.cancelled = [&environment] { return environment.interrupted(); };
  options.holds_at = [&sizes](const Arguments& at) -> std::optional<bool> {
    const Verdict verdict = sizes.at(at).verdict;
    if (verdict == Verdict::unknown) return std::nullopt;
    return verdict == Verdict::holds;
  };
  return options;
}

}  // namespace

int prove_command(const ProveArguments& arguments, driver::Environment& environment) {
  Sources sources;
  const Result<Arguments> given = driver::parse_defines(arguments.defines);
  if (!given) return refuse(given.diagnostics(), sources, environment);
  const auto schedule = driver::open_schedule(arguments.file, environment, sources);
  if (!schedule) return refuse(schedule.diagnostics(), sources, environment);
  const Diagnostics wrong = check_arguments(*schedule, *given);
  if (!wrong.empty()) return refuse(wrong, sources, environment);

  environment.outlive_interrupt();
  if (!arguments.sizes.empty()) return check_sizes(arguments, *schedule, *given, sources, environment);
  if (!arguments.smt2.empty()) {
    if (const auto failure = environment.create_folder(arguments.smt2)) {
      return refuse({error_at({}, fmt::format("cannot make the folder {}: {}", arguments.smt2, *failure))}, sources,
                    environment);
    }
  }
  driver::SizeChecker sizes(*schedule, arguments.timeout, environment);
  const Proof proof = prove(**schedule, options_for(arguments, *given, sizes, environment));
  const ProveReport report{arguments, **schedule, proof, sources, sizes};
  if (!arguments.smt2.empty()) {
    if (const auto failure = write_smt2(report, environment))
      return refuse({error_at({}, *failure)}, sources, environment);
  }
  environment.print(arguments.json ? prove_json(report) : prove_text(report));
  return exit_status(proof.verdict);
}

}  // namespace quadrille::cli
