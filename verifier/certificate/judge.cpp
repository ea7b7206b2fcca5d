#include <fmt/format.h>

#include <new>
#include <utility>

#include "model/counted.h"
#include "verifier/certificate.h"
#include "verifier/certificate/clauses.h"
#include "verifier/certificate/formula.h"
#include "verifier/certificate/prices.h"
#include "verifier/certificate/proof_text.h"

namespace quadrille {
namespace certificate {
namespace {

constexpr std::uint64_t lines_between_questions = 256;
constexpr std::uint64_t clauses_between_questions = 1 << 16;

CertificateReport report_of(CertificateVerdict verdict, std::string why) {
  CertificateReport report;
  report.verdict = verdict;
  report.why = std::move(why);
  return report;
}

CertificateReport unknown(Reason reason, std::string why) {
  CertificateReport report = report_of(CertificateVerdict::unknown, std::move(why));
  report.reason = reason;
  return report;
}

// The words for a limit that was reached.
CertificateReport unknown(Reason reason) { return unknown(reason, std::string(to_string(reason))); }

CertificateReport judge_prices(const Certificate& certificate, const std::vector<Price>& prices,
                               const JudgeOptions& options) {
  const auto worth = worth_of(certificate, prices);
  if (!worth) return report_of(CertificateVerdict::rejected, "what all resources carry is worth more than 2^62");
  const Payment payment = payment_of(certificate, prices, options.limits);
  if (payment.reason != Reason::none) return unknown(payment.reason, *payment.fault);
  if (payment.fault) return report_of(CertificateVerdict::rejected, *payment.fault);
  const std::string steps = counted(certificate.steps, "step");
  if (payment.no_way) {
    CertificateReport report =
        report_of(CertificateVerdict::accepted, fmt::format("there is no way {} in {}", *payment.no_way, steps));
    report.worth = worth;
    return report;
  }
  const bool enough = payment.paid > *worth;
  CertificateReport report =
      report_of(enough ? CertificateVerdict::accepted : CertificateVerdict::rejected,
                fmt::format("all that the resources carry in {} is worth {}; {} must be paid, which is {}", steps,
                            *worth, payment.paid, enough ? "more" : "not more"));
  report.worth = worth;
  report.paid = payment.paid;
  return report;
}

// Goes through a proof: the formula first, then line after line.
class ProofJudge {
 public:
  ProofJudge(const Certificate& certificate, ProofFile::About about, const JudgeOptions& options)
      : certificate_(certificate), about_(about), options_(options), proof_(options.proof) {}

  CertificateReport judge() {
    const auto fault = why_no_formula(certificate_.fabric, certificate_.collective, about_);
    if (fault) return report_of(CertificateVerdict::rejected, *fault);
    if (!options_.proof) return unknown(Reason::unsupported, "the proof is not there");
    if (!write()) {
      return stopped_ != Reason::none ? unknown(stopped_)
                                      : unknown(Reason::limit, "the formula is too large for the judge");
    }
    CertificateReport report = read_lines();
    report.variables = size_.variables;
    report.clauses = size_.clauses;
    report.proof_lines = proof_.clauses();
    return report;
  }

 private:
  bool limit_reached() {
    if (stopped_ == Reason::none) stopped_ = options_.limits.reached();
    return stopped_ != Reason::none;
  }

  bool write() {
    std::uint64_t literals = 0;
    std::uint64_t count = 0;
    const auto size = write_formula(certificate_, about_, [&](std::span<const std::int32_t> clause) {
      literals += clause.size();
      if (literals > options_.most_literals) return false;
      if (++count % clauses_between_questions == 0 && limit_reached()) return false;
      clauses_.add(clause);
      return true;
    });
    if (size) size_ = *size;
    return size.has_value();
  }

  CertificateReport read_lines() {
    std::vector<std::int32_t> literals;
    while (!clauses_.contradiction()) {
      if (proof_.clauses() % lines_between_questions == 0 && limit_reached()) return unknown(stopped_);
      switch (proof_.next(literals)) {
        case ProofText::Line::lemma:
          if (!clauses_.add_lemma(literals)) return line_fault("the clause does not follow: neither RUP nor RAT");
          break;
        case ProofText::Line::deletion:
          clauses_.remove(literals);
          break;
        case ProofText::Line::malformed:
          return line_fault("expected literals and then 0, as in DRAT in text");
        case ProofText::Line::unreadable:
          return unknown(Reason::internal, "the proof cannot be read");
        case ProofText::Line::end:
          return report_of(CertificateVerdict::rejected, "the proof ends without the empty clause");
      }
    }
    return report_of(CertificateVerdict::accepted, "the formula and the proof lead to the empty clause");
  }

  CertificateReport line_fault(std::string_view what) const {
    return report_of(CertificateVerdict::rejected, fmt::format("line {} of the proof: {}", proof_.line_number(), what));
  }

  const Certificate& certificate_;
  ProofFile::About about_;
  const JudgeOptions& options_;
  ProofText proof_;
  Clauses clauses_;
  FormulaSize size_;
  Reason stopped_ = Reason::none;
};

}  // namespace
}  // namespace certificate

std::string_view to_string(ProofFile::About about) {
  if (about == ProofFile::About::copies) return "copies";
  return about == ProofFile::About::words ? "words" : "backwards";
}

std::string_view to_string(CertificateVerdict verdict) {
  if (verdict == CertificateVerdict::accepted) return "accepted";
  return verdict == CertificateVerdict::rejected ? "rejected" : "unknown";
}

std::string claim_text(const Certificate& certificate) {
  std::string text =
      fmt::format("no schedule of {} on {} has {}{}", certificate.collective.notation(), certificate.fabric.notation(),
                  counted(certificate.steps, "step"), certificate.steps == 0 ? "" : " or fewer");
  if (certificate.phases) text += fmt::format(", in {} at most", counted(*certificate.phases, "phase"));
  if (certificate.paths_kept) text += ", if packets keep to the paths from where they start";
  if (certificate.inject_once) text += ", if every packet leaves each processor that it starts at in one step only";
  return text;
}

CertificateReport judge(const Certificate& certificate, const JudgeOptions& options) {
  try {
    if (const auto* prices = std::get_if<std::vector<Price>>(&certificate.evidence)) {
      return certificate::judge_prices(certificate, *prices, options);
    }
    return certificate::ProofJudge(certificate, std::get<ProofFile>(certificate.evidence).about, options).judge();
  } catch (const std::bad_alloc&) {
    return certificate::unknown(Reason::limit, "there is no more memory");
  }
}

}  // namespace quadrille
