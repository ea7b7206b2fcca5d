// Proofs for every size with a word or a list of them changed: none of what is wrong at a small size is accepted by the
// second reader, whatever the tables beside it say.
//
// QUADRILLE_LONG=1 tries 1000 of them, else 100; QUADRILLE_SEED chooses them.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "tests/environment.h"
#include "tests/reference/proof_asker.h"
#include "tests/reference/source_mutants.h"
#include "tests/reference/written_proofs.h"

namespace {

using namespace quadrille;

struct Counts {
  std::size_t tried = 0, read = 0, accepted = 0, wrong = 0;
};

// Whether it is read, and then accepted.
bool accepted(const WrittenProof& proof, Counts& counts) {
  const Result<ReadProof> read = reference::reread(proof);
  if (!read) return false;
  ++counts.read;
  tests::ProofAsker asker;
  return judge(*read, [&](const std::string& smt2) { return asker(smt2); }).verdict == ReaderVerdict::accepted;
}

void try_mutant(const reference::ProofMutant& mutant, Counts& counts) {
  CAPTURE(mutant.what);
  ++counts.tried;
  const bool taken = accepted(mutant.proof, counts);
  const std::string faults = reference::faults_at_small_sizes(mutant.proof);
  if (!faults.empty() && reference::reread(mutant.proof)) ++counts.wrong;
  if (!taken) return;
  ++counts.accepted;
  CHECK(faults == "");
}

TEST_CASE("no mutated proof of what is wrong at a small size is accepted") {
  if (!tests::ProofAsker::there()) return;
  const auto schedules = reference::plain_schedules();
  const std::size_t each = tests::long_run() ? 1000 / schedules.size() + 1 : tests::brief ? 4 : 10;
  std::uint64_t seed = reference::first_seed();
  for (const std::string& name : schedules) {
    const WrittenProof proof = reference::written_proof(reference::whole_text(name));
    Counts counts;
    reference::Dice dice(seed++);
    CAPTURE(name);
    for (std::size_t i = 0; i < each; ++i) try_mutant(reference::mutated(proof, dice), counts);
    fmt::print("{}: seed {}, {} tried, {} read, {} of these wrong, {} accepted\n", name, seed - 1, counts.tried,
               counts.read, counts.wrong, counts.accepted);
  }
}

}  // namespace
