#include "cli/prove_report.h"

#include <fmt/format.h>

#include <algorithm>

namespace quadrille::cli {
namespace {

ProofVerdict worse(ProofVerdict a, ProofVerdict b) {
  for (const ProofVerdict verdict : {ProofVerdict::refuted, ProofVerdict::unknown}) {
    if (a == verdict || b == verdict) return verdict;
  }
  return ProofVerdict::proved;
}

// Whether what is beyond the prover is among the obligations: then a property's other obligations are all there.
bool told_which(const Proof& proof) {
  return std::any_of(proof.obligations.begin(), proof.obligations.end(),
                     [&](const ProvedObligation& obligation) { return obligation.reason == proof.beyond; });
}

std::optional<ProofVerdict> worst(std::string_view property, const Proof& proof) {
  std::optional<ProofVerdict> result;
  for (const ProvedObligation& obligation : proof.obligations) {
    if (obligation.property == property) result = worse(obligation.verdict, result.value_or(obligation.verdict));
  }
  return result;
}

}  // namespace

ProofVerdict verdict_of(std::string_view property, const Proof& proof) {
  const bool all_there = proof.beyond.empty() || told_which(proof);
  const ProofVerdict rest = all_there ? ProofVerdict::proved : ProofVerdict::unknown;
  const ProofVerdict own = worse(rest, worst(property, proof).value_or(ProofVerdict::proved));
  // Packets with lanes of their own, all below the capacity, are not too many; rules for ports are obligations.
  if (property != "capacity") return own;
  const ProofVerdict lanes = verdict_of("contention_free", proof);
  return worse(own, lanes == ProofVerdict::proved ? lanes : ProofVerdict::unknown);
}

std::string check_command(const Arguments& arguments, const ProveReport& report) {
  std::string command = "quadrille check " + report.asked.file;
  for (const auto& [name, value] : arguments) command += fmt::format(" -D {}={}", name, value);
  return command;
}

std::vector<std::string> open_sizes(const ir::Schedule& schedule, const Arguments& given) {
  std::vector<std::string> names;
  for (const ir::Parameter& parameter : schedule.parameters) {
    if (!parameter.pattern && !parameter.idle && !given.contains(parameter.name)) names.push_back(parameter.name);
  }
  return names;
}

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

}  // namespace quadrille::cli
