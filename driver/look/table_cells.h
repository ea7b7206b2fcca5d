// Counts the rows of a table that is too large to be looked at row by row. For lines of channels and spans of steps,
// it gives the number of rows, and the phase that most of them come from.
#pragma once

#include <cstdint>
#include <vector>

#include "driver/look/link_use.h"
#include "model/limits/limits.h"
#include "model/send_table.h"
#include "model/text/source.h"

namespace quadrille::driver {

// Neighbouring channels of one group.
struct CellLine {
  std::uint32_t group = 0;  // of channel_groups()
  std::vector<ChannelId> channels;
};

struct TableCell {
  std::uint64_t rows = 0;
  std::int32_t phase = -1;  // of TableCells::phases; -1: not known
};

struct TableCells {
  TableUse use;  // without queues; its spans are those of the cells
  std::vector<CellLine> lines;
  std::vector<std::vector<TableCell>> cells;  // by line and span
  std::vector<Span> phases;                   // in the order in which they come
};

struct CellsWanted {
  std::uint32_t lines = 500;
  std::uint32_t spans = 200;
};

// Counts the cells. Cost: the rows are read once, and once more if the table does not know its last step. Memory:
// lines times spans, and for each line its phases of one span.
TableCells table_cells(const SendTable& table, const CellsWanted& wanted, const Limits& limits = {});

}  // namespace quadrille::driver
