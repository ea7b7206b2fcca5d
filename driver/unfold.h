// A table whose switches add up what passes them, as one whose switches forward: each contribution goes by itself.
#pragma once

#include "driver/inputs/context.h"
#include "model/send_table.h"
#include "model/text/result.h"

namespace quadrille::driver {

// The same sends, each partial reduction apart to each processor that it reaches, placed in steps on the same fabric
// with switches that forward (place/flights/unfolded_sends.h). The checker has judged it: it delivers what is demanded.
// A table whose switches add up nothing comes back as it is. Errors: it cannot be unfolded; a limit.
Result<SendTable> unfolded(const SendTable& table, Context& context);

}  // namespace quadrille::driver
