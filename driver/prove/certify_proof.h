// `quadrille certify` of a proof for every size: the second reader at work, with solvers that are programs of their
// own.
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
  std::string schedule = {};  // its source; empty: only the core form is judged
  std::vector<std::string> defines = {};
};

struct ComparedTable {
  ProofTable table;
  std::optional<std::string> difference;  // from the core form, or from what the schedule makes
};

struct CertifyProofOutcome {
  ProofSummary summary;
  std::string schedule;  // the source that was lowered again; empty: none
  std::vector<ComparedTable> tables;
  std::optional<std::string> other_core;  // in which way the schedule's own core form is another one
  std::vector<std::string> solvers;       // that have answered
  ProofReport report;                     // the verdict of all together
};

Result<CertifyProofOutcome> run(const CertifyProofRequest& request, Context& context);

}  // namespace quadrille::driver
