// Writing obligations: what must be shown of a schedule's families, property by property (model/MODEL.md).
#pragma once

#include <optional>
#include <vector>

#include "verifier/prover/problem/interrupter.h"
#include "verifier/prover/problem/obligation.h"
#include "verifier/prover/problem/problem.h"
#include "verifier/prover/problem/spoken.h"

namespace quadrille::prover {

// From what obligations are made, and where they are put.
struct Writing {
  Algebra& algebra;
  const Problem& problem;
  Interrupter& interrupter;
  std::vector<Obligation>& obligations;
  std::vector<SpokenInvariant> spoken = {};  // what the schedule's invariants say, if all of them are understood
  bool rest_on_them = false;                 // they say what is held, where packets are sent and at the end

  // Unless there is one that says the same of the same.
  void add(Obligation obligation) const;
};

// Each throws Unsupported and Ended; what was written by then stays.

// Processors exist, steps are at least 1, what is taken for a way to a neighbour is one.
void write_well_formed(const Writing& writing);
// No two packets on a lane in the same step, by the machine's strategy: level by level or by crossings.
void write_contention(const Writing& writing);
// Steps towards the claim that max_buffer is at most `most` where `when` holds, of which there must be none below 0.
void write_buffer_bound(const Writing& writing, const Number& most, Formula when, const std::string& claim);
// What is sent is there.
void write_causal(const Writing& writing);
// Every demand is met.
void write_complete(const Writing& writing);

// How many sends the families make together; nothing if that has no closed form.
std::optional<Number> count_messages(const Writing& writing);

}  // namespace quadrille::prover
