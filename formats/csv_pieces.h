// Private to formats/: the rows of a large CSV text, read by several threads side by side.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "formats/plain_rows.h"
#include "formats/row_list.h"
#include "model/limits/limits.h"

namespace quadrille {

// How a text is cut. What is read does not depend on it.
struct CsvPieces {
  std::size_t bytes = std::size_t{1} << 20;  // of a piece, at least 1; it ends with the line that is there
  unsigned threads = 0;                      // one piece each; 0: as many as the machine runs at once, up to 8
};

// The plain rows (plain_rows.h) that a piece begins with.
struct PieceOfRows {
  RowList rows;
  std::size_t end = 0;            // of the piece
  std::size_t next = 0;           // the first row that was not taken; `end` if all were
  Reason stopped = Reason::none;  // limits ended it
};

class PieceReader {
 public:
  // Of that text, whose rows have so many fields. `plain` is copied for each thread.
  PieceReader(std::string_view text, std::size_t fields, const PlainRows& plain, const CsvPieces& pieces);

  // Whether there is more than one piece's worth of text from there on, and there are threads to share it.
  bool worthwhile(std::size_t at) const { return readers_.size() > 1 && text_.size() - at > bytes_; }

  // The next pieces, as many as there are threads, from the beginning of a row on. `empty`: a list like those to make.
  std::vector<PieceOfRows> read(std::size_t at, const RowList& empty);

 private:
  PieceOfRows read_piece(PlainRows& plain, std::size_t begin, std::size_t end, const RowList& empty) const;
  std::size_t end_of_piece(std::size_t begin) const;

  std::string_view text_;
  std::size_t fields_;
  std::size_t bytes_;
  std::vector<PlainRows> readers_;  // one a thread: each remembers what it saw last
};

}  // namespace quadrille
