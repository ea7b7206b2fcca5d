// Rows of a table that someone asks to see, each with where it was written.
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
  std::optional<ReductionUse> words = {};  // where the table says something of words
  RowOrigin origin = {};
};

inline constexpr std::uint64_t most_listed_rows = 1'000'000;

struct ListedRows {
  std::vector<ListedRow> rows;  // in the order of the table
  bool cut = false;             // there are more: beyond those that may be listed, or the limits were reached
};

// Those of these steps, `most` at most. Memory: some 200 bytes for each of them.
ListedRows list_rows(const SendTable& table, const StepRange& steps, const Limits& limits,
                     std::uint64_t most = most_listed_rows);

// The same of several ranges at once, in the order of the table. If it is cut, the last step listed may miss some.
ListedRows list_rows_in(const std::vector<StepRange>& ranges, const SendTable& table, const Limits& limits,
                        std::uint64_t most = most_listed_rows);

}  // namespace quadrille::driver
