// What has come of placing flights anew.
#pragma once

#include "compiler/plan/flights.h"
#include "compiler/plan/held/partial_reductions.h"
#include "compiler/plan/held/send_words.h"
#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/limits.h"

namespace quadrille {

// Whether with these flights on `fabric` every processor ends with the contributions that it ended with `before`, and
// nothing goes wrong that did not then. Of combining collectives. Throws EvaluationError at a limit.
bool retimed_to_the_same(const Flights& flights, const PartialReductions& before, const Fabric& fabric,
                         const Collective& collective, const Limits& limits, WordsOfSends* words);

}  // namespace quadrille
