// Tables as CSV: head lines, then one line a row.
//
//     step,from,to,lane,origin,target,part
//     1,0,1,0,0,*,0                             in step 1, from 0 to 1 on lane 0: the packet 0->*, part 0
//
// Rows that are written plainly are read fast (plain_rows.h), of a large text by several threads (csv_pieces.h). Of
// others the fields are split by hand: none has quotes or commas. A fault names its field's place; after twenty the
// rest is not read. Cost: linear in the text.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <utility>

#include "formats/csv_pieces.h"
#include "formats/csv_words.h"
#include "formats/head.h"
#include "formats/our_tables.h"
#include "formats/plain_rows.h"
#include "formats/row_list.h"
#include "formats/rows.h"
#include "formats/text.h"
#include "model/counted.h"

namespace quadrille {

namespace {

constexpr std::string_view header_line = "step,from,to,lane,origin,target,part";
constexpr std::string_view message_header_line = "step,from,to,lane,origin,target,part,message";

class CsvReader {
 public:
  CsvReader(const TableInput& input, TableHead head, const CsvPieces& pieces)
      : name_(input.source.name),
        file_(input.file),
        text_(input.file.bytes),
        source_(input.source_number),
        limits_(input.limits),
        pieces_(pieces),
        head_(std::move(head)),
        plain_(head_.fabric, head_.collective),
        rows_(input.limits, memory_beside(head_, input.limits), RowBits::of(head_.fabric, head_.collective),
              rows_in(text_.substr(head_.size))) {}

  Result<SendTable> read() {
    const Line header = line_at(text_, head_.size);
    const auto found = text_.substr(header.begin, header.end - header.begin);
    if (is_worded_header(found)) return read_worded_csv({name_, text_, source_, limits_}, head_);
    if (found == message_header_line && head_.fabric.rules().timing == Timing::rounds) {
      fields_ = message_fields;
    } else if (found == message_header_line) {
      return error_at(span(header.begin, header.end), "messages are for a fabric with `timing=rounds`", Code::invalid);
    } else if (found != header_line) {
      return error_at(span(header.begin, header.end),
                      fmt::format("the header line is `{}`; expected `{}`", found.substr(0, 80), header_line),
                      Code::syntax);
    }
    read_rows(header.next);
    if (stopped_ != Reason::none) return not_read(name_, stopped_);
    if (faults_.any()) return faults_.all();
    return SendTable{head_.fabric, head_.collective, head_.schedule, {}, rows_.take()};
  }

 private:
  Span span(std::size_t begin, std::size_t end) const { return span_of(source_, begin, end); }
  std::size_t field_end(std::size_t field) const { return starts_[field + 1] - 1; }
  std::string_view field(std::size_t index) const {
    return text_.substr(starts_[index], field_end(index) - starts_[index]);
  }

  // About how many rows the text has, by the first of them: those that follow are rarely shorter.
  static std::uint64_t rows_in(std::string_view text) {
    const Line first = line_at(text, line_at(text, 0).next);
    return first.next == first.begin ? 0 : text.size() / (first.next - first.begin) + 1;
  }

  bool going_on() const { return !faults_.full() && stopped_ == Reason::none; }

  // All rows from there on: in pieces, as long as there are some.
  void read_rows(std::size_t at) {
    PieceReader pieces(text_, fields_, plain_, pieces_);
    const RowList empty = rows_.another();
    while (pieces.worthwhile(at) && going_on()) {
      for (PieceOfRows& piece : pieces.read(at, empty)) {
        if (!going_on()) return;
        stopped_ = rows_.append(std::move(piece.rows));
        if (stopped_ == Reason::none) stopped_ = piece.stopped;
        at = piece.end;
        read_rows(piece.next, piece.end);
      }
      pass(at);
    }
    read_rows(at, text_.size());
  }

  void read_rows(std::size_t at, std::size_t end) {
    while (at < end && going_on()) {
      pass(at);
      if (const std::size_t next = read_plain_row(at)) {
        at = next;
        continue;
      }
      const Line line = line_at(text_, at);
      read_row(line);
      at = line.next;
    }
  }

  // Lets go of what has been read, every few megabytes.
  void pass(std::size_t at) {
    constexpr std::size_t piece = std::size_t{1} << 22;
    if (at < passed_ + piece || !file_.passed) return;
    file_.passed(at);
    passed_ = at;
  }

  // The next row's place; 0 if this one is not a plain one, and has not been taken.
  std::size_t read_plain_row(std::size_t at) {
    PlainRow found;
    const char* next = plain_.csv(text_.data() + at, text_.data() + text_.size(), fields_, found);
    if (next == nullptr) return 0;
    stopped_ = add(found.row, found.message);
    return static_cast<std::size_t>(next - text_.data());
  }

  Reason add(const StoredRows::StepRow& row, MessageId message) {
    return fields_ == message_fields ? rows_.add(row, message) : rows_.add(row);
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
    if (fields_ == message_fields && !number(7, words.message)) return;
    RowFault fault;
    if (const auto row = row_of(words, head_.fabric, head_.collective, fault)) {
      stopped_ = add(*row, MessageId(static_cast<std::uint32_t>(words.message)));
    } else {
      faults_.add(span(starts_[fault.first_field], field_end(fault.last_field)), std::move(fault.message), fault.code);
    }
  }

  // Finds where each field of the line begins; false if there are not as many as the header line has.
  bool split(const Line& line) {
    std::size_t fields = 1;
    starts_[0] = line.begin;
    for (std::size_t at = line.begin; at < line.end; ++at) {
      if (text_[at] != ',') continue;
      if (fields < fields_) starts_[fields] = at + 1;
      ++fields;
    }
    starts_[fields_] = line.end + 1;
    if (fields == fields_) return true;
    faults_.add(span(line.begin, line.end),
                fmt::format("{} in this row; expected {}: {}", counted(fields, "field"), fields_,
                            fields_ == row_fields ? header_line : message_header_line));
    return false;
  }

  bool number(std::size_t index, std::uint64_t& result) {
    const auto text = field(index);
    const NumberFault fault = read_number(text, result);
    if (fault == NumberFault::none) return true;
    const char* what = fault == NumberFault::too_large      ? "is too large a number"
                       : fault == NumberFault::leading_zero ? "begins with a 0"
                                                            : "is not a number";
    faults_.add(span(starts_[index], field_end(index)), fmt::format("{} `{}` {}", field_names[index], text, what));
    return false;
  }

  const std::string& name_;
  const SharedBytes& file_;
  std::string_view text_;
  std::size_t passed_ = 0;
  std::uint32_t source_;
  const Limits& limits_;
  CsvPieces pieces_;
  TableHead head_;
  PlainRows plain_;
  std::size_t fields_ = row_fields;
  std::array<std::size_t, message_fields + 1> starts_{};
  RowList rows_;
  Reason stopped_ = Reason::none;
  TableFaults faults_;
};

// Also what seems to be meant for a table: a head without its first line, or no head.
Match recognise_csv(std::string_view beginning) {
  if (beginning.starts_with(byte_order_mark)) beginning.remove_prefix(byte_order_mark.size());
  if (beginning.starts_with("# quadrille-table ")) return binary_version_in(beginning) ? Match::no : Match::yes;
  const std::size_t first = beginning.find_first_not_of(" \t\r\n");
  const bool comment = first != beginning.npos && beginning[first] == '#';
  return comment || beginning.starts_with("step,") ? Match::perhaps : Match::no;
}

Written write_csv(const SendTable& table, const Sink& sink) {
  TableOutput output(sink);
  output.put(head_text(table, HeadOf::csv));
  if (table.rows->has_words()) {
    const Reason ended = put_worded_csv(table, output);
    return {output.finish(), ended};
  }
  output.put(table.rows->has_messages() ? message_header_line : header_line);
  output.put("\n");
  const Reason ended =
      put_rows(table, {"", "", "\n", "*", [](std::string_view name) { return std::string(name); }}, output);
  return {output.finish(), ended};
}

}  // namespace

Result<SendTable> read_csv(const TableInput& input, const CsvPieces& pieces) {
  auto head = read_head(input, HeadOf::csv);
  if (!head) return head.diagnostics();
  return CsvReader(input, std::move(*head), pieces).read();
}

Format csv_format() {
  return {.name = "csv",
          .summary = "a line of text for each hop",
          .extensions = {"csv"},
          .recognise = recognise_csv,
          .text_when = TextWhen::read_fails,
          .read = [](const TableInput& input) { return read_csv(input, {}); },
          .write = write_csv,
          .words = true};
}

}  // namespace quadrille
