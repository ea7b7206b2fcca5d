#include "tests/verifier/solve_formula.h"

#include <cadical.hpp>
#include <cstdio>
#include <cstdlib>

#include "verifier/certificate/formulas/formula.h"

namespace quadrille::tests {

Solved solve(const Certificate& question) {
  Solved answer;
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* file = open_memstream(&text, &size);
  {
    CaDiCaL::Solver solver;
    solver.set("quiet", 1);
    solver.set("binary", 0);
    solver.trace_proof(file, "memory");
    const auto about = std::get<ProofFile>(question.evidence).about;
    const auto add = [&](std::span<const std::int32_t> clause) {
      for (const std::int32_t literal : clause) solver.add(literal);
      solver.add(0);
      return true;
    };
    const Limits limits;
    Work work(limits);
    certificate::write_formula(question, about, add, work);
    answer.solvable = solver.solve() == 10;
    solver.close_proof_trace();
  }
  std::fclose(file);
  answer.proof.assign(text, size);
  std::free(text);
  return answer;
}

std::string formula_text(const Certificate& question, ProofFile::About about) {
  std::string clauses;
  const auto add = [&](std::span<const std::int32_t> clause) {
    for (const std::int32_t literal : clause) clauses += std::to_string(literal) + " ";
    clauses += "0\n";
    return true;
  };
  const Limits limits;
  Work work(limits);
  const auto size = certificate::write_formula(question, about, add, work);
  if (!size) return {};
  return "p cnf " + std::to_string(size->variables) + " " + std::to_string(size->clauses) + "\n" + clauses;
}

CertificateReport judge_proof(const Certificate& certificate, const std::string& proof) {
  std::size_t at = 0;
  return judge(certificate, {.proof = reader_of(proof, at)});
}

ReadBytes reader_of(const std::string& text, std::size_t& at) {
  return [&text, &at](std::span<char> bytes) -> std::optional<std::size_t> {
    const std::size_t size = text.copy(bytes.data(), bytes.size(), at);
    at += size;
    return size;
  };
}

Limits stopped_limits() {
  std::stop_source source;
  source.request_stop();
  return {.stop = source.get_token()};
}

}  // namespace quadrille::tests
