// What a page shows of a table, as JSON (PAGE.md): the machine, the rows of which each can be shown or the counts of
// those that are too many, how links are used, and the texts that rows were written in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/look/step_range.h"
#include "model/limits/limits.h"
#include "model/send_table.h"
#include "model/text/source.h"
#include "pages/page.h"

namespace quadrille::pages {

inline constexpr std::uint64_t most_rows_shown = 200'000;

struct TablePart {
  const SendTable& table;
  const Sources& sources;  // of the context that opened it; none: rows are shown without where they were written
  std::optional<driver::StepRange> window = {};  // these steps are shown row by row, however long the table is
  std::vector<std::uint32_t> steps = {};         // likewise each of these, as far as there is room
  Limits limits = {};
};

// The blocks machine, rows, use, sources and, of more rows than most_rows_shown, cells.
std::vector<PageBlock> table_blocks(const TablePart& part);

}  // namespace quadrille::pages
