// The default families for functions that are given none: those that Quadrille knows by itself. See model/families.h.
#pragma once

namespace quadrille {

struct Families;  // the lists of topologies and collectives

const Families& standard_families();

}  // namespace quadrille
