// Names of fabrics and collectives for messages and reports, where their whole notation may be too long.
#pragma once

#include <string>

#include "model/collective.h"
#include "model/fabric.h"

namespace quadrille {

// The notation. If it holds JSON, or is longer than 80 characters, kind and size instead: "ring:8", "a graph of 4
// processors and 2 switches", "total_exchange", "a custom collective of 12 chunks".
std::string described(const Fabric& fabric);
std::string described(const Collective& collective);

}  // namespace quadrille
