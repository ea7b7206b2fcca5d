// The basis of lower bounds for every size, as terms over a topology's parameters (crossings.h): how much can come to
// a processor at once, and how much can go from one half of the processors to the other.
//
//   ring of N >= 3     2 lanes lead into each processor; from the first N div 2 to the others, 2
//   binary fat tree    1 lane into each; from the first half to the other one, those into the root: c(L); and a packet
//                      crosses L - 1 channels before, and L after
//
// **Requirements**, where they are given, for all values of the parameters that make a fabric (a wrong theorem may
// follow if one is violated; a test compares them with the fabric at every small size):
// * no more than `lanes` lanes lead into processor source(), of all channels together, and no more lead out of it;
// * the crossings' `hops` is the least number of channels on any path from s to t, not only on the default route;
// * everything that goes from processors below `first` to the others, or back, crosses one of a set of channels that
//   together have `lanes` lanes in that direction; it crosses at least `before` channels before, and `after` after.
//     `lanes` lanes together, that way; and at least `before` channels before it, and `after` after it.
#pragma once

#include <optional>

#include "model/terms/term.h"

namespace quadrille {

struct TermHalves {
  Term first;
  Term lanes;
  Term before = 0, after = 0;
};

struct TermCapacities {
  Term lanes;
  std::optional<TermHalves> halves = {};
};

}  // namespace quadrille
