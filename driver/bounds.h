// `quadrille bounds`: every lower bound on the steps of a collective on a fabric.
#pragma once

#include <string>
#include <vector>

#include "driver/inputs/context.h"
#include "model/collective.h"
#include "model/fabric.h"
#include "model/text/result.h"
#include "verifier/bounds.h"

namespace quadrille::driver {

struct BoundsRequest {
  std::string collective = {};            // its notation
  std::string on = {};                    // a fabric's notation
  std::vector<std::string> without = {};  // links to be removed from it
};

struct BoundsOutcome {
  std::string on;  // the fabric, in the form of the request
  Fabric fabric;
  Collective collective;
  std::vector<Bound> bounds;     // of steps, or of rounds; largest first; never empty
  std::vector<Bound> volume;     // of the rounds' volume, likewise; empty for fabrics that count steps
  Reason reason = Reason::none;  // the reason why there may be larger bounds
};

Result<BoundsOutcome> run(const BoundsRequest& request, Context& context);

}  // namespace quadrille::driver
