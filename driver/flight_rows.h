// The rows of flights: what a table of them has.
#pragma once

#include <memory>

#include "model/send_table.h"
#include "place/flights/flights.h"

namespace quadrille::driver {

// The rows of flights over `fabric`; those that cross a channel at once take its lanes in the order of the flights.
std::shared_ptr<const StoredRows> rows_of(const Flights& flights, const Fabric& fabric);

}  // namespace quadrille::driver
