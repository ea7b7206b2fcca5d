// Fabrics and collectives that are named on the command line.
#pragma once

#include <cstdint>
#include <string>

#include "driver/context.h"
#include "model/collective.h"
#include "model/fabric.h"
#include "model/result.h"

namespace quadrille::driver {

// The fabric that --on names. The context receives the notation, for diagnostics.
Result<Fabric> fabric_on(const std::string& notation, Context& context);

// The collective that --collective names, for that number of processors; likewise.
Result<Collective> collective_named(const std::string& notation, std::uint32_t processors, Context& context);

}  // namespace quadrille::driver
