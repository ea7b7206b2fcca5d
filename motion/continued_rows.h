// continued_rows reads the rows of a table in steps as sends: each row says which rows go on with what it brings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/limits/work.h"
#include "model/send_table.h"
#include "model/text/result.h"

namespace quadrille {

struct ContinuedRow {
  std::uint32_t step = 0;
  Row row;
  std::vector<std::size_t> next;  // the rows out of the switch that it enters which go on with it, by index
};

// Returns the rows in which every send is a row out of a processor and those that go on with it; of one packet, or
// value where packets join, in order of steps. An error says which row leaves a switch that has nothing. Throws Ended.
// Cost: rows · log(rows).
Result<std::vector<ContinuedRow>> continued_rows(const SendTable& table, Work& work);

}  // namespace quadrille
