// A topology's crossings (model/crossings.h), applied to the schedule's numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "verifier/prover/algebra/term_formulas.h"
#include "verifier/prover/problem/problem.h"

namespace quadrille::prover {

// The terms of the packet from source to target, which must be different; `index` is for terms that use one.
TermFormulas crossing_formulas(Algebra& algebra, const BoundCrossings& crossings, const Number& source,
                               const Number& target, const Number& index = {});

// The collective's rules by which such a packet exists; `addressee`: nothing for everyone.
std::vector<Formula> packet_rules(Algebra& algebra, const BoundCollective& collective, const Number& origin,
                                  const std::optional<Number>& addressee);

// One packet's crossing of a class of channels: at a given index, or at any index of the class's range.
struct SymbolicCrossing {
  std::vector<Atom> variables;  // the index, if any index is meant; its name ends with the suffix
  Number index;
  Formula given = nullptr;  // the packet crosses the channel of the class with this index
};
SymbolicCrossing passage_of(Algebra& algebra, const BoundCrossings& crossings, const ChannelClass& each,
                            const Number& source, const Number& target, const std::string& suffix,
                            const std::optional<Number>& index);

// The formula that the packet crosses one channel only: its target is a neighbour of its source.
Formula to_a_neighbour(Algebra& algebra, const BoundCrossings& crossings, const Number& source, const Number& target);

// The values that terms use, for a packet with these values of the variables; nothing if a number does not fit into
// 64 bits, or there is no such fabric.
std::optional<TermValues> term_values(const BoundCrossings& crossings, const Integer& source, const Integer& target,
                                      const Integer& index, const Assignment& values);
// The term's value for that packet.
std::optional<std::int64_t> value_of(const Term& term, const BoundCrossings& crossings, const Integer& source,
                                     const Integer& target, const Integer& index, const Assignment& values);

// Whether all of the family's packets go to neighbours at small sizes. That they do at every size is an obligation
// (write_well_formed).
bool seems_to_go_to_neighbours(const Problem& problem, const Family& family, Formula always);

}  // namespace quadrille::prover
