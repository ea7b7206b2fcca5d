// A large text is cut after the line in which each piece's bytes end, and every thread reads one piece into a list of
// its own; the lists are put together in the order of the text. A piece is read up to its first row that is not a plain
// one: that row, and the rest of its piece, are left to the reader proper, so that faults are found, and counted, as if
// nothing had been cut. Cost: that of the rows, divided by the threads, and a copy of 8 bytes a row.
#include "formats/csv_pieces.h"

#include <algorithm>
#include <future>
#include <system_error>
#include <thread>

#include "formats/head.h"

namespace quadrille {
namespace {

// On a thread of its own; where there is none to be had, when it is asked for.
template <class Work>
std::future<PieceOfRows> begun(const Work& work) {
  try {
    return std::async(std::launch::async, work);
  } catch (const std::system_error&) {
    return std::async(std::launch::deferred, work);
  }
}

unsigned threads_of(const CsvPieces& pieces) {
  constexpr unsigned most = 8;
  return pieces.threads != 0 ? pieces.threads : std::min(std::thread::hardware_concurrency(), most);
}

}  // namespace

PieceReader::PieceReader(std::string_view text, std::size_t fields, const PlainRows& plain, const CsvPieces& pieces)
    : text_(text), fields_(fields), bytes_(pieces.bytes) {
  if (text.size() < 2 * bytes_) return;
  for (unsigned threads = threads_of(pieces); threads > 0; --threads) readers_.push_back(plain);
}

std::vector<PieceOfRows> PieceReader::read(std::size_t at, const RowList& empty) {
  std::vector<std::future<PieceOfRows>> begun_pieces;
  for (PlainRows& plain : readers_) {
    if (at == text_.size()) break;
    const std::size_t end = end_of_piece(at);
    begun_pieces.push_back(begun([this, &plain, &empty, at, end] { return read_piece(plain, at, end, empty); }));
    at = end;
  }
  std::vector<PieceOfRows> pieces;
  for (auto& piece : begun_pieces) pieces.push_back(piece.get());
  return pieces;
}

std::size_t PieceReader::end_of_piece(std::size_t begin) const {
  if (text_.size() - begin <= bytes_) return text_.size();
  return line_at(text_, begin + bytes_ - 1).next;
}

PieceOfRows PieceReader::read_piece(PlainRows& plain, std::size_t begin, std::size_t end, const RowList& empty) const {
  PieceOfRows piece{empty, end, begin, Reason::none};
  const char* const text = text_.data();
  PlainRow found;
  while (piece.next < end && piece.stopped == Reason::none) {
    const char* next = plain.csv(text + piece.next, text + text_.size(), fields_, found);
    if (next == nullptr) break;
    piece.stopped = fields_ == message_fields ? piece.rows.add(found.row, found.message) : piece.rows.add(found.row);
    piece.next = static_cast<std::size_t>(next - text);
  }
  return piece;
}

}  // namespace quadrille
