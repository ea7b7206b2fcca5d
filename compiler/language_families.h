// What functions take for families that are not given: those that the language knows by itself.
#pragma once

namespace quadrille {

struct Families;  // the lists of topologies and collectives (model/families.h)

// The standard families, and those of the fabrics that ship (dsl/fabrics/).
const Families& language_families();

}  // namespace quadrille
