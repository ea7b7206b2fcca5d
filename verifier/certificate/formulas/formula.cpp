// Which formula a certificate is about, and whether there is one: the choice between copies.h, partial_reductions.h
// and, for the time-reversed question, copies.h again.
#include "verifier/certificate/formulas/formula.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "verifier/certificate.h"
#include "verifier/certificate/formulas/copies.h"
#include "verifier/certificate/formulas/partial_reductions.h"
#include "verifier/certificate/formulas/rounds.h"

namespace quadrille::certificate {
namespace {

// --- time reversed -------------------------------------------------------------------------------------------------

// A reduction is a copying collective with time reversed: "Combining collectives" of verifier/FORMULA.md.

// Turns the question about a reduction into that about the copying collective which it is with time reversed, where
// verifier/FORMULA.md (Combining collectives) shows that both have the same answer.
//
//   reduce to 0 on the line 0-1-2, T = 2: asked is the broadcast from 0; its rows 0->1 in step 1 and 1->2 in step 2 are
//   2->1 in step 1 and 1->0 in step 2 of the reduction

// Nothing, or why this is no copying collective time-reversed on this fabric. Requires a combining collective.
std::optional<std::string> why_not_time_reversed(const Fabric& fabric, const Collective& collective) {
  const auto mirror = collective.shape() ? collective.shape()->mirrored() : std::nullopt;
  if (!collective.combining() || !mirror || mirror->combining()) {
    return fmt::format("{} is no copying collective time-reversed", to_string(collective.kind()));
  }
  if (collective.ordered()) return fmt::format("the operation of {} is not commutative", collective.notation());
  if (fabric.has_switches() && !fabric.switches_reduce()) {
    return "the fabric has switches that do not reduce";
  }
  for (std::uint32_t e = 0; e < fabric.channels(); ++e) {
    const auto reverse = fabric.reverse(ChannelId(e));
    if (!reverse) return fmt::format("the link {} goes one way only", fabric.name(ChannelId(e)));
    if (fabric.channel(ChannelId(e)).capacity != fabric.channel(*reverse).capacity) {
      return fmt::format("channel {} has another capacity than its reverse", fabric.name(ChannelId(e)));
    }
  }
  return std::nullopt;
}

// The question about the copying collective, which has the same answer. Requires !why_not_time_reversed(…).
Certificate time_reversed(const Certificate& question) {
  return {question.fabric,
          collective_of_shape(question.collective.shape()->mirrored().value(), question.fabric.processors()).value(),
          question.steps,
          false,
          false,
          question.phases,
          {}};
}

}  // namespace

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
