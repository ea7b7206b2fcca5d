// Reads fabrics and collectives that are named on the command line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/inputs/context.h"
#include "model/collective.h"
#include "model/fabric.h"
#include "model/text/result.h"

namespace quadrille::driver {

// The fabric that --on names. The context receives the notation, for diagnostics.
Result<Fabric> fabric_on(const std::string& notation, Context& context);

// The same fabric without these links ("0--1", "2->3").
Result<Fabric> fabric_on(const std::string& notation, const std::vector<std::string>& without, Context& context);

// The fabric in the form of the request: "torus:4x4", or "torus:4x4 without 0--1"; empty if none was given.
std::string asked_for(const std::string& on, const std::vector<std::string>& without);

// The collective that --collective names, for that number of processors; likewise.
Result<Collective> collective_named(const std::string& notation, std::uint32_t processors, Context& context);

// Both together: the subject of a question without a schedule.
struct CollectiveOnFabric {
  Fabric fabric;
  Collective collective;
};
Result<CollectiveOnFabric> collective_on(const std::string& on, const std::vector<std::string>& without,
                                         const std::string& collective, Context& context);

}  // namespace quadrille::driver
