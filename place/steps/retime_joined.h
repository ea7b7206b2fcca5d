// Retiming for packets that join in switches: each row is placed as early as it can carry what it carried.
#pragma once

#include <optional>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/limits.h"
#include "place/flights/flights.h"
#include "place/held/send_reductions.h"
#include "place/steps/placer.h"

namespace quadrille {

// The flights, over the channels of both fabrics, in other steps of `target`, whose switches reduce as those of
// `written_for` do: every row carries what it carried, and joins what it joined. On a fabric whose lanes and ports they
// keep to, never later than they were. Throws EvaluationError: where they break the rules of joining on `written_for`;
// where rows that stay together do not fit into one step (Code::unsupported); at a limit.
RetimedFlights retimed_joined(const Flights& flights, const Fabric& written_for, const Collective& collective,
                              const Fabric& target, const Limits& limits, ReductionsOfSends* words);

// Whether all hold the same in the end, and nothing goes wrong, if the switches of `fabric`, which reduce, do not join
// these flights.
bool need_not_join(const Flights& flights, const Fabric& fabric, const Collective& collective, const Limits& limits,
                   ReductionsOfSends* words);

// The flights, over `written_for`, by default routes of `target`, whose switches reduce: those that arrived together
// join where their routes meet, and all are retimed. Each carries out of its source what it carried, and all end with
// what they ended with. Nothing if that cannot be had so, or if the schedule names paths. Throws EvaluationError at a
// limit.
std::optional<RetimedFlights> joined_elsewhere(const Flights& flights, const Fabric& written_for,
                                               const Collective& collective, const Fabric& target, const Limits& limits,
                                               ReductionsOfSends* words);

}  // namespace quadrille
