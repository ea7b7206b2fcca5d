// What the second reader reads (verifier/PROOF_FORMAT.md): a schedule's core form, and a proof of it for every size.
//
//   const Result<WrittenProof> written = write_proof(*schedule, {});
//   if (!written) …there are no rules of proof for the schedule: the diagnostics say what is in the way…
//
// Claims that nothing is better are not in it. Whether the proof shows anything is for the reader to say
// (verifier/proof_reader.h).
#pragma once

#include <string>
#include <vector>

#include "model/limits/limits.h"
#include "model/text/arguments.h"
#include "model/text/result.h"

namespace quadrille {

namespace ir {
struct Schedule;  // compiler/ir.h
}

struct WrittenProof {
  std::string core, proof;
  // Small sizes, of which the proof says that tables lie beside it.
  struct Size {
    std::string file;  // "size-1.csv"
    Arguments arguments;
  };
  std::vector<Size> sizes;
  std::vector<std::string> open = {};  // claims, as they are written, of which it shows nothing
};

// `arguments`: parameters that have one value. An error of Code::unsupported, if there are no rules for it; of a
// limit's code, if these are reached.
Result<WrittenProof> write_proof(const ir::Schedule& schedule, const Arguments& arguments, const Limits& limits = {});

}  // namespace quadrille
