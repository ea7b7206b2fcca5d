// The judge of certificates: weighs prices, counts entries into groups, or runs a DRAT proof against a formula that it
// writes itself. It shares no code with the search, so that a fault there cannot make it accept what is false.
//
//   prices: a schedule would have to pay 272, all capacity is priced at 264: accepted
//   proof: no line is believed; each has to follow from the formula and the lines before it (clauses.h)
//
// Cost: prices.h; clauses.h.
#include <fmt/format.h>

#include <new>
#include <utility>

#include "model/described.h"
#include "model/limits/memory_ceiling.h"
#include "model/limits/work.h"
#include "model/text/counted.h"
#include "verifier/certificate.h"
#include "verifier/certificate/clauses.h"
#include "verifier/certificate/formulas/formula.h"
#include "verifier/certificate/formulas/rounds.h"
#include "verifier/certificate/formulas/trees.h"
#include "verifier/certificate/groups.h"
#include "verifier/certificate/prices.h"
#include "verifier/certificate/proof_text.h"

namespace quadrille {
namespace certificate {
namespace {

// In steps.
std::optional<std::string> why_not_judged(const Certificate& certificate) {
  if (certificate.fabric.in_rounds()) return std::nullopt;
  if (certificate.collective.leaves_own_out()) return "nothing is known of processors that need several words";
  if (certificate.collective.idempotent() && std::holds_alternative<std::vector<Price>>(certificate.evidence))
    return "nothing is known of what must be paid where contributions may come several times";
  return std::nullopt;
}

// Whether a processor may as well join all that comes: more is never wrong (verifier/COMBINING_FORMULA.md).
bool kept_reductions_are_of_no_use(const Collective& collective) {
  return collective.idempotent() && !collective.shape()->by_rank();
}

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

CertificateReport unknown(Reason reason, const Limits& limits) {
  if (reason != Reason::limit) return unknown(reason, std::string(to_string(reason)));
  return unknown(reason, fmt::format("the judge would take more than {} MiB of memory", limits.memory >> 20));
}

CertificateReport judge_prices(const Certificate& certificate, const std::vector<Price>& prices, Work& work) {
  const auto worth = worth_of(certificate, prices);
  if (!worth) return report_of(CertificateVerdict::rejected, "what all resources carry is worth more than 2^62");
  const Payment payment = payment_of(certificate, prices, work);
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

CertificateReport judge_groups(const Certificate& certificate, const GroupCuts& groups, Work& work) {
  const EntryCount count = count_entries(certificate, groups, work);
  if (count.fault) return report_of(CertificateVerdict::rejected, *count.fault);
  const bool enough = count.needed > count.room;
  CertificateReport report =
      report_of(enough ? CertificateVerdict::accepted : CertificateVerdict::rejected,
                fmt::format("the borders of {} must be crossed {}; in {} there is room for {}, which is {}",
                            counted(groups.groups.size(), "group"), counted(count.needed, "time"),
                            counted(certificate.steps, "step"), count.room, enough ? "less" : "not less"));
  report.worth = count.room;
  report.paid = count.needed;
  return report;
}

CertificateReport judge_doublings(const Certificate& certificate, Work& work) {
  if (!certificate.fabric.in_rounds()) {
    return report_of(CertificateVerdict::rejected, "doublings are for fabrics that count rounds");
  }
  if (certificate.volume) return report_of(CertificateVerdict::rejected, "doublings show nothing of volume");
  auto [enough, why] = too_few_doublings(certificate.fabric, certificate.collective, certificate.steps, work);
  return report_of(enough ? CertificateVerdict::accepted : CertificateVerdict::rejected, std::move(why));
}

// Goes through a proof: the formula first, then line after line.
class ProofJudge {
 public:
  ProofJudge(const Certificate& certificate, ProofFile::About about, const ReadBytes& proof, Work& work)
      : certificate_(certificate),
        about_(about),
        work_(work),
        there_(proof != nullptr),
        proof_(proof, work),
        clauses_(work) {}

  CertificateReport judge() {
    const auto fault = why_no_formula(certificate_.fabric, certificate_.collective, about_);
    if (fault) return report_of(CertificateVerdict::rejected, *fault);
    if (const auto why = why_no_formula_of_volume()) return report_of(CertificateVerdict::rejected, *why);
    if (certificate_.phases && about_ == ProofFile::About::partial_reductions) {
      return report_of(CertificateVerdict::rejected,
                       "the formula over partial reductions is not about what leaves as it was when a phase began");
    }
    if (!there_) return unknown(Reason::unsupported, "the proof is not there");
    // The judge believes no formula that it is given: it writes the question's own.
    const auto size = write_formula(
        certificate_, about_,
        [this](std::span<const std::int32_t> clause) {
          clauses_.add(clause);
          return true;
        },
        work_);
    if (!size) return unknown(Reason::limit, "the formula is too large for the judge");
    size_ = *size;
    CertificateReport report = read_lines();
    report.variables = size_.variables;
    report.clauses = size_.clauses;
    report.proof_lines = proof_.clauses();
    return report;
  }

 private:
  CertificateReport read_lines() {
    std::pmr::vector<std::int32_t> literals(&work_);
    // Each lemma must follow before it is added. The proof is done at the first contradiction, wherever the text ends.
    while (!clauses_.contradiction()) {
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

  std::optional<std::string> why_no_formula_of_volume() const {
    if (!certificate_.volume) return std::nullopt;
    if (!certificate_.fabric.in_rounds()) return "the fabric counts steps, and volume is of rounds";
    if (*certificate_.volume == 0 || certificate_.steps == 0) return "there is no volume in no rounds";
    if (auto why = why_not_joined(certificate_.fabric, certificate_.collective, true)) return why;
    return why_no_volume(certificate_.fabric);
  }

  CertificateReport line_fault(std::string_view what) const {
    return report_of(CertificateVerdict::rejected, fmt::format("line {} of the proof: {}", proof_.line_number(), what));
  }

  const Certificate& certificate_;
  ProofFile::About about_;
  Work& work_;
  bool there_;
  ProofText proof_;
  Clauses clauses_;
  FormulaSize size_;
};

}  // namespace
}  // namespace certificate

std::string_view to_string(ProofFile::About about) {
  if (about == ProofFile::About::rounds) return "rounds";
  if (about == ProofFile::About::copies) return "copies";
  return about == ProofFile::About::partial_reductions ? "words" : "time_reversed";
}

std::string_view to_string(GroupCuts::Crossed border) {
  if (border == GroupCuts::Crossed::both) return "both";
  return border == GroupCuts::Crossed::in ? "in" : "out";
}

std::string_view to_string(CertificateVerdict verdict) {
  if (verdict == CertificateVerdict::accepted) return "accepted";
  return verdict == CertificateVerdict::rejected ? "rejected" : "unknown";
}

CertificateScope scope_of(const Certificate& certificate) {
  const auto* proof = std::get_if<ProofFile>(&certificate.evidence);
  if (proof == nullptr) return {};
  if (proof->about == ProofFile::About::partial_reductions) {
    return {.no_kept_reductions = !certificate::kept_reductions_are_of_no_use(certificate.collective)};
  }
  if (proof->about == ProofFile::About::time_reversed) return {.phases = certificate.phases};
  if (proof->about != ProofFile::About::copies) return {};
  // With queues of any length, a packet for one processor gains nothing elsewhere in a tree (verifier/FORMULA.md).
  const bool other_paths_serve = certificate.fabric.rules().queue.limit || !certificate.collective.unicast();
  const bool paths = certificate.paths_kept && certificate::tree_of(certificate.fabric) &&
                     (other_paths_serve || certificate.inject_once);
  return {.inject_once = certificate.inject_once, .paths_kept = paths, .phases = certificate.phases};
}

std::string claim_text(const Certificate& certificate) {
  std::string text =
      fmt::format("no schedule of {} on {} has {}{}", described(certificate.collective), described(certificate.fabric),
                  counted(certificate.steps, certificate.fabric.in_rounds() ? "round" : "step"),
                  certificate.steps == 0 ? "" : " or fewer");
  if (certificate.volume) text += fmt::format(" and a volume of {} or less", *certificate.volume);
  const CertificateScope scope = scope_of(certificate);
  if (scope.phases) text += fmt::format(", in {} at most", counted(*scope.phases, "phase"));
  if (scope.paths_kept) text += ", if packets keep to the paths from where they start";
  if (scope.no_kept_reductions) text += ", if processors keep no words";
  if (scope.inject_once) text += ", if every packet leaves each processor that it starts at in one step only";
  return text;
}

CertificateReport judge(const Certificate& certificate, const JudgeOptions& options) {
  Work work(options.limits);
  if (auto why = certificate::why_not_judged(certificate)) {
    return certificate::unknown(Reason::unsupported, *std::move(why));
  }
  try {
    if (const auto* prices = std::get_if<std::vector<Price>>(&certificate.evidence)) {
      if (certificate.fabric.in_rounds()) {
        return certificate::report_of(CertificateVerdict::rejected,
                                      "prices are of steps, and the fabric counts rounds");
      }
      return certificate::judge_prices(certificate, *prices, work);
    }
    if (const auto* groups = std::get_if<GroupCuts>(&certificate.evidence)) {
      return certificate::judge_groups(certificate, *groups, work);
    }
    if (std::holds_alternative<Doublings>(certificate.evidence)) {
      return certificate::judge_doublings(certificate, work);
    }
    const auto about = std::get<ProofFile>(certificate.evidence).about;
    return certificate::ProofJudge(certificate, about, options.proof, work).judge();
  } catch (const Ended& ended) {
    return certificate::unknown(ended.reason, options.limits);
  } catch (const std::bad_alloc& refusal) {
    return certificate::unknown(Reason::limit, std::string(why_no_memory(refusal)));
  }
}

}  // namespace quadrille
