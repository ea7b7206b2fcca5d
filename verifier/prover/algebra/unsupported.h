// What the prover says of what it cannot handle.
#pragma once

#include <string>

#include "model/text/source.h"

namespace quadrille::prover {

// Why a schedule, or a part of it, is not supported. Where the place is not known, whoever knows it adds it.
struct Unsupported {
  std::string reason;
  Span span;
};

}  // namespace quadrille::prover
