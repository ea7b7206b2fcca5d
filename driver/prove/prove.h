// `quadrille prove`: proves a schedule for every size, and compares the proof with the explicit checker, which
// confirms refutations and tries small sizes. A program that calls quadrille::prove() directly has no such second
// opinion.
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
  std::string smt2 = {};                  // a folder for the solver's questions; empty: not written
  std::string certificate = {};           // a folder for a proof that a second reader can judge; empty: not written
  std::uint32_t effort = default_effort;  // for each obligation, as in ProveOptions
};

struct ProveOutcome {
  std::string file;                  // in the form of the request
  std::vector<std::string> defines;  // likewise
  std::shared_ptr<const ir::Schedule> schedule;
  Proof proof;
  std::optional<Theorem> theorem = {};           // the theorem, in a sentence
  std::vector<ProvedInvariant> invariants = {};  // the proof's verdict on each
  std::map<Arguments, SizeResult> checked = {};  // the checker's results, by the arguments of counterexamples
  // "2..8": the first sizes of the schedule's parameter without a value; nothing unless there is exactly one such
  // parameter.
  std::optional<std::string> first_sizes = {};
  std::vector<std::string> notes = {};  // wanted things that are missing, and the reasons, in words
  Diagnostics failures = {};            // files that could not be written; the proof is still valid
};

Result<ProveOutcome> run(const ProveRequest& request, Context& context);

// The schedule's parameters that are numbers and have no value yet.
std::vector<std::string> open_sizes(const ir::Schedule& schedule, const Arguments& given);

// If the values of the parameter are a range, `a..b`: its first value, 1 where `a` is no number. Nothing if they are
// another set.
std::optional<std::int64_t> first_of_range(const ir::Schedule& schedule, const std::string& name);

}  // namespace quadrille::driver
