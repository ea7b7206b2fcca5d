// MPI's own collectives, and the C in exported programs that is the same for all tables.
#pragma once

#include <span>
#include <string_view>

#include "model/collective.h"

namespace quadrille::exporting::mpi_text {

struct MpiCall {
  CollectiveKind kind;
  std::string_view has_result;  // in C, of `rank`: whether it has one that can be compared; empty: nobody has
  std::string_view call;        // in C
};
std::span<const MpiCall> calls();
const MpiCall& call_of(CollectiveKind kind);  // requires one of these

// Before the transfers, for fmt: {0} ranks, {1} chunks of the input, {2} of the output, {3} most scratch, {4} the root,
// {5} seconds that a rank waits in one step, 0 for as long as it takes.
extern const std::string_view head;

// What becomes of two elements: their sum, or the larger one, for operations in which a contribution may come again.
extern const std::string_view sum;
extern const std::string_view maximum;

// Carries the transfers out: quadrille_run. Behind `sum` or `maximum`.
extern const std::string_view run;

// A test that no rank leaves a barrier before all have entered: leaves_early.
extern const std::string_view leaves_early;

// main, which says WRONG, up to what is wrong before the timed runs: an expression, behind which the rest comes.
extern const std::string_view main_until_wrong;
extern const std::string_view main_from_wrong;

}  // namespace quadrille::exporting::mpi_text
