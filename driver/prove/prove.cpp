// The command `prove`: runs the prover for all sizes, cross-checked with the explicit checker for single ones.
//
// The prover asks the checker about the smallest sizes, and about each size at which something is refuted. A
// confirmed refutation is reported with the checker's findings, and with the command that shows them. Each size is
// checked once (size_checker.cpp). If one parameter has no value, the command offers a range to be checked size by
// size: for `param L in 2..62`, `--sizes 2..8`. Cost: the solver's, and the checker's for each size that it is asked
// about.
#include "driver/prove/prove.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "compiler/ir.h"
#include "driver/inputs/input.h"
#include "driver/inputs/proof_folder.h"
#include "driver/prove/write_smt2.h"

namespace quadrille::driver {
namespace {

// The most rows of a table that confirms a refutation: some seconds of the checker.
constexpr std::uint64_t most_rows_checked = 8'000'000;

// "2..8": values of the one parameter that has none yet, from the first on.
std::optional<std::string> first_sizes(const std::shared_ptr<const ir::Schedule>& schedule, Arguments given) {
  constexpr std::int64_t most_looked_at = 4096;
  const auto open = open_sizes(*schedule, given);
  if (open.size() != 1) return std::nullopt;
  const auto is_value = [&](std::int64_t size) {
    given[open.front()] = fmt::to_string(size);
    return check_arguments(schedule, given).empty();
  };
  std::int64_t first = first_of_range(*schedule, open.front()).value_or(1);
  for (const std::int64_t least = first; !is_value(first); ++first) {
    if (first - least == most_looked_at || first == std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  }
  if (std::abs(first) > most_looked_at) return fmt::format("{0}..{0}", first);
  std::int64_t last = first;
  for (std::int64_t size = first; size <= std::max<std::int64_t>(8, first + 4); ++size)
    last = is_value(size) ? size : last;
  return fmt::format("{}..{}", first, last);
}

ProveOptions options_for(const Arguments& given, std::uint32_t effort, SizeChecker& sizes, const Context& context) {
  ProveOptions options;
  options.effort = effort;
  options.arguments = given;
  options.limits = remaining(context);
  options.holds_at = [&sizes](const Arguments& at) -> std::optional<bool> {
    const Verdict verdict = sizes.at(at).verdict;
    if (verdict == Verdict::unknown) return std::nullopt;
    return verdict == Verdict::holds;
  };
  return options;
}

// The checker's results for refuted obligations.
std::map<Arguments, SizeResult> checked_counterexamples(const Proof& proof, SizeChecker& sizes) {
  std::map<Arguments, SizeResult> checked;
  for (const ProvedObligation& obligation : proof.obligations) {
    if (!obligation.counterexample || !obligation.counterexample->confirmed) continue;
    const Arguments& arguments = obligation.counterexample->arguments;
    checked.emplace(arguments, sizes.at(arguments));
  }
  return checked;
}

// The proof that a second reader can judge, before anything is proved: where there are no rules for it, or no place,
// that is said at once.
Result<std::optional<WrittenProof>> proof_to_write(const ProveRequest& request, const OpenedSchedule& opened,
                                                   Context& context) {
  const std::string& folder = request.certificate;
  if (folder.empty()) return std::optional<WrittenProof>();
  if (context.environment.exists(folder))
    return error_at({}, fmt::format("cannot make the folder {}: it is there already", folder), Code::file);
  auto written = write_proof(*opened.schedule, opened.given, remaining(context));
  if (written) return std::optional(std::move(*written));
  Diagnostics wrong = written.diagnostics();
  for (Diagnostic& each : wrong) {
    if (each.code == Code::unsupported) each.code = Code::usage;  // it is not the proof that is unknown
  }
  return wrong;
}

void write_folder(const std::optional<WrittenProof>& proof, const ProveRequest& request, ProveOutcome& outcome,
                  Context& context) {
  if (!proof) return;
  if (outcome.proof.verdict != ProofVerdict::proved) {
    outcome.notes.push_back(request.certificate + " is not written: the schedule is not proved");
  } else if (const auto failure = write_proof_folder(*proof, outcome.schedule, request.certificate, context)) {
    outcome.failures.push_back(error_at({}, *failure, Code::file));
  } else {
    for (const std::string& claim : proof->open)
      outcome.notes.push_back(fmt::format("{} does not show: {}", request.certificate, claim));
    for (const ir::Claim& claim : outcome.schedule->claims) {
      if (claim.optimal)
        outcome.notes.push_back(fmt::format("{} does not speak of: {}", request.certificate, claim.text));
    }
  }
}

}  // namespace

std::vector<std::string> open_sizes(const ir::Schedule& schedule, const Arguments& given) {
  std::vector<std::string> names;
  for (const ir::Parameter& parameter : schedule.parameters) {
    if (!parameter.pattern && !parameter.idle && !given.contains(parameter.name)) names.push_back(parameter.name);
  }
  return names;
}

std::optional<std::int64_t> first_of_range(const ir::Schedule& schedule, const std::string& name) {
  const auto parameter = std::ranges::find(schedule.parameters, name, &ir::Parameter::name);
  const auto* range = parameter->range ? std::get_if<ir::Range>(&parameter->range->node) : nullptr;
  if (range == nullptr || range->down) return std::nullopt;
  const auto* from = std::get_if<ir::Literal>(&range->first->node);
  return from != nullptr ? from->value : 1;
}

Result<ProveOutcome> run(const ProveRequest& request, Context& context) {
  const Result<OpenedSchedule> opened = open_schedule(request.file, request.defines, context);
  if (!opened) return opened.diagnostics();
  const auto& [schedule, given] = *opened;
  if (!request.smt2.empty()) {
    if (const auto failure = context.environment.create_folder(request.smt2)) {
      return error_at({}, fmt::format("cannot make the folder {}: {}", request.smt2, *failure), Code::file);
    }
  }
  const auto written = proof_to_write(request, *opened, context);
  if (!written) return written.diagnostics();
  SizeChecker sizes(schedule, context, OptimalClaims::only_if_violated, most_rows_checked);
  ProveOutcome outcome{request.file, request.defines, schedule,
                       prove(*schedule, options_for(given, request.effort, sizes, context))};
  outcome.theorem = theorem_of(outcome.proof, *schedule);
  outcome.invariants = proved_invariants(*schedule, outcome.proof);
  outcome.checked = checked_counterexamples(outcome.proof, sizes);
  outcome.first_sizes = first_sizes(schedule, given);
  write_folder(*written, request, outcome, context);
  if (request.smt2.empty()) return outcome;
  if (const auto failure = write_smt2(outcome, request.smt2, context.environment)) {
    outcome.failures.push_back(error_at({}, *failure, Code::file));
  }
  return outcome;
}

}  // namespace quadrille::driver
