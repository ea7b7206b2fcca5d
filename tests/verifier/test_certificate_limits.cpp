// The judge of certificates keeps its limits in the middle of what it does. No test waits: a stop is requested while a
// proof is read, and memory is little.
#include <doctest/doctest.h>

#include <algorithm>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "model/fabric_notation.h"
#include "tests/verifier/solve_formula.h"
#include "tests/verifier/stop_after.h"
#include "verifier/certificate.h"
#include "verifier/certificate/formulas/formula.h"

namespace quadrille::tests {
namespace {

Certificate proof_about(const std::string& on, const std::string& what, std::uint32_t steps,
                        ProofFile::About about = ProofFile::About::copies) {
  const Fabric fabric = parse_fabric({"", on}, 0).value();
  const Collective collective = parse_collective({"", what}, 0, fabric.processors()).value();
  return {fabric, collective, steps, false, false, std::nullopt, ProofFile{"p", std::nullopt, about}};
}

Certificate without_prices(const std::string& on, const std::string& what, std::uint32_t steps) {
  Certificate certificate = proof_about(on, what, steps);
  certificate.evidence = std::vector<Price>();
  return certificate;
}

// A proof that goes on for ever: `head`, and then `again`, again and again. After `pieces` readings a stop is
// requested.
struct EndlessProof {
  std::string head;
  std::string again;
  int pieces = 0;
  std::stop_source stop = {};
  int readings = 0;

  CertificateReport judged(const Certificate& certificate, std::uint64_t memory = default_memory) {
    JudgeOptions options;
    options.limits.stop = stop.get_token();
    options.limits.memory = memory;
    options.proof = [this](std::span<char> bytes) {
      if (readings++ == pieces) stop.request_stop();
      REQUIRE(readings < 100'000);
      std::string_view next = readings == 1 && !head.empty() ? head : again;
      return std::optional(next.copy(bytes.data(), bytes.size()));
    };
    return judge(certificate, options);
  }
};

TEST_CASE("a stop ends the reading of one long line, and of comments") {
  const Certificate certificate = proof_about("torus:4x4", "allgather", 6);
  for (const std::string again : {"1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 ", "c nothing but words\n", "\n"}) {
    CAPTURE(again);
    EndlessProof proof{"", again, 100};
    const CertificateReport report = proof.judged(certificate);
    CHECK(report.verdict == CertificateVerdict::unknown);
    CHECK(report.reason == Reason::cancelled);
    CHECK(proof.readings <= 102);
  }
}

TEST_CASE("a line without an end, and lemmas without an end, take no more memory than they may") {
  const Certificate certificate = proof_about("torus:4x4", "allgather", 6);
  std::string variables;
  std::string lemmas;
  for (int i = 0; i < 2000; ++i) {  // a text that fits one reading
    variables += std::to_string(i + 1) + " ";
    lemmas += "-" + std::to_string(i + 2'000'000'000) + " " + std::to_string(i + 100'000) + " 0\n";
  }
  for (const std::string& again : {variables, lemmas}) {
    EndlessProof proof{"", again, 1'000'000};
    const CertificateReport report = proof.judged(certificate, 10'000'000);
    CHECK(report.verdict == CertificateVerdict::unknown);
    CHECK(report.reason == Reason::limit);
  }
}

TEST_CASE("tables of a formula are not begun without the memory for them") {
  std::size_t at = 0;
  const std::string proof = "0\n";
  for (const auto& [about, on, what] :
       {std::tuple(ProofFile::About::copies, "torus:30x30", "total_exchange"),
        std::tuple(ProofFile::About::copies, "complete:100", "total_exchange:parts=100"),
        std::tuple(ProofFile::About::partial_reductions, "ring:24", "allreduce")}) {
    const Certificate certificate = proof_about(on, what, 10, about);
    CAPTURE(certificate.fabric.notation());
    const CertificateReport report =
        judge(certificate, {.proof = reader_of(proof, at), .limits = {.memory = 20'000'000}});
    CHECK(report.verdict == CertificateVerdict::unknown);
    CHECK(report.reason == Reason::limit);
    CHECK(at == 0);  // the proof is not read
  }
}

TEST_CASE("wants are counted, and so is the price of each step") {
  const auto judged = [](const Certificate& certificate, const Limits& limits) {
    return judge(certificate, {.limits = limits});
  };
  const Certificate wants = without_prices("ring:400", "total_exchange", 3);
  CHECK(judged(wants, {}).verdict != CertificateVerdict::unknown);
  CHECK(judged(wants, {.memory = 1'000'000}).reason == Reason::limit);
  CHECK(judged(wants, stop_after(0)).reason == Reason::cancelled);
  CHECK(judged(without_prices("hypercube:10", "allreduce:parts=4096", 3), {.memory = 1'000'000}).reason ==
        Reason::limit);
}

TEST_CASE("a certificate's own text is read within the limits") {
  std::string text =
      "quadrille certificate 1\nfabric ring:8\ncollective allgather\nsteps 100000\ninject many\nevidence prices\n";
  text += "price channel 0->1 1:";
  for (int i = 0; i < 100'000; ++i) text += " 1";
  REQUIRE(read_certificate({"", text}, 0));
  CHECK(reason_of(read_certificate({"", text}, 0, {.memory = 100'000}).diagnostics()) == Reason::limit);
  CHECK(reason_of(read_certificate({"", text}, 0, stop_after(0)).diagnostics()) == Reason::cancelled);
}

TEST_CASE("a certificate's fabric counts before it is made") {
  const std::string text =
      "quadrille certificate 1\nfabric hypercube:14\ncollective allgather\nsteps 1\ninject many\nevidence prices\n";
  REQUIRE(read_certificate({"", text}, 0));
  CHECK(reason_of(read_certificate({"", text}, 0, {.memory = 1'000'000}).diagnostics()) == Reason::limit);
}

TEST_CASE("of a text full of faults the first are told, and the others are not looked for") {
  std::string text = "quadrille certificate 1\n";
  for (int i = 0; i < 100'000; ++i) text += "prize 1\n";
  const auto certificate = read_certificate({"", text}, 0);
  REQUIRE_FALSE(certificate);
  CHECK(certificate.diagnostics().size() == 20);
}

}  // namespace
}  // namespace quadrille::tests
