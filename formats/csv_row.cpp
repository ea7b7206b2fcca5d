// A row that is written plainly is read fast (plain_rows.h). Of another the fields are split by hand: none has quotes
// or commas. A fault names its field's place.
#include "formats/csv_row.h"

#include <fmt/format.h>

#include <utility>

#include "formats/text.h"
#include "model/text/counted.h"

namespace quadrille {

bool CsvRowReader::read(std::size_t& at, PlainRow& row, TableFaults& faults) {
  if (const char* next = plain_.csv(text_.data() + at, text_.data() + text_.size(), fields_, row)) {
    at = static_cast<std::size_t>(next - text_.data());
    return true;
  }
  const Line line = line_at(text_, at);
  at = line.next;
  return read_fields(line, row, faults);
}

bool CsvRowReader::read_fields(const Line& line, PlainRow& row, TableFaults& faults) {
  if (!split(line, faults)) return false;
  RowWords words;
  words.from = field(1);
  words.to = field(2);
  const bool everyone = field(5) == "*";
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
bool CsvRowReader::split(const Line& line, TableFaults& faults) {
  std::size_t fields = 1;
  starts_[0] = line.begin;
  for (std::size_t at = line.begin; at < line.end; ++at) {
    if (text_[at] != ',') continue;
    if (fields < fields_) starts_[fields] = at + 1;
    ++fields;
  }
  starts_[fields_] = line.end + 1;
  if (fields == fields_) return true;
  faults.add(span(line.begin, line.end), fmt::format("{} in this row; expected {}: {}", counted(fields, "field"),
                                                     fields_, fields_ == row_fields ? csv_header : csv_message_header));
  return false;
}

bool CsvRowReader::number(std::size_t index, std::uint64_t& result, TableFaults& faults) const {
  const auto text = field(index);
  const NumberFault fault = read_number(text, result);
  if (fault == NumberFault::none) return true;
  const char* what = fault == NumberFault::too_large      ? "is too large a number"
                     : fault == NumberFault::leading_zero ? "begins with a 0"
                                                          : "is not a number";
  faults.add(span(starts_[index], field_end(index)), fmt::format("{} `{}` {}", field_names[index], text, what));
  return false;
}

}  // namespace quadrille
