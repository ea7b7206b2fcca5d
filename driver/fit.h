// Which tables fit a question: what they do, and how their fabric counts time.
#pragma once

#include "model/collective.h"
#include "model/fabric.h"

namespace quadrille::driver {

// The fabric counting so; where it did not count rounds before, messages share lanes.
Fabric timed(const Fabric& fabric, Timing timing);

// Whether what is done is what is asked for: that collective, its messages cut into any number of chunks.
bool does(const Collective& done, const Collective& asked);

}  // namespace quadrille::driver
