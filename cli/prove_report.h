// What a proof says, for people and for machines.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "compiler/ir.h"
#include "driver/size_checker.h"
#include "model/source.h"
#include "verifier/prove.h"

namespace quadrille::cli {

// What both reports read.
struct ProveReport {
  const ProveArguments& asked;
  const ir::Schedule& schedule;
  const Proof& proof;
  const Sources& sources;
  driver::SizeChecker& sizes;  // what the checker says where something is refuted
};

std::string prove_text(const ProveReport& report);
std::string prove_json(const ProveReport& report);

// In the order of the reports. `thrifty`, which only warns, is not proved.
inline constexpr std::array<std::string_view, 7> proved_properties{
    "well_formed", "contention_free", "capacity", "causal", "queue", "complete", "claims"};

// The verdict of all obligations of a property; unknown where the prover may not have come to write all of them down.
ProofVerdict verdict_of(std::string_view property, const Proof& proof);

// The command that shows what the checker finds with these values: "quadrille check scatter -D L=3".
std::string check_command(const Arguments& arguments, const ProveReport& report);

// "2..8": the first sizes of the schedule's parameter without a value; nothing if there is not exactly one such.
std::optional<std::string> first_sizes(const ir::Schedule& schedule, const Arguments& given);

// The schedule's parameters that are numbers and have no value yet.
std::vector<std::string> open_sizes(const ir::Schedule& schedule, const Arguments& given);

}  // namespace quadrille::cli
