// Tables as CSV: head lines, then one line a row.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <utility>

#include "model/counted.h"
#include "model/table_forms.h"
#include "model/table_head.h"
#include "model/table_rows.h"
#include "model/table_text.h"

namespace quadrille {

namespace {

constexpr std::string_view header_line = "step,from,to,lane,origin,target,part";

class CsvReader {
 public:
  CsvReader(const Source& source, std::uint32_t number, TableHead head)
      : text_(source.text), source_(number), head_(std::move(head)) {}

  Result<SendTable> read() {
    const Line header = line_at(text_, head_.size);
    const auto found = text_.substr(header.begin, header.end - header.begin);
    if (found != header_line) {
      return error_at(span(header.begin, header.end),
                      fmt::format("the header line is `{}`; expected `{}`", found.substr(0, 80), header_line));
    }
    for (Line line = header; line.next < text_.size() && !faults_.full();) {
      line = line_at(text_, line.next);
      read_row(line);
    }
    if (faults_.any()) return faults_.all();
    auto rows = std::make_shared<StoredRows>(std::move(rows_));
    return SendTable{head_.fabric, head_.collective, head_.schedule, {}, std::move(rows)};
  }

 private:
  Span span(std::size_t begin, std::size_t end) const { return span_of(source_, begin, end); }
  std::size_t field_end(std::size_t field) const { return starts_[field + 1] - 1; }
  std::string_view field(std::size_t index) const {
    return text_.substr(starts_[index], field_end(index) - starts_[index]);
  }

  void read_row(const Line& line) {
    if (!split(line)) return;
    RowWords words;
    words.from = field(1);
    words.to = field(2);
    const bool everyone = field(5) == "*";
    std::uint64_t target = 0;
    if (!number(0, words.step) || !number(3, words.lane) || !number(4, words.origin) ||
        (!everyone && !number(5, target)) || !number(6, words.part))
      return;
    if (!everyone) words.target = target;
    RowFault fault;
    if (const auto row = row_of(words, head_.fabric, head_.collective, fault)) {
      rows_.push_back(*row);
    } else {
      faults_.add(span(starts_[fault.first_field], field_end(fault.last_field)), std::move(fault.message));
    }
  }

  // Finds where each field of the line begins; false if there are not seven.
  bool split(const Line& line) {
    std::size_t fields = 1;
    starts_[0] = line.begin;
    for (std::size_t at = line.begin; at < line.end; ++at) {
      if (text_[at] != ',') continue;
      if (fields < row_fields) starts_[fields] = at + 1;
      ++fields;
    }
    starts_[row_fields] = line.end + 1;
    if (fields == row_fields) return true;
    faults_.add(span(line.begin, line.end),
                fmt::format("{} in this row; expected {}: {}", counted(fields, "field"), row_fields, header_line));
    return false;
  }

  bool number(std::size_t index, std::uint64_t& result) {
    const auto text = field(index);
    const char* last = text.data() + text.size();
    const auto [end, status] = std::from_chars(text.data(), last, result);
    if (status == std::errc() && end == last) return true;
    const bool large = status == std::errc::result_out_of_range && end == last;
    const char* what = large ? "is too large a number" : "is not a number";
    faults_.add(span(starts_[index], field_end(index)), fmt::format("{} `{}` {}", field_names[index], text, what));
    return false;
  }

  std::string_view text_;
  std::uint32_t source_;
  TableHead head_;
  std::array<std::size_t, row_fields + 1> starts_{};
  std::vector<StoredRows::StepRow> rows_;
  TableFaults faults_;
};

}  // namespace

bool write_csv(const SendTable& table, const Sink& sink) {
  TableOutput output(sink);
  output.put(head_text(table, ""));
  output.put(header_line);
  output.put("\n");
  put_rows(table, {"", "", "\n", "*", [](std::string_view name) { return std::string(name); }}, output);
  return output.finish();
}

Result<SendTable> read_csv(const Source& source, std::uint32_t source_number) {
  auto head = read_head(source, source_number);
  if (!head) return head.diagnostics();
  return CsvReader(source, source_number, std::move(*head)).read();
}

}  // namespace quadrille
