// Collective terms describe a copying collective to the prover, as data: which packets there are, who holds each at
// the start and who wants it. They are terms for any number of processors. For example, a gather:
//
//   a send from s to t carries   s -> root, if the schedule says nothing else
//   packets                      s -> t where t = root (and s != t): s holds it, t wants it
//   demands                      n - 1
//
// **Requirements**, for all n >= 1 and all roots below n, of collectives with one part (a wrong theorem may follow if
// one is violated; a test compares the terms with the family itself at every small size):
// * `for_everyone` (packets s->*): the packet exists exactly if all rules hold. Otherwise (packets s->t): it exists
//   exactly if s and t are different processors and all rules hold;
// * s holds it at the start, and nobody else does; t wants it, or all but s want it;
// * `demands` is the number of pairs of a packet and a processor that wants it.
//
// In all terms parameter(0) is the number of processors and parameter(1) the root; in the rules, source() and
// target() are the packet's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/terms/term.h"

namespace quadrille {

// A rule that the names of all packets keep.
struct PacketRule {
  Term must;            // truth
  std::string words;    // "the packet goes to the root"
  std::string failure;  // the error for a name that breaks it, with {} for …
  Term number;          // … this number: "it goes to {}"
};

struct CollectiveTerms {
  bool for_everyone = false;
  std::vector<PacketRule> rules = {};
  Term demands;
  // The packet that `send source -> target` carries where the schedule does not name one (Collective::default_chunk).
  Term origin = terms::source();
  Term addressee = terms::target();  // unless `for_everyone`
};

// Reduction terms describe a combining collective to the prover. Packets are partial reductions of any processor for
// any other; at the start everyone holds its own contribution to each value. **Requirements**, for all n, roots and
// parts: there are `values` values (parts: one for each); where `wanted` holds, processor p wants of value v the
// contributions 0 … `last`; elsewhere it wants none. In these terms parameter(2) is the number of parts, source() the
// value and target() the processor.
struct ReductionTerms {
  Term values;
  Term wanted;  // truth
  Term last;
};

namespace terms {

inline Term parts() { return parameter(2); }
inline Term processors() { return parameter(0); }
inline Term root() { return parameter(1); }

}  // namespace terms

inline PacketRule from_the_root() {
  return {terms::equal(terms::source(), terms::root()), "the packet comes from the root", "it comes from {}",
          terms::source()};
}
inline PacketRule to_the_root() {
  return {terms::equal(terms::target(), terms::root()), "the packet goes to the root", "it goes to {}",
          terms::target()};
}

}  // namespace quadrille
