// HeldPackets are a bit for each processor and packet: `carrying held` asks for all packets of a processor, in every
// round.
//
// For example, of an all-gather on 3 processors, processor 1 begins with 010, and has 011 when that of 0 has arrived.
// Cost: processors · packets / 8 bytes.
#include "compiler/plan/held_packets.h"

#include <fmt/format.h>

#include "model/text/evaluation_error.h"

namespace quadrille {

HeldPackets::HeldPackets(const Collective& collective, std::uint64_t memory, Span span)
    : words_(static_cast<std::size_t>(collective.chunk_ids() / 64 + 1)) {
  const std::uint32_t processors = collective.processors();
  if (words_ > memory / sizeof(std::uint64_t) / processors) {
    fail(span, fmt::format("what processors hold needs more than {} MiB of memory; that is the limit", memory >> 20),
         Code::limit);
  }
  bits_.resize(words_ * processors);
  for (std::uint64_t id = 0; id < collective.chunk_ids(); ++id) {
    const ChunkId chunk(id);
    if (!collective.has(chunk)) continue;
    // Only a custom list can say that another processor than its origin has a packet at the start.
    const std::uint32_t origin = collective.name(chunk).origin;
    const std::uint32_t first = collective.listed() ? 0 : origin;
    const std::uint32_t last = collective.listed() ? processors - 1 : origin;
    for (std::uint32_t p = first; p <= last; ++p) {
      if (collective.starts_at(chunk, NodeId(p))) add(NodeId(p), chunk);
    }
  }
}

void HeldPackets::add(NodeId processor, ChunkId chunk) {
  bits_[processor.value * words_ + chunk.value / 64] |= std::uint64_t{1} << (chunk.value % 64);
}

}  // namespace quadrille
