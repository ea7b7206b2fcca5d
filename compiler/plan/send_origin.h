// These functions find the statements in which the sends of a plan were written.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "compiler/plan/plan.h"
#include "model/send_table.h"
#include "place/flights/flights.h"

namespace quadrille {

// Returns, for each serial number, the statement of the send, the values of the variables there, and the schedule's own
// statement that it comes from; unknown where there is no number. Runs the region of each of the sends once.
std::vector<RowOrigin> origins_of(const Plan& plan, std::span<const std::optional<SendSerial>> serials);

// Returns RowOrigin::outermost of each of these sends.
std::vector<Span> phases_of(const Plan& plan, std::span<const SendSerial> serials);

}  // namespace quadrille
