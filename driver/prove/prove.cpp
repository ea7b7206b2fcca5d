// The command `prove`: runs the prover for all sizes, cross-checked with the explicit checker for single ones.
//
// The prover asks the checker about the smallest sizes, and about each size at which something is refuted. A
// confirmed refutation is reported with the checker's findings, and with the command that shows them. Each size is
// checked once (size_checker.cpp). If one parameter has no value, the command offers a range to be checked size by
// size: for `param L in 2..62`, `--sizes 2..8`. Cost: the solver's, and the checker's for each size that it is asked
// about.
#include "driver/prove/prove.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "compiler/ir.h"
#include "driver/files/write_file.h"
#include "driver/inputs/input.h"
#include "driver/inputs/proof_folder.h"
#include "model/text/broken_lines.h"

namespace quadrille::driver {
namespace {

// --- obligations as files ------------------------------------------------------------------------------------------

// `quadrille prove --emit-smt2` writes the solver's questions for other solvers.
//
// write_smt2 writes obligations as SMT-LIB 2, a file each, for other solvers: 003-contention_free-up.smt2 is the third.
// Comments at its head tell what is proved, for which values, and Z3's answer. Then follow the logic and the solver's
// own text, with h' written h_2, as names there have no primes.

constexpr std::size_t columns = 100;
constexpr std::size_t longest_name = 60;

// "003-contention_free-up.smt2"
std::string file_name(std::size_t number, const ProvedObligation& obligation) {
  std::string words;
  for (const char c : fmt::format("{}-{}", to_string(obligation.property), obligation.name)) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    if (plain) {
      words += c;
    } else if (!words.ends_with('-')) {
      words += '-';
    }
    if (words.size() == longest_name) break;
  }
  while (words.ends_with('-')) words.pop_back();
  return fmt::format("{:03}-{}.smt2", number, words);
}

// The text as comment lines, broken between words.
std::string comment(std::string_view text) {
  const auto bytes = [](std::string_view word) { return word.size(); };
  return (text.empty() ? ";" : "; " + broken_between_words(text, "; ", columns, bytes)) + "\n";
}

std::string ranges_text(const ProvedObligation& obligation, const Proof& proof) {
  std::vector<std::string> ranges;
  for (const ProvedParameter& parameter : proof.parameters) {
    ranges.push_back(fmt::format("{}: {}", parameter.name, parameter.values));
  }
  std::string text = fmt::format("{}", fmt::join(ranges, ", "));
  if (!obligation.where.empty()) text += fmt::format("; this obligation: {}", obligation.where);
  return text;
}

std::string answer_text(ProofVerdict verdict) {
  if (verdict == ProofVerdict::proved) return "Z3 answered unsat.";
  if (verdict == ProofVerdict::refuted) return "Z3 answered sat: it is refuted.";
  return "It is unknown: Z3 did not answer in time, or not so that it decides about the schedule.";
}

// The solver's own text without its comments, and without the status, which it does not know. Names in SMT-LIB cannot
// have primes.
std::string questions(std::string_view smt2) {
  for (const std::string_view head : {";", "(set-info"}) {
    while (smt2.starts_with(head)) smt2.remove_prefix(std::min(smt2.size(), smt2.find('\n') + 1));
  }
  std::string text;
  for (const char c : smt2) {
    if (c == '\'') {
      text += "_2";
    } else {
      text += c;
    }
  }
  return text;
}

std::string file_text(const ProvedObligation& obligation, const ProveOutcome& report) {
  const bool bits = obligation.theory.theory == Theory::bit_vectors;
  return comment(fmt::format("{}, {}", report.schedule->name, report.proof.machine)) +
         comment(ranges_text(obligation, report.proof)) +
         comment(fmt::format("{} ({}): {}", to_string(obligation.property), obligation.name, obligation.meaning)) +
         comment("`unsat` means that this is proved: there are no values with which it fails.") +
         comment(answer_text(obligation.verdict)) + fmt::format("(set-logic {})\n", bits ? "QF_BV" : "QF_NIA") +
         questions(obligation.smt2);
}

// Writes each obligation that was given to the solver to a file of its own in the folder, which must exist. Returns
// nothing, or what could not be written and why.
std::optional<std::string> write_smt2(const ProveOutcome& outcome, const std::string& folder,
                                      Environment& environment) {
  std::size_t number = 0;
  for (const ProvedObligation& obligation : outcome.proof.obligations) {
    ++number;
    if (obligation.smt2.empty()) continue;
    const std::string path = fmt::format("{}/{}", folder, file_name(number, obligation));
    if (auto failure = write_file(path, file_text(obligation, outcome), environment)) return failure;
  }
  return std::nullopt;
}

// --- the command ---------------------------------------------------------------------------------------------------

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
