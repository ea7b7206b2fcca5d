// Where the sends of a plan were written.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "compiler/plan/flights.h"
#include "compiler/plan/plan.h"
#include "model/send_table.h"

namespace quadrille {

// The statements, the values of the variables there, and the statements of the schedule itself that they come from; by
// serial number, unknown where there is none. Runs the region of each of the sends once.
std::vector<RowOrigin> origins_of(const Plan& plan, std::span<const std::optional<SendSerial>> serials);

// RowOrigin::outermost of each of these.
std::vector<Span> phases_of(const Plan& plan, std::span<const SendSerial> serials);

}  // namespace quadrille
