// `quadrille prove --all-shipped`: runs the prover on each schedule that ships.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "driver/inputs/context.h"
#include "driver/prove/theorem.h"
#include "model/text/result.h"
#include "verifier/prove.h"

namespace quadrille::driver {

struct ShippedProof {
  std::string name;
  ProofVerdict verdict = ProofVerdict::unknown;
  std::optional<Theorem> theorem = {};  // possibly without all claims
  std::string why = {};                 // unless it is proved: the first reason, in words
  double seconds = 0;
};

struct ProveShippedRequest {
  // Called with each proof as soon as it is done, in the order of names, if it is set.
  std::function<void(const ShippedProof& proof)> on_proof = {};
};

struct ProveShippedOutcome {
  std::vector<ShippedProof> proofs;  // by name
  bool told = false;                 // each was told already
  Reason reason = Reason::none;      // the reason why some are unknown that might not be

  std::size_t with(ProofVerdict verdict) const;
};

// Proves one schedule after the other; the limits are for all together. For each obligation the solver may do an
// eighth of the work that it may do for a single schedule.
Result<ProveShippedOutcome> run(const ProveShippedRequest& request, Context& context);

}  // namespace quadrille::driver
