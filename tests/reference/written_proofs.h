// Proofs that a second reader judges, of schedules that ship or are given as text.
#pragma once

#include <string>
#include <vector>

#include "model/text/source.h"
#include "tests/reference/random_tables.h"
#include "verifier/proof_reader.h"
#include "verifier/write_proof.h"

namespace quadrille::reference {

// Of those that ship, some that have rules of proof: plain loops, and two that pass on what they got.
std::vector<std::string> plain_schedules();

// Requires that it compiles and has rules of proof.
WrittenProof written_proof(const std::string& text);

Result<ReadProof> reread(const WrittenProof& proof);

// The same with a change somewhere in the core form or the proof: a number, a name, an operation, a list left out,
// there twice, or in another's place. `what` says which.
struct ProofMutant {
  std::string what;
  WrittenProof proof;
};
ProofMutant mutated(const WrittenProof& proof, Dice& dice);

// What is wrong with the schedule that the core form is, at sizes of up to eight processors that its parameters allow:
// what the checker finds there, or a claim that is false. Empty if nothing is.
std::string faults_at_small_sizes(const WrittenProof& proof);

}  // namespace quadrille::reference
