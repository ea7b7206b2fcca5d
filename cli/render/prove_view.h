// What both renderings of a proof read.
#pragma once

#include <string>

#include "cli/render/paint.h"
#include "compiler/ir.h"
#include "driver/prove/prove.h"
#include "driver/prove/prove_summary.h"

namespace quadrille::cli {

struct ProveView {
  const driver::ProveOutcome& outcome;
  const Sources& sources;
  bool all = false;  // text: list every obligation
  Paint paint = Paint();

  const Proof& proof() const { return outcome.proof; }
  const ir::Schedule& schedule() const { return *outcome.schedule; }
  // What the checker said. Requires a counterexample that is confirmed, or not.
  const driver::SizeResult& checked(const Arguments& arguments) const { return outcome.checked.at(arguments); }
};

// The command that shows what the checker finds with these values: "quadrille check scatter -D L=3".
std::string check_command(const Arguments& arguments, const ProveView& view);

}  // namespace quadrille::cli
