// Whether there is a schedule in rounds of so much volume, by trying them all: slow, obvious, and written from
// model/MODEL.md alone.
#pragma once

#include <cstdint>
#include <optional>

#include "model/collective.h"
#include "model/fabric.h"

namespace quadrille::tests {

// Whether in so many rounds, and so much volume, everything can come where it is wanted: chunks; of a combining
// collective, contributions: what a sender has of one value counts as one, and whatever comes is united. Switches keep
// what they forward. Nothing if that would take more than so much work, or there are more than 10 channels.
std::optional<bool> volume_is_enough(const Fabric& fabric, const Collective& collective, std::uint32_t rounds,
                                     std::uint32_t volume, std::uint64_t most_work);

}  // namespace quadrille::tests
