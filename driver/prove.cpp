#include "driver/prove.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/ir.h"
#include "driver/input.h"
#include "driver/write_smt2.h"

namespace quadrille::driver {
namespace {

std::optional<std::string> first_sizes(const ir::Schedule& schedule, const Arguments& given) {
  const auto open = open_sizes(schedule, given);
  if (open.size() != 1) return std::nullopt;
  const auto parameter = std::find_if(schedule.parameters.begin(), schedule.parameters.end(),
                                      [&](const ir::Parameter& each) { return each.name == open.front(); });
  std::int64_t first = 1;
  if (parameter->range && parameter->range->op == ir::Op::range_up) {
    const ir::Expression& from = parameter->range->operands[0];
    if (from.op == ir::Op::literal) first = from.number;
  }
  return fmt::format("{}..8", std::min<std::int64_t>(first, 8));
}

ProveOptions options_for(const Arguments& given, SizeChecker& sizes, const Context& context) {
  ProveOptions options;
  options.arguments = given;
  options.limits = context.limits;
  options.holds_at = [&sizes](const Arguments& at) -> std::optional<bool> {
    const Verdict verdict = sizes.at(at).verdict;
    if (verdict == Verdict::unknown) return std::nullopt;
    return verdict == Verdict::holds;
  };
  return options;
}

// What the checker says where something is refuted.
std::map<Arguments, SizeResult> checked_counterexamples(const Proof& proof, SizeChecker& sizes) {
  std::map<Arguments, SizeResult> checked;
  for (const ProvedObligation& obligation : proof.obligations) {
    if (!obligation.counterexample || !obligation.counterexample->confirmed) continue;
    const Arguments& arguments = obligation.counterexample->arguments;
    checked.emplace(arguments, sizes.at(arguments));
  }
  return checked;
}

}  // namespace

std::vector<std::string> open_sizes(const ir::Schedule& schedule, const Arguments& given) {
  std::vector<std::string> names;
  for (const ir::Parameter& parameter : schedule.parameters) {
    if (!parameter.pattern && !parameter.idle && !given.contains(parameter.name)) names.push_back(parameter.name);
  }
  return names;
}

Result<ProveOutcome> run(const ProveRequest& request, Context& context) {
  const Result<Arguments> given = parse_defines(request.defines);
  if (!given) return given.diagnostics();
  const auto schedule = open_schedule(request.file, context);
  if (!schedule) return schedule.diagnostics();
  Diagnostics wrong = check_arguments(*schedule, *given);
  if (!wrong.empty()) return wrong;
  if (!request.smt2.empty()) {
    if (const auto failure = context.environment.create_folder(request.smt2)) {
      return error_at({}, fmt::format("cannot make the folder {}: {}", request.smt2, *failure));
    }
  }
  SizeChecker sizes(*schedule, context.limits);
  ProveOutcome outcome{
      request.file, request.defines, *schedule, prove(**schedule, options_for(*given, sizes, context)), {}};
  outcome.checked = checked_counterexamples(outcome.proof, sizes);
  outcome.first_sizes = first_sizes(**schedule, *given);
  if (request.smt2.empty()) return outcome;
  if (const auto failure = write_smt2(outcome, request.smt2, context.environment)) {
    outcome.failures.push_back(error_at({}, *failure));
  }
  return outcome;
}

}  // namespace quadrille::driver
