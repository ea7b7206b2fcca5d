// `quadrille certify` of a proof for every size: runs the second reader, with solvers that are separate programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/inputs/context.h"
#include "model/text/result.h"
#include "verifier/proof_reader.h"

namespace quadrille::driver {

struct CertifyProofRequest {
  std::string folder = {};
  std::string schedule = {};  // its source; empty: judge the core form only
  std::vector<std::string> defines = {};
};

struct ComparedTable {
  ProofTable table;
  std::optional<std::string> difference;  // from the core form, or from the schedule's table
};

struct CertifyProofOutcome {
  ProofSummary summary;
  std::string schedule;  // the source that was compiled again; empty: none
  std::vector<ComparedTable> tables;
  std::optional<std::string> other_core;  // the difference from the schedule's own core form
  std::vector<std::string> solvers;       // solvers that have answered
  ProofReport report;                     // the combined verdict
};

Result<CertifyProofOutcome> run(const CertifyProofRequest& request, Context& context);

}  // namespace quadrille::driver
