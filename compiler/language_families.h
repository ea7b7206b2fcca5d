// The families that the language knows by itself are the default where a caller gives none.
#pragma once

namespace quadrille {

struct Families;  // the lists of topologies and collectives (model/families.h)

// Returns the standard families, and those of the fabrics that ship (dsl/fabrics/).
const Families& language_families();

}  // namespace quadrille
