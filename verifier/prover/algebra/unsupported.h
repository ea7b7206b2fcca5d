// The reason for which the prover cannot handle something.
#pragma once

#include <string>

#include "model/text/source.h"

namespace quadrille::prover {

// The reason why a schedule, or a part of it, is not supported. If the place is not known, a caller that knows it
// adds it.
struct Unsupported {
  std::string reason;
  Span span;
};

}  // namespace quadrille::prover
