// Reads the rows of a table together with the places where they were written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/send_table.h"
#include "model/text/source.h"

namespace quadrille::driver {

class LocatedRows {
 public:
  explicit LocatedRows(const RowSource& rows) : rows_(rows.open()), origins_(rows.open_origins()) {}

  // The next step, as RowCursor gives it.
  std::optional<StepRows> next();
  Reason ended_early() const { return rows_->ended_early(); }

  // The origins of `count` rows of that step, from row `first` on. Rows should be asked for in pieces, since each
  // origin takes some hundred bytes: `at_once` is a good number.
  std::vector<RowOrigin> origins(std::size_t first, std::size_t count);
  static constexpr std::size_t at_once = 1 << 16;

 private:
  std::unique_ptr<RowCursor> rows_;
  std::unique_ptr<OriginCursor> origins_;  // null: not known
  StepId step_;
  std::optional<StepId> located_;  // the step at which `origins_` is
};

// A place in a text, in the form for reports.
struct WrittenLine {
  std::string file;
  Position position;
  std::string text;  // the text there, to the end of the line
};

// Places in texts; each is computed once.
class WrittenLines {
 public:
  // Requires that the texts outlive it.
  explicit WrittenLines(const Sources& sources) : sources_(sources) {}

  // The line at the span; null if it is not known.
  const WrittenLine* at(Span span);

 private:
  const Sources& sources_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, WrittenLine> known_;  // by source and beginning
};

}  // namespace quadrille::driver
