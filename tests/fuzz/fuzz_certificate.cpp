// Any bytes: as a certificate, which must be read or refused, and judged, without a crash; and as a formula and its
// proof, which must never be accepted where the formula has a solution.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "verifier/certificate.h"
#include "verifier/certificate/clauses.h"
#include "verifier/certificate/proof_text.h"

namespace {

using namespace quadrille;
using Formula = std::vector<std::vector<std::int32_t>>;

ReadBytes reader_of(std::string_view text, std::size_t& at) {
  return [text, &at](std::span<char> bytes) -> std::optional<std::size_t> {
    const std::size_t size = text.copy(bytes.data(), bytes.size(), at);
    at += size;
    return size;
  };
}

// The text up to a `%` is a certificate, the rest its proof.
void judge_text(const std::string& text) {
  const std::size_t end = std::min(text.find('%'), text.size());
  const Source source{"certificate.txt", text.substr(0, end)};
  const auto certificate = read_certificate(source, 0);
  if (!certificate) {
    for (const Diagnostic& error : certificate.diagnostics()) {
      if (error.span.known() && (error.span.begin > error.span.end || error.span.end > end)) std::abort();
    }
    static_cast<void>(render(certificate.diagnostics(), {source}));
    return;
  }
  if (certificate->fabric.channels() > 1000 || certificate->collective.demands() > 10000) return;
  std::size_t at = end;
  JudgeOptions options;
  options.proof = reader_of(text, at);
  options.limits = Limits().within(std::chrono::seconds(1));
  options.limits.memory = 10'000'000;
  const CertificateReport report = judge(*certificate, options);
  if (report.why.empty() || claim_text(*certificate).empty()) std::abort();
}

bool solvable(const Formula& formula, std::uint32_t variables) {
  for (std::uint32_t values = 0; values < 1U << variables; ++values) {
    bool good = true;
    for (const auto& clause : formula) {
      bool some = false;
      for (const std::int32_t literal : clause)
        some = some || ((values >> (std::abs(literal) - 1) & 1U) != 0) == (literal > 0);
      good = good && some;
    }
    if (good) return true;
  }
  return false;
}

// The bytes up to a 255 are clauses of six variables, the rest is a proof in text.
void judge_proof(std::string_view text) {
  constexpr std::uint32_t variables = 6;
  Formula formula(1);
  std::size_t at = 0;
  for (; at < text.size() && static_cast<unsigned char>(text[at]) != 255 && formula.size() < 40; ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte % 16 >= 2 * variables) {
      formula.emplace_back();
    } else {
      const auto variable = static_cast<std::int32_t>(byte % 16 / 2 + 1);
      formula.back().push_back(byte % 2 == 0 ? variable : -variable);
    }
  }
  if (formula.back().empty()) formula.pop_back();
  if (at < text.size()) ++at;

  const Limits limits;
  Work work(limits);
  certificate::Clauses clauses(work);
  for (const auto& clause : formula) clauses.add(clause);
  const ReadBytes read = reader_of(text, at);
  certificate::ProofText proof(read, work);
  std::pmr::vector<std::int32_t> literals;
  for (auto line = proof.next(literals); !clauses.contradiction(); line = proof.next(literals)) {
    if (line == certificate::ProofText::Line::deletion) {
      clauses.remove(literals);
    } else if (line != certificate::ProofText::Line::lemma || !clauses.add_lemma(literals)) {
      break;
    }
  }
  if (clauses.contradiction() && solvable(formula, variables)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  judge_text(text);
  judge_proof(text);
  return 0;
}
