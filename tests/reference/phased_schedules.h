// Whether there is a schedule of V steps in S phases, by trying them all: slow, obvious, and written from
// model/MODEL.md (Phases) alone.
#pragma once

#include <cstdint>
#include <optional>

#include "model/collective.h"
#include "model/fabric.h"

namespace quadrille::reference {

// Whether in so many steps, cut into so many phases at most, everything can come where it is wanted. Nothing if that
// would take more than so much work; if queues are limited; of an exclusive prefix; or where it is not known to be the
// same as what follows. Chunks, and partial reductions where it does not matter how often a contribution comes (the
// operation is idempotent; or there is one target of each value, so that the ways by which contributions come can be
// chosen), are sets that are united. Else what comes must be disjoint from what is held, or contain it, and packets are
// sent to their targets themselves.
std::optional<bool> phased_schedule_exists(const Fabric& fabric, const Collective& collective, std::uint32_t phases,
                                           std::uint32_t steps, std::uint64_t most_work);

}  // namespace quadrille::reference
