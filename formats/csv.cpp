// Tables as CSV: head lines, then one line a row.
//
//     step,from,to,lane,origin,target,part
//     1,0,1,0,0,*,0                             in step 1, from 0 to 1 on lane 0: the packet 0->*, part 0
//
// A large text is read by several threads (csv_pieces.h). Rows that memory has no room for are not kept, but read again
// in each pass over the table (csv_again.h). After twenty faults the rest is not read. Cost: linear in the text.
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "formats/csv_again.h"
#include "formats/csv_pieces.h"
#include "formats/csv_reductions.h"
#include "formats/csv_row.h"
#include "formats/head.h"
#include "formats/our_tables.h"
#include "formats/passing.h"
#include "formats/row_list.h"
#include "formats/rows.h"
#include "formats/text.h"

namespace quadrille {

namespace {

class CsvReader {
 public:
  CsvReader(const TableInput& input, TableHead head, const CsvPieces& pieces)
      : input_(input),
        text_(input.file.bytes),
        pieces_(pieces),
        passing_(input.file),
        head_(std::move(head)),
        memory_(memory_beside(head_, input.limits)),
        rows_(input.limits, memory_, RowBits::of(head_.fabric, head_.collective), rows_in(text_.substr(head_.size))) {}

  Result<SendTable> read() {
    const Line header = line_at(text_, head_.size);
    const auto found = text_.substr(header.begin, header.end - header.begin);
    if (is_worded_header(found)) {
      return read_worded_csv({input_.source.name, text_, input_.source_number, input_.limits}, head_);
    }
    if (found == csv_message_header && head_.fabric.in_rounds()) {
      fields_ = message_fields;
    } else if (found == csv_message_header) {
      return error_at(span(header.begin, header.end), "messages are for a fabric with `timing=rounds`", Code::invalid);
    } else if (found != csv_header) {
      return error_at(span(header.begin, header.end),
                      fmt::format("the header line is `{}`; expected `{}`", found.substr(0, 80), csv_header),
                      Code::syntax);
    }
    read_rows(header.next);
    std::shared_ptr<const RowSource> rows;
    if (stopped_ == Reason::limit && !faults_.any()) {
      rows = read_again(header.next);
    } else if (stopped_ == Reason::none) {
      rows = rows_.take();
    }
    if (stopped_ != Reason::none) return not_read(input_.source.name, stopped_);
    if (faults_.any()) return faults_.all();
    return SendTable{head_.fabric, head_.collective, head_.schedule, {}, rows};
  }

 private:
  Span span(std::size_t begin, std::size_t end) const { return span_of(input_.source_number, begin, end); }

  // About how many rows the text has, by the first of them: those that follow are rarely shorter.
  static std::uint64_t rows_in(std::string_view text) {
    const Line first = line_at(text, line_at(text, 0).next);
    return first.next == first.begin ? 0 : text.size() / (first.next - first.begin) + 1;
  }

  bool going_on() const { return !faults_.full() && stopped_ == Reason::none; }

  // All rows from there on: in pieces, as long as there are some.
  void read_rows(std::size_t at) {
    CsvRowReader reader(text_, input_.source_number, head_, fields_);
    PieceReader pieces(text_, fields_, reader.plain(), pieces_);
    const RowList empty = rows_.another();
    while (pieces.worthwhile(at) && going_on()) {
      for (PieceOfRows& piece : pieces.read(at, empty)) {
        if (!going_on()) return;
        stopped_ = rows_.append(std::move(piece.rows));
        if (stopped_ == Reason::none) stopped_ = piece.stopped;
        at = piece.end;
        read_rows(reader, piece.next, piece.end);
      }
      passing_.at(at);
    }
    read_rows(reader, at, text_.size());
  }

  void read_rows(CsvRowReader& reader, std::size_t at, std::size_t end) {
    PlainRow found;
    while (at < end && going_on()) {
      passing_.at(at);
      if (!reader.read(at, found, faults_)) continue;
      stopped_ = fields_ == message_fields ? rows_.add(found.row, found.message) : rows_.add(found.row);
    }
  }

  // Rows that memory has no room for, if their text stays.
  std::shared_ptr<const RowSource> read_again(std::size_t begin) {
    if (!input_.file.owner) return nullptr;
    rows_ = rows_.another();
    return CsvAgain::make({input_.file, input_.source_number, begin, fields_}, head_, input_.limits, memory_, faults_,
                          stopped_);
  }

  const TableInput& input_;
  std::string_view text_;
  CsvPieces pieces_;
  Passing passing_;
  TableHead head_;
  std::uint64_t memory_;
  std::size_t fields_ = row_fields;
  RowList rows_;
  Reason stopped_ = Reason::none;
  TableFaults faults_;
};

// Also what seems to be meant for a table: a head without its first line, or no head. A comment alone may begin a
// schedule.
Match recognise_csv(std::string_view beginning) {
  if (beginning.starts_with(byte_order_mark)) beginning.remove_prefix(byte_order_mark.size());
  if (beginning.starts_with("# quadrille-table ")) return binary_version_in(beginning) ? Match::no : Match::yes;
  const std::size_t first = beginning.find_first_not_of(" \t\r\n");
  const bool comment = first != beginning.npos && beginning[first] == '#';
  const bool head =
      comment && (beginning.find("table") != beginning.npos || beginning.find("# fabric:") != beginning.npos ||
                  beginning.find("\nstep,") != beginning.npos);
  return head || beginning.starts_with("step,") ? Match::perhaps : Match::no;
}

Written write_csv(const SendTable& table, const Sink& sink) {
  TableOutput output(sink);
  output.put(head_text(table, HeadOf::csv));
  if (table.rows->has_partial_reductions()) {
    const Reason ended = put_worded_csv(table, output);
    return {output.finish(), ended};
  }
  output.put(table.rows->has_messages() ? csv_message_header : csv_header);
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
          .partial_reductions = true};
}

}  // namespace quadrille
