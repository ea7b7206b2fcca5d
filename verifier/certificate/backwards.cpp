#include "verifier/certificate/backwards.h"

#include <fmt/format.h>

#include <utility>

namespace quadrille::certificate {

std::optional<std::string> why_not_backwards(const Fabric& fabric, const Collective& collective) {
  if (collective.kind() != CollectiveKind::reduce && collective.kind() != CollectiveKind::reduce_scatter) {
    return fmt::format("{} is no copying collective backwards", to_string(collective.kind()));
  }
  if (collective.ordered()) return fmt::format("the operation of {} is not commutative", collective.notation());
  if (fabric.nodes() != fabric.processors()) return "the fabric has switches";
  for (std::uint32_t e = 0; e < fabric.channels(); ++e) {
    const ChannelId reverse = fabric.reverse(ChannelId(e));
    if (fabric.channel(ChannelId(e)).capacity != fabric.channel(reverse).capacity) {
      return fmt::format("channel {} has another capacity than its reverse", fabric.name(ChannelId(e)));
    }
  }
  return std::nullopt;
}

Certificate backwards(const Certificate& question) {
  const CollectiveDescription& combining = question.collective.description();
  CollectiveDescription copying;
  copying.kind = combining.kind == CollectiveKind::reduce ? CollectiveKind::broadcast : CollectiveKind::allgather;
  copying.root = combining.root;
  copying.parts = combining.parts;
  const std::uint32_t n = question.fabric.processors();
  return {question.fabric, Collective::make(std::move(copying), n).value(), question.steps, false, false, {}, {}};
}

}  // namespace quadrille::certificate
