// Private to formats/: our own formats of send tables, which TABLE_FORMAT.md describes byte by byte.
#pragma once

#include "formats/csv_pieces.h"
#include "formats/formats.h"

namespace quadrille {

Format csv_format();
Format json_format();
Format binary_format();

Result<SendTable> read_csv(const TableInput& input, const CsvPieces& pieces);

// Reads JSON tables however they are written.
Result<SendTable> read_any_json(const TableInput& input);

}  // namespace quadrille
