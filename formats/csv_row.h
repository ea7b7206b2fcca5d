// Private to formats/: one row of a CSV table after another, however it is written.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "formats/head.h"
#include "formats/plain_rows.h"
#include "formats/rows.h"

namespace quadrille {

inline constexpr std::string_view csv_header = "step,from,to,lane,origin,target,part";
inline constexpr std::string_view csv_message_header = "step,from,to,lane,origin,target,part,message";

class CsvRowReader {
 public:
  // Of that text, which the head is of; each row has row_fields or message_fields. The head stays where it is.
  CsvRowReader(std::string_view text, std::uint32_t source, const TableHead& head, std::size_t fields)
      : text_(text), source_(source), head_(head), fields_(fields), plain_(head.fabric, head.collective) {}

  // Whether the line at `at` is a row; if not, the faults get what is wrong. `at` moves to the next line.
  // Requires 8 bytes before `at`, and one behind it.
  bool read(std::size_t& at, PlainRow& row, TableFaults& faults);

  std::size_t fields() const { return fields_; }
  const PlainRows& plain() const { return plain_; }

 private:
  Span span(std::size_t begin, std::size_t end) const { return span_of(source_, begin, end); }
  std::size_t field_end(std::size_t field) const { return starts_[field + 1] - 1; }
  std::string_view field(std::size_t index) const {
    return text_.substr(starts_[index], field_end(index) - starts_[index]);
  }
  bool read_fields(const Line& line, PlainRow& row, TableFaults& faults);
  bool split(const Line& line, TableFaults& faults);
  bool number(std::size_t index, std::uint64_t& result, TableFaults& faults) const;

  std::string_view text_;
  std::uint32_t source_;
  const TableHead& head_;
  std::size_t fields_;
  PlainRows plain_;
  std::array<std::size_t, message_fields + 1> starts_{};  // of the fields of the line that is read
};

}  // namespace quadrille
