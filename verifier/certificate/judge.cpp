#include "verifier/certificate.h"

#include <fmt/format.h>

#include <utility>

#include "model/counted.h"
#include "verifier/certificate/clauses.h"
#include "verifier/certificate/formula.h"
#include "verifier/certificate/prices.h"
#include "verifier/certificate/proof_text.h"

namespace quadrille {
namespace certificate {
namespace {

constexpr std::uint64_t lines_between_questions = 256;
constexpr std::uint64_t clauses_between_questions = 1 << 16;

Judgement ruled(Ruling ruling, std::string reason) {
  Judgement judgement;
  judgement.ruling = ruling;
  judgement.reason = std::move(reason);
  return judgement;
}

Judgement judge_prices(const Certificate& certificate, const std::vector<Price>& prices, const JudgeOptions& options) {
  const auto worth = worth_of(certificate, prices);
  if (!worth) return ruled(Ruling::rejected, "what all resources carry is worth more than 2^62");
  const Payment payment = payment_of(certificate, prices, options.cancelled);
  if (payment.fault) return ruled(payment.unknown ? Ruling::unknown : Ruling::rejected, *payment.fault);
  const std::string steps = counted(certificate.steps, "step");
  if (payment.no_way) {
    Judgement judgement = ruled(Ruling::accepted, fmt::format("there is no way {} in {}", *payment.no_way, steps));
    judgement.worth = worth;
    return judgement;
  }
  const bool enough = payment.paid > *worth;
  Judgement judgement =
      ruled(enough ? Ruling::accepted : Ruling::rejected,
            fmt::format("all that the resources carry in {} is worth {}; {} must be paid, which is {}", steps, *worth,
                        payment.paid, enough ? "more" : "not more"));
  judgement.worth = worth;
  judgement.paid = payment.paid;
  return judgement;
}

// Goes through a proof: the formula first, then line after line.
class ProofJudge {
 public:
  ProofJudge(const Certificate& certificate, ProofFile::About about, const JudgeOptions& options)
      : certificate_(certificate), about_(about), options_(options), proof_(options.proof) {}

  Judgement judge() {
    const auto fault = why_no_formula(certificate_.fabric, certificate_.collective, about_);
    if (fault) return ruled(Ruling::rejected, *fault);
    if (!options_.proof) return ruled(Ruling::unknown, "the proof is not there");
    if (!write()) return ruled(Ruling::unknown, cancelled_ ? "cancelled" : "the formula is too large for the judge");
    Judgement judgement = read_lines();
    judgement.variables = size_.variables;
    judgement.clauses = size_.clauses;
    judgement.proof_lines = proof_.clauses();
    return judgement;
  }

 private:
  bool asked_to_stop() {
    cancelled_ = cancelled_ || (options_.cancelled && options_.cancelled());
    return cancelled_;
  }

  bool write() {
    std::uint64_t literals = 0;
    std::uint64_t count = 0;
    const auto size = write_formula(certificate_, about_, [&](std::span<const std::int32_t> clause) {
      literals += clause.size();
      if (literals > options_.most_literals) return false;
      if (++count % clauses_between_questions == 0 && asked_to_stop()) return false;
      clauses_.add(clause);
      return true;
    });
    if (size) size_ = *size;
    return size.has_value();
  }

  Judgement read_lines() {
    std::vector<std::int32_t> literals;
    while (!clauses_.contradiction()) {
      if (proof_.clauses() % lines_between_questions == 0 && asked_to_stop())
        return ruled(Ruling::unknown, "cancelled");
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
          return ruled(Ruling::unknown, "the proof cannot be read");
        case ProofText::Line::end:
          return ruled(Ruling::rejected, "the proof ends without the empty clause");
      }
    }
    return ruled(Ruling::accepted, "the formula and the proof lead to the empty clause");
  }

  Judgement line_fault(std::string_view what) const {
    return ruled(Ruling::rejected, fmt::format("line {} of the proof: {}", proof_.line_number(), what));
  }

  const Certificate& certificate_;
  ProofFile::About about_;
  const JudgeOptions& options_;
  ProofText proof_;
  Clauses clauses_;
  FormulaSize size_;
  bool cancelled_ = false;
};

}  // namespace
}  // namespace certificate

std::string_view to_string(ProofFile::About about) {
  if (about == ProofFile::About::copies) return "copies";
  return about == ProofFile::About::words ? "words" : "backwards";
}

std::string_view to_string(Ruling ruling) {
  if (ruling == Ruling::accepted) return "accepted";
  return ruling == Ruling::rejected ? "rejected" : "unknown";
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

Judgement judge(const Certificate& certificate, const JudgeOptions& options) {
  if (const auto* prices = std::get_if<std::vector<Price>>(&certificate.evidence)) {
    return certificate::judge_prices(certificate, *prices, options);
  }
  return certificate::ProofJudge(certificate, std::get<ProofFile>(certificate.evidence).about, options).judge();
}

}  // namespace quadrille
