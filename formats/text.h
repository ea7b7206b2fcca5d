// Private to formats/: output collected into large pieces, and the rows of CSV and JSON tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/formats.h"
#include "model/send_table.h"

namespace quadrille {

// Hands what is written to the sink in large pieces. After the sink has refused one, nothing more is handed over.
class TableOutput {
 public:
  explicit TableOutput(const Sink& sink) : sink_(sink), buffer_(piece) {}

  // Room for `size` bytes to be written at the place returned; wrote() then says where they end.
  char* room(std::size_t size);
  void wrote(const char* end) { used_ = static_cast<std::size_t>(end - buffer_.data()); }

  void put(std::string_view text);
  bool ok() const { return ok_; }
  // Hands over what is left; whether the sink took everything.
  bool finish();

 private:
  static constexpr std::size_t piece = std::size_t{1} << 18;
  void flush();

  const Sink& sink_;
  std::vector<char> buffer_;
  std::size_t used_ = 0;
  bool ok_ = true;
};

// How one row is written around its numbers, which commas part.
struct RowStyle {
  std::string_view first;                             // before the first row
  std::string_view open;                              // before every other row
  std::string_view close;                             // after every row
  std::string_view everyone;                          // the target of a chunk for everyone
  std::function<std::string(std::string_view)> node;  // a node's name, or another text
};

// Writes every row of the table in order, with its fields `words` and `arrival` if rows say something of words. Why
// they end before the table does, if so.
Reason put_rows(const SendTable& table, const RowStyle& style, TableOutput& output);

}  // namespace quadrille
