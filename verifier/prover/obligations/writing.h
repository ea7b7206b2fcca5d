// Writes obligations: what must be shown of a schedule's families, property by property (model/MODEL.md).
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "model/limits/watch.h"
#include "verifier/prover/problem/obligation.h"
#include "verifier/prover/problem/problem.h"
#include "verifier/prover/problem/spoken.h"

namespace quadrille::prover {

// The input from which obligations are made, and the list to which they are added.
struct Writing {
  Algebra& algebra;
  const Problem& problem;
  Watch& watch;
  std::vector<Obligation>& obligations;
  std::vector<SpokenInvariant> spoken = {};  // the meaning of the schedule's invariants, if all of them are understood
  bool rest_on_them = false;                 // they state what is held where packets are sent, and at the end
  // Which chunks a family carries that carries what is held; empty: not known.
  std::function<Formula(const Family&)> carried = {};

  // Adds the obligation, unless there is one that says the same.
  void add(Obligation obligation) const;
  void add(Obligation obligation, AskedFormula question) const {
    add(asking(std::move(obligation), std::move(question)));
  }
};

// Each function throws Unsupported and Ended; obligations that were written by then stay.

// Writes that processors exist, steps are at least 1, and paths that are taken to lead to a neighbour do.
void write_well_formed(const Writing& writing);
// Writes that no two packets are on a lane in the same step, by the machine's strategy: level by level or by
// crossings.
void write_contention(const Writing& writing);
// Writes steps towards the claim that max_buffer is at most `most` where `when` holds. Requires that `most` is not
// below 0 there.
void write_buffer_bound(const Writing& writing, const Number& most, Formula when, const std::string& claim);
// Writes that every processor has what it sends.
void write_causal(const Writing& writing);
// Writes that every demand is met.
void write_complete(const Writing& writing);

// The number of sends of all families together; nothing if it has no closed form.
std::optional<Number> count_messages(const Writing& writing);

}  // namespace quadrille::prover
