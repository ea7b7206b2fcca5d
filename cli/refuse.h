// Bad input, said.
#pragma once

#include "driver/environment.h"
#include "model/diagnostic.h"

namespace quadrille::cli {

// Says what is wrong and returns the status of bad input.
int refuse(const Diagnostics& diagnostics, const Sources& sources, driver::Environment& environment);

}  // namespace quadrille::cli
