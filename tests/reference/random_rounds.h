// Random tables in rounds: messages of several chunks, along paths and trees; sensible ones, faulty ones, wild ones.
#pragma once

#include <cstdint>

#include "model/send_table.h"

namespace quadrille::reference {

// Of a few hundred rows, on fabrics of every kind, paths held or shared. The rows of a round come in a random order,
// now and then without message numbers.
SendTable random_rounds_table(std::uint64_t seed, bool words = false);

}  // namespace quadrille::reference
