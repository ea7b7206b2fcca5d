// Whether there is a schedule of a combining collective, by trying them all: slow, obvious, and written from
// model/MODEL.md alone.
#pragma once

#include <cstdint>
#include <optional>

#include "model/collective.h"
#include "model/fabric.h"

namespace quadrille::tests {

// Whether there is a schedule of so many steps or fewer. Nothing if that would take more than so many steps of work.
// Requires a combining collective of at most 8 processors.
std::optional<bool> combining_schedule_exists(const Fabric& fabric, const Collective& collective, std::uint32_t steps,
                                              std::uint64_t most_work);

}  // namespace quadrille::tests
