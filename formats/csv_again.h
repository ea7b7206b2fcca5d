// Private to formats/: a CSV table whose rows are not kept, but read anew by each cursor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "formats/formats.h"
#include "formats/head.h"
#include "formats/rows.h"
#include "model/limits/limits.h"
#include "model/send_table.h"

namespace quadrille {

// Where the rows of a text stand.
struct CsvText {
  SharedBytes file;          // owns its bytes
  std::uint32_t source = 0;  // of which the spans of faults are
  std::size_t begin = 0;     // of the first row, at least 8
  std::size_t fields = 0;    // row_fields or message_fields
};

class CsvAgain final : public RowSource {
 public:
  // Reads all rows once. Null if there are faults; or, and then `stopped` says it, if the limits do not allow it, or
  // the steps go back: such rows must be kept. The rows of one step are kept at a time, in `memory` bytes.
  static std::shared_ptr<const CsvAgain> make(const CsvText& text, const TableHead& head, const Limits& limits,
                                              std::uint64_t memory, TableFaults& faults, Reason& stopped);

  std::unique_ptr<RowCursor> open() const override;
  std::optional<std::uint64_t> row_count() const override { return rows_; }
  std::optional<StepId> last_step() const override { return last_step_; }
  bool has_messages() const override { return text_.fields == message_fields && rows_ > 0; }

 private:
  class Cursor;
  CsvAgain(const CsvText& text, const TableHead& head, std::uint64_t memory);

  CsvText text_;
  TableHead head_;
  Limits limits_;  // of a cursor, which knows of no deadline
  std::uint64_t rows_ = 0;
  StepId last_step_;
};

}  // namespace quadrille
