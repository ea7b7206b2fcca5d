// What a read proof holds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verifier/proof_reader.h"
#include "verifier/proof_reader/rules.h"

namespace quadrille {

struct ReadProof::Parts {
  proof_reader::CoreForm core;
  proof_reader::CoreMachine machine;
  const Families* families = nullptr;
  std::optional<std::vector<proof_reader::CoreArrival>> arrivals;  // the relation of what is held
  std::vector<proof_reader::Application> applications;             // all that are required, in that order
  proof_reader::ProofSubject subject() const { return {core, machine, arrivals ? &*arrivals : nullptr}; }
  struct Table {
    std::string file;
    proof_reader::Values size;
    Span span;
  };
  std::vector<Table> tables;
};

namespace proof_reader {

// Reads a proof's items into its tables and applications. Throws Refused, if any that is required is missing, there
// twice, or not required.
void read_applications(const std::vector<ProofItem>& items, ReadProof::Parts& parts);

}  // namespace proof_reader
}  // namespace quadrille
