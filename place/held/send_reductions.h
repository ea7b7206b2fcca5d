// What sends say of partial reductions.
#pragma once

#include "model/text/source.h"
#include "motion/contribution_set.h"
#include "place/flights/flights.h"

namespace quadrille {

struct SentReduction {
  ContributionSet sum;  // empty: it sends the partial reduction held
  bool keeping = false;
  Span span;  // of the send
};

// Looks them up by the sends' serial numbers: rows and flights have these, wherever they were moved.
class ReductionsOfSends {
 public:
  virtual ~ReductionsOfSends() = default;
  virtual const SentReduction& of(SendSerial serial) = 0;
};

}  // namespace quadrille
