// Rows that are kept when they are first read to the end, so that later readers need not have them made again.
#pragma once

#include <cstdint>
#include <memory>

#include "model/send_table.h"

namespace quadrille::driver {

// The same rows, in the same order. If there are no more than `most`, the first cursor that reads all of them keeps
// them. Says nothing of their origins. For one thread at a time.
std::shared_ptr<const RowSource> kept_rows(std::shared_ptr<const RowSource> rows, std::uint64_t most);

}  // namespace quadrille::driver
