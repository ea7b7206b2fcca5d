// Turns the question about a reduction into that about the copying collective which it is with time reversed, where
// verifier/FORMULA.md (Combining collectives) shows that both have the same answer.
//
//   reduce to 0 on the line 0-1-2, T = 2: asked is the broadcast from 0; its rows 0->1 in step 1 and 1->2 in step 2 are
//   2->1 in step 1 and 1->0 in step 2 of the reduction
#include "verifier/certificate/formulas/time_reversal.h"

#include <fmt/format.h>

#include <utility>

namespace quadrille::certificate {

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

Certificate time_reversed(const Certificate& question) {
  return {question.fabric,
          collective_of_shape(question.collective.shape()->mirrored().value(), question.fabric.processors()).value(),
          question.steps,
          false,
          false,
          question.phases,
          {}};
}

}  // namespace quadrille::certificate
