// Explains in words what happens where an obligation fails. The explanation is computed for the packets concerned,
// hop by hop, from their sources, targets and times alone. So it also tests what the obligation says.
#pragma once

#include <optional>
#include <string>

#include "verifier/prover/problem/obligation.h"
#include "verifier/prover/problem/problem.h"

namespace quadrille::prover {

// One packet's flight, in formulas.
struct SymbolicFlight {
  const Clock* clock = nullptr;
  Number start, source, target, origin;
  std::optional<Number> addressee;
  Number part = 0;
  bool rounds = false;   // steps are rounds
  bool message = false;  // a message, with all its chunks
};

inline SymbolicFlight flight(const Family& family, const Machine& machine) {
  return {family.clock,  family.start,     family.source, family.target,
          family.origin, family.addressee, family.part,   machine.rounds};
}

// "3->0 and 1->0 cross channel 1.0->0 in step 5". If level i has 2^(i-1) lanes (`widening`), packets that share a
// lane also share the processor's own channel, and the text names that one.
Explanation cross_on_tree(const SymbolicFlight& a, const SymbolicFlight& b, bool upwards, Atom level, bool widening);

// "0->* and 2->* cross channel 3->4 in step 5"; "3 sends …", "3 receives 0->* and 2->* in step 5". Require that the
// crossings live as long as the result.
Explanation cross_to_neighbour(const SymbolicFlight& a, const SymbolicFlight& b, const BoundCrossings& crossings);
Explanation sent_together(const SymbolicFlight& a, const SymbolicFlight& b);
Explanation received_together(const SymbolicFlight& a, const SymbolicFlight& b, const BoundCrossings& crossings);
// "3 sends 0->* and receives 2->* in step 5".
Explanation sent_and_received(const SymbolicFlight& a, const SymbolicFlight& b);
// "0->3 and 2->0 cross link 1.0--2.0 both ways in step 5": a goes up and b down; or each crosses its class.
Explanation meet_on_tree(const SymbolicFlight& a, const SymbolicFlight& b, Atom level);
Explanation meet_on_classes(const SymbolicFlight& a, const Number& index_a, const ChannelClass& class_a,
                            const SymbolicFlight& b, const Number& index_b, const ChannelClass& class_b,
                            const BoundCrossings& crossings);
// The same text as cross_to_neighbour, for packets that cross the class's channel each at its own index.
Explanation cross_on_class(const SymbolicFlight& a, const Number& index_a, const SymbolicFlight& b,
                           const Number& index_b, const ChannelClass& each, const BoundCrossings& crossings);

// "0->7 is delivered to 7 twice".
Explanation delivered_twice(const SymbolicFlight& a, const SymbolicFlight& b);

// "0->7 goes to 5".
Explanation delivered(const SymbolicFlight& flight);

// "3 sends 0->7 in step 5".
Explanation sent(const SymbolicFlight& flight);

// The text with the number in place of {}: "the exponent is -1".
Explanation worded(std::string text, Number number);

}  // namespace quadrille::prover
