// Fabrics with links of random speeds.
#pragma once

#include "model/fabric.h"
#include "tests/reference/random_tables.h"

namespace quadrille::reference {

// The same nodes, channels and rules, so that tables can change over. Some links say a latency of up to 9 s, some a
// bandwidth of up to 4 bytes a second, some nothing; at least one says something.
Fabric with_random_speeds(const Fabric& fabric, Dice& dice);

}  // namespace quadrille::reference
