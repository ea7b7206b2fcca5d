// Lists rows of a table, each with the place where it was written.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "driver/look/step_range.h"
#include "model/limits/limits.h"
#include "model/send_table.h"

namespace quadrille::driver {

struct ListedRow {
  StepId step;
  Row row;
  std::optional<MessageId> message = {};   // in rounds
  std::optional<ReductionUse> words = {};  // if the table names partial reductions
  RowOrigin origin = {};
};

inline constexpr std::uint64_t most_listed_rows = 1'000'000;

struct ListedRows {
  std::vector<ListedRow> rows;  // in the order of the table
  bool cut = false;             // there are more rows: over the maximum, or after the limits were reached
};

// The rows of these steps, at most `most`. Memory: some 200 bytes for each.
ListedRows list_rows(const SendTable& table, const StepRange& steps, const Limits& limits,
                     std::uint64_t most = most_listed_rows);

// The rows of several ranges, in the order of the table. If the list is cut, some rows of the last listed step may be
// missing.
ListedRows list_rows_in(const std::vector<StepRange>& ranges, const SendTable& table, const Limits& limits,
                        std::uint64_t most = most_listed_rows);

}  // namespace quadrille::driver
