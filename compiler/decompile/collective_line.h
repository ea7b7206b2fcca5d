// collective_line writes a collective as a schedule names it, or lists its chunks.
#pragma once

#include <string>

#include "model/collective.h"

namespace quadrille {

// "collective scatter(root: 3)" and a line's end; of a custom collective a line below for each chunk.
std::string collective_line(const Collective& collective);

}  // namespace quadrille
