// Which formula a certificate is about, and whether there is one: the choice between copies.h, partial_reductions.h
// and, for the time-reversed question, copies.h again.
#include "verifier/certificate/formulas/formula.h"

#include <fmt/format.h>

#include "verifier/certificate/formulas/copies.h"
#include "verifier/certificate/formulas/partial_reductions.h"
#include "verifier/certificate/formulas/rounds.h"
#include "verifier/certificate/formulas/time_reversal.h"

namespace quadrille::certificate {

using About = ProofFile::About;

namespace {

// The formula over partial reductions is about switches that copy (COMBINING_FORMULA.md, Other switches).
std::optional<std::string> why_switches_differ(const Fabric& fabric, const Collective& collective) {
  const Rules& rules = fabric.rules();
  if (!fabric.has_switches() || rules.switches == Switching::copy) return std::nullopt;
  if (rules.switches_reduce()) return "the switches join partial reductions";
  if (!collective.shape()->shared() && !collective.idempotent()) return std::nullopt;
  return "two partial reductions of one packet may meet in a switch that forwards";
}

}  // namespace

std::optional<std::string> why_no_formula(const Fabric& fabric, const Collective& collective, About about) {
  const bool rounds = fabric.in_rounds();
  if (rounds != (about == About::rounds)) return rounds ? "the fabric counts rounds" : "the fabric counts steps";
  if (rounds) return why_not_joined(fabric, collective, false);
  if (collective.combining() == (about == About::copies)) {
    return fmt::format("{} is no {} collective", to_string(collective.kind()),
                       about == About::copies ? "copying" : "combining");
  }
  if (about == About::time_reversed) return why_not_time_reversed(fabric, collective);
  return about == About::partial_reductions ? why_switches_differ(fabric, collective) : std::nullopt;
}

std::optional<FormulaSize> write_formula(const Certificate& question, About about, const TakeClause& take, Work& work) {
  Writer writer(take, work);
  const bool written = about == About::rounds
                           ? write_rounds(question.fabric, question.collective, question.steps, question.volume, writer)
                       : about == About::partial_reductions
                           ? write_partial_reductions(question.fabric, question.collective, question.steps, writer)
                       : about == About::copies ? write_copies(question, writer)
                                                : write_copies(time_reversed(question), writer);
  if (!written || writer.stopped()) return std::nullopt;
  return writer.size();
}

}  // namespace quadrille::certificate
