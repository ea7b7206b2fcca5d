// What the prover says of what it cannot handle, or has not come to.
#pragma once

#include <string>

#include "model/source.h"

namespace quadrille::prover {

// Why a schedule, or a part of it, is beyond the prover. Where the place is not known, whoever knows it adds it.
struct Beyond {
  std::string reason;
  Span span;
};

// Thrown where the prover is asked to stop while it writes down what must be shown.
struct Interrupted {};

}  // namespace quadrille::prover
