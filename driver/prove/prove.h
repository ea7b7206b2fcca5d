// `quadrille prove`: a schedule proved for every size, and compared with the explicit checker: what is refuted is
// confirmed by it, and small sizes are tried. A program that calls quadrille::prove() alone has no such second opinion.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/compile.h"
#include "driver/inputs/context.h"
#include "driver/prove/prove_summary.h"
#include "driver/prove/size_checker.h"
#include "driver/prove/theorem.h"
#include "model/text/result.h"
#include "verifier/prove.h"

namespace quadrille::driver {

struct ProveRequest {
  std::string file = {};                  // a schedule: a path, `-`, or the name of one that ships
  std::vector<std::string> defines = {};  // "name=value"
  std::string smt2 = {};                  // a folder for what the solver is asked; empty: not written
  std::string certificate = {};           // a folder for a proof that a second reader can judge; empty: not written
  std::uint32_t effort = default_effort;  // for each obligation, as in ProveOptions
};

struct ProveOutcome {
  std::string file;                  // as it was asked for
  std::vector<std::string> defines;  // likewise
  std::shared_ptr<const ir::Schedule> schedule;
  Proof proof;
  std::optional<Theorem> theorem = {};           // what is proved, in a sentence
  std::vector<ProvedInvariant> invariants = {};  // what the proof says of each
  std::map<Arguments, SizeResult> checked = {};  // what the checker said, by the arguments of counterexamples
  // "2..8": the first sizes of the schedule's parameter without a value; nothing if there is not exactly one such.
  std::optional<std::string> first_sizes = {};
  std::vector<std::string> notes = {};  // what was asked for, and why it is not there, in words
  Diagnostics failures = {};            // files that could not be written; the proof stands all the same
};

Result<ProveOutcome> run(const ProveRequest& request, Context& context);

// The schedule's parameters that are numbers and have no value yet.
std::vector<std::string> open_sizes(const ir::Schedule& schedule, const Arguments& given);

}  // namespace quadrille::driver
