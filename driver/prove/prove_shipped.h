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
  std::vector<std::string> open = {};   // unless it is proved: for each property and claim that is not, why, in words
  double seconds = 0;
};

struct ProveShippedOutcome {
  std::vector<ShippedProof>
      proofs;                    // by name: of all that ship, or of those that were done when the limits were reached
  std::size_t of = 0;            // so many ship
  bool told = false;             // each was told already
  Reason reason = Reason::none;  // the reason why some are missing

  bool whole() const { return proofs.size() == of; }
  std::size_t with(ProofVerdict verdict) const;
};

struct ProveShippedRequest {
  // Called as soon as a proof is done, the last of the outcome so far, in the order of names, if it is set. False ends
  // the work: nobody listens any more.
  std::function<bool(const ProveShippedOutcome& so_far)> on_proof = {};
};

// Proves one schedule after the other; the limits are for all together. For each obligation the solver may do an
// eighth of the work that it may do for a single schedule. A proof that the limits cut short is not in the outcome.
Result<ProveShippedOutcome> run(const ProveShippedRequest& request, Context& context);

}  // namespace quadrille::driver
