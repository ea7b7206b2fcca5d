// `quadrille prove --all-shipped`: what the prover makes of each schedule that ships.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/inputs/context.h"
#include "driver/prove/theorem.h"
#include "model/text/result.h"
#include "verifier/prove.h"

namespace quadrille::driver {

struct ProveShippedRequest {};

struct ShippedProof {
  std::string name;
  ProofVerdict verdict = ProofVerdict::unknown;
  std::optional<Theorem> theorem = {};  // perhaps without all claims
  std::string why = {};                 // unless it is proved: the first reason, in words
  double seconds = 0;
};

struct ProveShippedOutcome {
  std::vector<ShippedProof> proofs;  // by name
  Reason reason = Reason::none;      // why some are not known, that might be

  std::size_t with(ProofVerdict verdict) const;
};

// One after the other; the limits are for all together. For each obligation the solver does an eighth of what it does
// for a single schedule.
Result<ProveShippedOutcome> run(const ProveShippedRequest& request, Context& context);

}  // namespace quadrille::driver
