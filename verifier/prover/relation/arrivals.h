// What arrives when, at one small size: the data from which relations are guessed. It proves nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "verifier/prover/relation/relation.h"

namespace quadrille::prover {

// One entry of the relation at one size.
struct ArrivedItem {
  std::size_t size = 0;               // which of the sizes
  std::vector<std::int64_t> digits;   // the values of the relation's variables (Relation::scope())
  std::optional<std::int64_t> step;   // nothing: it never arrives; 0: it is there at the start
  std::optional<std::size_t> family;  // the family of a send that brings it
  std::vector<std::int64_t> send;     // the values of that send's variables (delivery_variables())
};

struct SmallArrivals {
  std::vector<Assignment> sizes;
  std::vector<ArrivedItem> entries;
  std::vector<Number> arrivals;  // of each family, the step in which its sends arrive
};

// The variables of one delivery of the family: of the send, its destination and its chunk.
std::vector<Atom> delivery_variables(const Family& family);

// Follows the schedule at some of the smallest sizes. Nothing if a packet is sent by a processor that does not have it,
// or no size is small enough.
std::optional<SmallArrivals> small_arrivals(const Writing& writing, const Relation& relation,
                                            const std::vector<Number>& starts);

}  // namespace quadrille::prover
