// Where a send of a plan was written.
#pragma once

#include "compiler/flights.h"
#include "compiler/plan.h"
#include "model/send_table.h"

namespace quadrille {

// The statement, and the values of the variables there. Runs the send's region again, up to that send.
RowOrigin origin_of(const Plan& plan, SendSerial serial);

}  // namespace quadrille
