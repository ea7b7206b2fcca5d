// Tables as CSV: head lines, then one line a row.
//
//     step,from,to,lane,origin,target,part
//     1,0,1,0,0,*,0                             in step 1, from 0 to 1 on lane 0: the packet 0->*, part 0
//
//     step,from,to,lane,origin,target,part,words,arrival
//     2,1,2,0,1,2,0,1+0,keep                    1 sends its words 1 and 0, chained; 2 keeps what comes as a word of its
//                                               own
//
// A large text is read by several threads (csv_pieces.h). Rows that memory has no room for are not kept, but read again
// in each pass over the table (below). Tables with words are small, as a rule: their rows are read one by one, and
// kept. After twenty faults the rest is not read. Cost: linear in the text, and with words a sort.
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "formats/csv_pieces.h"
#include "formats/csv_row.h"
#include "formats/formats.h"
#include "formats/head.h"
#include "formats/our_tables.h"
#include "formats/passing.h"
#include "formats/row_list.h"
#include "formats/row_uses.h"
#include "formats/rows.h"
#include "formats/text.h"
#include "model/limits/limits.h"
#include "model/send_table.h"

namespace quadrille {
namespace {

// --- the text again ------------------------------------------------------------------------------------------------

// Each cursor of a large CSV table reads its rows anew.
//
// Where the rows of a table do not fit into the memory that they may take, only one step of them is kept, and each pass
// over the table reads its text again. That takes a reader's time for each pass, and needs rows in order of steps, as
// writers put them. Pages of the text that have been passed are let go.

// Where the rows of a text stand.
struct CsvText {
  SharedBytes file;          // owns its bytes
  std::uint32_t source = 0;  // of which the spans of faults are
  std::size_t begin = 0;     // of the first row, at least 8
  std::size_t fields = 0;    // row_fields or message_fields
};

class CsvAgain final : public RowSource {
 public:
  // Reads all rows once. Null if there are faults; or, and then `stopped` says it, if the limits do not allow it, or
  // the steps go back: such rows must be kept. The rows of one step are kept at a time, in `memory` bytes.
  static std::shared_ptr<const CsvAgain> make(const CsvText& text, const TableHead& head, const Limits& limits,
                                              std::uint64_t memory, TableFaults& faults, Reason& stopped);

  std::unique_ptr<RowCursor> open() const override;
  std::optional<std::uint64_t> row_count() const override { return rows_; }
  std::optional<StepId> last_step() const override { return last_step_; }
  bool has_messages() const override { return text_.fields == message_fields && rows_ > 0; }

 private:
  class Cursor;
  CsvAgain(const CsvText& text, const TableHead& head, std::uint64_t memory) : text_(text), head_(head) {
    limits_.memory = memory;
  }

  CsvText text_;
  TableHead head_;
  Limits limits_;  // of a cursor, which knows of no deadline
  std::uint64_t rows_ = 0;
  StepId last_step_;
};

class CsvAgain::Cursor final : public RowCursor {
 public:
  Cursor(const CsvAgain& table, const Limits& limits, TableFaults* faults)
      : table_(table),
        limits_(limits),
        faults_(faults != nullptr ? *faults : own_faults_),
        text_(table.text_.file.bytes),
        reader_(text_, table.text_.source, table.head_, table.text_.fields),
        at_(table.text_.begin),
        passing_(table.text_.file) {
    advance();
  }

  std::optional<StepRows> next() override {
    if (!ahead_ || ended_early_ != Reason::none) return std::nullopt;
    const StepId step = ahead_->row.step;
    RowList rows(limits_, table_.limits_.memory, RowBits::of(table_.head_.fabric, table_.head_.collective));
    while (ahead_ && ahead_->row.step == step && ended_early_ == Reason::none) {
      ended_early_ =
          reader_.fields() == message_fields ? rows.add(ahead_->row, ahead_->message) : rows.add(ahead_->row);
      advance();
    }
    if (ahead_ && ahead_->row.step < step && ended_early_ == Reason::none) ended_early_ = Reason::limit;
    if (ended_early_ != Reason::none) return std::nullopt;
    step_ = rows.take();
    cursor_ = step_->open();
    const auto result = cursor_->next();
    ended_early_ = cursor_->ended_early();
    return result;
  }

  Reason ended_early() const override { return ended_early_; }

 private:
  // Reads the next row that is one. After the first pass has found no fault, one says that the file has changed.
  void advance() {
    ahead_.emplace();
    while (at_ < text_.size() && !faults_.full()) {
      passing_.at(at_);
      if (reader_.read(at_, *ahead_, faults_)) return;
      if (&faults_ == &own_faults_) ended_early_ = Reason::unsupported;
      if (ended_early_ != Reason::none) break;
    }
    ahead_.reset();
  }

  const CsvAgain& table_;
  const Limits& limits_;
  TableFaults own_faults_;
  TableFaults& faults_;
  std::string_view text_;
  CsvRowReader reader_;
  std::size_t at_;
  Passing passing_;
  std::optional<PlainRow> ahead_;  // the row before `at_`, if there is one
  Reason ended_early_ = Reason::none;
  std::shared_ptr<const RowSource> step_;  // the rows that next() gave
  std::unique_ptr<RowCursor> cursor_;
};

std::shared_ptr<const CsvAgain> CsvAgain::make(const CsvText& text, const TableHead& head, const Limits& limits,
                                               std::uint64_t memory, TableFaults& faults, Reason& stopped) {
  std::shared_ptr<CsvAgain> table(new CsvAgain(text, head, memory));
  Cursor cursor(*table, limits, &faults);
  while (const auto step = cursor.next()) {
    table->rows_ += step->rows.size();
    table->last_step_ = step->step;
  }
  stopped = cursor.ended_early();
  return stopped != Reason::none || faults.any() ? nullptr : table;
}

std::unique_ptr<RowCursor> CsvAgain::open() const { return std::make_unique<Cursor>(*this, limits_, nullptr); }

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
    if (auto wrong = read_header(found, span(header.begin, header.end))) return *std::move(wrong);
    worded_ ? read_worded(header.next) : read_rows(header.next);
    std::shared_ptr<const RowSource> rows;
    if (stopped_ == Reason::limit && !faults_.any() && !worded_) {
      rows = read_again(header.next);
    } else if (stopped_ == Reason::none) {
      rows = worded_ ? worded_->take() : rows_.take();
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

  std::optional<Diagnostic> read_header(std::string_view found, Span at) {
    const bool uses = found.ends_with(csv_use_columns);
    const auto columns = found.substr(0, found.size() - (uses ? csv_use_columns.size() : 0));
    if (columns == csv_message_header) {
      fields_ = message_fields;
      if (!head_.fabric.in_rounds())
        return error_at(at, "messages are for a fabric with `timing=rounds`", Code::invalid);
    } else if (columns != csv_header) {
      return error_at(at, fmt::format("the header line is `{}`; expected `{}`", found.substr(0, 80), csv_header),
                      Code::syntax);
    }
    if (!uses) return std::nullopt;
    if (!head_.collective.combining()) return error_at(at, "words are for collectives that combine", Code::invalid);
    worded_.emplace(input_.limits, memory_);
    return std::nullopt;
  }

  void read_worded(std::size_t at) {
    CsvRowReader reader(text_, input_.source_number, head_, fields_, true);
    PlainRow found;
    ReductionUse use;
    while (at < text_.size() && going_on()) {
      if (!reader.read(at, found, use, faults_)) continue;
      const auto message = fields_ == message_fields ? std::optional(found.message) : std::nullopt;
      stopped_ = worded_->add(found.row, message, std::move(use));
    }
    if (stopped_ != Reason::none || faults_.any()) return;
    std::string contradiction = worded_->contradiction(head_.fabric, head_.collective);
    if (!contradiction.empty()) faults_.add(span(head_.size, head_.size), std::move(contradiction));
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
  std::optional<ReductionRowList> worded_;  // in place of these, if rows say something of words
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
  output.put(table.rows->has_messages() ? csv_message_header : csv_header);
  if (table.rows->has_partial_reductions()) output.put(csv_use_columns);
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
