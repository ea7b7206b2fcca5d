// What a solver says of the judge's formula.
#pragma once

#include <string>

#include "verifier/certificate.h"

namespace quadrille::tests {

// That there is a solution, or a proof, in DRAT, that there is none.
struct Solved {
  bool solvable = false;
  std::string proof;
};

// Of the formula that the question's evidence, a proof, is about.
Solved solve(const Certificate& question);

// The judge's formula, in DIMACS CNF.
std::string formula_text(const Certificate& question, ProofFile::About about);

// What the judge says of the certificate, with this for its proof's text.
CertificateReport judge_proof(const Certificate& certificate, const std::string& proof);

// Gives the bytes of the text from `at` on, which it moves. Keeps references.
ReadBytes reader_of(const std::string& text, std::size_t& at);

// Limits that someone has stopped already.
Limits stopped_limits();

}  // namespace quadrille::tests
