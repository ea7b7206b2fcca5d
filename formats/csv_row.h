// Private to formats/: one row of a CSV table after another, however it is written. A row that is written plainly is
// read fast (plain_rows.h). Of another the fields are split by hand: none has quotes or commas. A fault names its
// field's place.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "formats/head.h"
#include "formats/plain_rows.h"
#include "formats/row_uses.h"
#include "formats/rows.h"
#include "model/text/counted.h"

namespace quadrille {

inline constexpr std::string_view csv_header = "step,from,to,lane,origin,target,part";
inline constexpr std::string_view csv_message_header = "step,from,to,lane,origin,target,part,message";
inline constexpr std::string_view csv_use_columns =
    ",words,arrival";  // behind either, of rows that say something of words

class CsvRowReader {
 public:
  // Reads rows of that text, which the head is of; each row has row_fields or message_fields, and, with `uses`,
  // use_fields more. The head stays where it is.
  CsvRowReader(std::string_view text, std::uint32_t source, const TableHead& head, std::size_t fields,
               bool uses = false)
      : text_(text), source_(source), head_(head), fields_(fields), uses_(uses), plain_(head.fabric, head.collective) {}

  // Whether the line at `at` is a row; if not, the faults get what is wrong. `at` moves to the next line.
  // Requires 8 bytes before `at`, and one behind it; and rows without uses.
  bool read(std::size_t& at, PlainRow& row, TableFaults& faults) {
    if (const char* next = plain_.csv(text_.data() + at, text_.data() + text_.size(), fields_, row)) {
      at = static_cast<std::size_t>(next - text_.data());
      return true;
    }
    const Line line = line_at(text_, at);
    at = line.next;
    return read_fields(line, row, faults);
  }

  // The same of a row with uses.
  bool read(std::size_t& at, PlainRow& row, ReductionUse& use, TableFaults& faults) {
    const Line line = line_at(text_, at);
    at = line.next;
    if (!read_fields(line, row, faults)) return false;
    UseFault wrong;
    auto found = use_of(field(fields_), field(fields_ + 1), row.row.row, head_.fabric, head_.collective, wrong);
    if (found) {
      use = std::move(*found);
      return true;
    }
    const auto begin = static_cast<std::size_t>(wrong.piece.data() - text_.data());
    faults.add(span(begin, begin + wrong.piece.size()), std::move(wrong.message));
    return false;
  }

  std::size_t fields() const { return fields_; }
  const PlainRows& plain() const { return plain_; }

 private:
  Span span(std::size_t begin, std::size_t end) const { return span_of(source_, begin, end); }
  std::size_t field_end(std::size_t field) const { return starts_[field + 1] - 1; }
  std::string_view field(std::size_t index) const {
    return text_.substr(starts_[index], field_end(index) - starts_[index]);
  }

  bool read_fields(const Line& line, PlainRow& row, TableFaults& faults) {
    if (!split(line, faults)) return false;
    RowWords words;
    words.from = field(1);
    words.to = field(2);
    const bool everyone = field(5) == "*" && !uses_;
    std::uint64_t target = 0;
    if (!number(0, words.step, faults) || !number(3, words.lane, faults) || !number(4, words.origin, faults) ||
        (!everyone && !number(5, target, faults)) || !number(6, words.part, faults))
      return false;
    if (!everyone) words.target = target;
    if (fields_ == message_fields && !number(7, words.message, faults)) return false;
    RowFault fault;
    const auto found = row_of(words, head_.fabric, head_.collective, fault);
    if (!found) {
      faults.add(span(starts_[fault.first_field], field_end(fault.last_field)), std::move(fault.message), fault.code);
      return false;
    }
    row = {*found, MessageId(static_cast<std::uint32_t>(words.message))};
    return true;
  }

  // Finds where each field of the line begins; false if there are not as many as the header line has.
  bool split(const Line& line, TableFaults& faults) {
    const std::size_t expected = fields_ + (uses_ ? use_fields : 0);
    std::size_t fields = 1;
    starts_[0] = line.begin;
    for (std::size_t at = line.begin; at < line.end; ++at) {
      if (text_[at] != ',') continue;
      if (fields < expected) starts_[fields] = at + 1;
      ++fields;
    }
    starts_[expected] = line.end + 1;
    if (fields == expected) return true;
    faults.add(span(line.begin, line.end),
               fmt::format("{} in this row; expected {}: {}{}", counted(fields, "field"), expected,
                           fields_ == row_fields ? csv_header : csv_message_header, uses_ ? csv_use_columns : ""));
    return false;
  }

  bool number(std::size_t index, std::uint64_t& result, TableFaults& faults) const {
    std::string fault = number_fault(field_names[index], field(index), result);
    if (fault.empty()) return true;
    faults.add(span(starts_[index], field_end(index)), std::move(fault));
    return false;
  }

  std::string_view text_;
  std::uint32_t source_;
  const TableHead& head_;
  std::size_t fields_;
  bool uses_;
  PlainRows plain_;
  std::array<std::size_t, message_fields + use_fields + 1> starts_{};  // of the fields of the line that is read
};

}  // namespace quadrille
