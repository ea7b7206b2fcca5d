// Whether there is a schedule in rounds, by trying them all: slow, obvious, and written from model/MODEL.md alone.
#pragma once

#include <cstdint>
#include <optional>

#include "model/collective.h"
#include "model/fabric.h"

namespace quadrille::tests {

// Whether in so many rounds everything can come where it is wanted: chunks; of a combining collective, contributions,
// in whatever partial reductions, out of switches that forward, or reduce, as often as one likes. Nothing if that would
// take more than so much work, or the fabric has more than 12 channels.
std::optional<bool> round_schedule_exists(const Fabric& fabric, const Collective& collective, std::uint32_t rounds,
                                          std::uint64_t most_work);

}  // namespace quadrille::tests
