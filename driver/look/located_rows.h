// The rows of a table, read together with where they were written.
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

  // As RowCursor has them.
  std::optional<StepRows> next();
  Reason ended_early() const { return rows_->ended_early(); }

  // Where `count` rows of that step were written, from the row `first` on. They are asked for piece by piece, since
  // each takes some hundred bytes: `at_once` is a good number.
  std::vector<RowOrigin> origins(std::size_t first, std::size_t count);
  static constexpr std::size_t at_once = 1 << 16;

 private:
  std::unique_ptr<RowCursor> rows_;
  std::unique_ptr<OriginCursor> origins_;  // null: not known
  StepId step_;
  std::optional<StepId> located_;  // where `origins_` stands
};

// A place in a text, as it is told.
struct WrittenLine {
  std::string file;
  Position position;
  std::string text;  // what is written there, to the end of the line
};

// Places in texts, each worked out once.
class WrittenLines {
 public:
  // The texts outlive it.
  explicit WrittenLines(const Sources& sources) : sources_(sources) {}

  // Null where it is not known.
  const WrittenLine* at(Span span);

 private:
  const Sources& sources_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, WrittenLine> known_;  // by source and beginning
};

}  // namespace quadrille::driver
