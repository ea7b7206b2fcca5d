// Any JSON table, read without holding the text's tree: the parser calls back for each piece (SAX), and a depth counter
// says where it is. Rows mean something only when fabric and collective are known; where they stand before these, the
// text is read a second time. For example, of {"rows":[[1,"0","1",0,0,1,0]],"fabric":"ring:2",…} the row is passed over
// at first. Cost: one pass over the text, or two.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "formats/head.h"
#include "formats/our_tables.h"
#include "formats/passing.h"
#include "formats/row_list.h"
#include "formats/row_uses.h"
#include "formats/rows.h"
#include "model/fabric_notation.h"
#include "model/text/counted.h"
#include "model/text/printable.h"
#include "model/text/tracked_iterator.h"

namespace quadrille {

namespace {

using Json = nlohmann::json;

// Receives the pieces of the text (nlohmann's SAX interface). A callback that returns false ends the reading.
class JsonReader {
 public:
  explicit JsonReader(const TableInput& input)
      : name_(input.source.name),
        text_(input.file.bytes),
        source_(input.source_number),
        input_(input),
        at_(text_.data()),
        passing_(input.file),
        pulse_(input.limits),
        rows_(input.limits, input.limits.memory, {}) {}

  Result<SendTable> read() {
    pass();
    if (!faults_.any() && !versioned_) faults_.add(start(), "the table has no \"quadrille_table\": 1" + what_it_has());
    if (!faults_.any()) bind();
    if (!faults_.any() && skipped_rows_) pass();  // they came before fabric or collective: again, with both known
    if (!faults_.any() && !has_rows_) faults_.add(start(), "the table has no \"rows\"");
    if (stopped_ != Reason::none) return not_read(name_, stopped_);
    if (!faults_.any() && worded_) look_for_contradictions();
    if (faults_.any()) return faults_.all();
    return SendTable{head_->fabric, head_->collective, words_.schedule, {}, worded_ ? worded_->take() : rows_.take()};
  }

  // --- the SAX interface ---
  bool null() { return value({}); }
  bool boolean(bool) { return value({}); }
  bool number_integer(Json::number_integer_t) { return value({}); }
  bool number_unsigned(Json::number_unsigned_t number) { return value({Value::number, number, {}}); }
  bool number_float(Json::number_float_t, const std::string&) { return value({}); }
  bool string(std::string& text) { return value({Value::text, 0, std::move(text)}); }
  bool binary(Json::binary_t&) { return value({}); }
  bool start_object(std::size_t) {
    if (depth_ == 1 && key_ == "fabric") fabric_begin_ = here() - 1;
    return depth_ == 0 || fabric_begin_ ? open() : nested();
  }
  bool end_object() {
    (void)close();
    if (depth_ == 1 && fabric_begin_) read_fabric();
    return !faults_.any();
  }
  bool key(std::string& name) {
    if (depth_ != 1) return true;
    key_ = std::move(name);
    if (!keys_.insert(key_).second) {
      faults_.add(span_of(source_, here() - std::min(key_.size() + 2, here()), here()),
                  fmt::format("a second \"{}\"", key_));
    }
    return !faults_.any();
  }
  bool start_array(std::size_t) {
    if (fabric_begin_) return open();
    if (depth_ == 1 && key_ == "rows") return start_rows();
    if (depth_ == 2 && in_rows_) return start_row();
    return nested();
  }
  bool end_array() {
    if (depth_ == 3 && in_rows_ && head_) read_row();
    if (depth_ == 2) in_rows_ = false;
    return close() && !faults_.full() && stopped_ == Reason::none;
  }
  bool parse_error(std::size_t position, const std::string&, const Json::exception&) {
    const std::size_t at = std::min(position > 0 ? position - 1 : 0, text_.size());
    const bool ended = at >= text_.size();
    faults_.add(
        span_of(source_, at, std::min(at + 1, text_.size())),
        ended ? std::string("the JSON text ends too early") : fmt::format("byte {}: not correct JSON here", at));
    return false;
  }

 private:
  struct Value {
    enum Kind : std::uint8_t { other, number, text };
    Kind kind = other;
    std::uint64_t whole = 0;
    std::string word;
  };

  void pass() {
    depth_ = 0;
    row_number_ = 0;
    passing_ = Passing(input_.file);
    skipped_rows_ = has_rows_ = versioned_ = false;
    keys_.clear();
    words_ = {};
    fabric_begin_.reset();
    at_ = text_.data();
    const char* end = text_.data() + text_.size();
    (void)Json::sax_parse(TrackedIterator(text_.data(), &at_), TrackedIterator(end, &at_), this);
  }

  // What another JSON object is, as far as its keys tell.
  std::string what_it_has() const {
    constexpr std::size_t most_named = 5, longest_named = 60;
    if (keys_.contains("gpus") && keys_.contains("protocol"))
      return "; it is an MSCCL++ plan, which `check` judges (from standard input with --for mscclpp)";
    if (keys_.contains("1-Epoch_Duration")) return "; it is a schedule of TE-CCL, which is not read";
    if (keys_.empty()) return "";
    std::string keys;
    std::size_t named = 0;
    for (const std::string& key : keys_) {
      if (++named > most_named) break;
      keys += fmt::format("{}\"{}\"", named == 1 ? "" : ", ", key.size() > longest_named ? "…" : printable(key));
    }
    return fmt::format("; this JSON has the keys {}{}", keys, keys_.size() > most_named ? ", …" : "");
  }

  std::size_t here() const { return static_cast<std::size_t>(at_ - text_.data()); }
  Span start() const { return span_of(source_, 0, line_at(text_, 0).end); }
  bool open() { return ++depth_, true; }
  bool close() { return --depth_, true; }

  // An object or a list where the form has none of its own.
  bool nested() {
    if (depth_ == 0) faults_.add(start(), "the table is one JSON object");
    if (in_rows_ && depth_ == 2) begin_row();
    if (in_rows_) blame_row(depth_ == 2 ? "a row is a list" : "a field is a number or a text");
    if (depth_ == 1 && key_ == "quadrille_table") head_value({});
    if (depth_ == 1 && (key_ == "fabric" || key_ == "collective" || key_ == "schedule" || key_ == "rows"))
      faults_.add(span_of(source_, here() - 1, here()), wrong_kind());
    return open() && !faults_.any();
  }

  // A fabric that is an object.
  void read_fabric() {
    const std::size_t begin = *std::exchange(fabric_begin_, std::nullopt);
    const Span span = span_of(source_, begin, begin + 1);
    const auto notation = notation_of_json(text_.substr(begin, here() - begin));
    if (!notation)
      return faults_.add(span, "\"fabric\" is an object without a \"graph\" or a \"product\", or a rule is no text");
    words_.fabric = QuotedNotation{*notation, span, false};
  }

  bool value(Value it) {
    if (depth_ == 0) {
      faults_.add(start(), "the table is one JSON object");
    } else if (depth_ == 1) {
      head_value(std::move(it));
    } else if (in_rows_ && depth_ == 2) {
      begin_row();
      blame_row("a row is a list");
    } else if (in_rows_ && depth_ == 3) {
      if (fields_ < row_.size()) row_[fields_] = std::move(it);
      ++fields_;
    }
    if (pulse_.reached()) stopped_ = pulse_.reason();
    return depth_ > 0 && !faults_.full() && stopped_ == Reason::none;
  }

  // The value of a key of the outer object; unknown keys pass.
  void head_value(Value it) {
    // The parser has read the value just now, so it ends here; where it begins holds only for text without escapes.
    const std::size_t size = std::min(it.word.size() + 2, here());
    const Span whole = span_of(source_, here() - size, here());
    if (key_ == "quadrille_table") {
      versioned_ = true;
      const auto version = it.kind == Value::number ? fmt::format("{}", it.whole) : "of no number";
      const Span number = span_of(source_, here() - 1, here());
      if (const auto fault = version_fault(version, HeadOf::csv)) faults_.add(number, *fault);
    } else if (key_ == "fabric" || key_ == "collective" || key_ == "schedule" || key_ == "rows") {
      if (it.kind != Value::text || key_ == "rows") return faults_.add(whole, wrong_kind());
      const bool verbatim = text_.substr(whole.begin + 1, it.word.size()) == it.word;
      const Span inner =
          verbatim ? span_of(source_, whole.begin + 1, whole.end - 1) : span_of(source_, here() - 1, here());
      if (key_ == "schedule") words_.schedule = printable(it.word);
      if (key_ == "fabric") words_.fabric = QuotedNotation{it.word, inner, verbatim};
      if (key_ == "collective") words_.collective = QuotedNotation{it.word, inner, verbatim};
    }
  }

  std::string wrong_kind() const {
    return fmt::format("\"{}\" is not a {}", key_, key_ == "rows" ? "list of rows" : "text in quotes");
  }

  bool start_rows() {
    in_rows_ = has_rows_ = true;
    // Without fabric and collective the rows are skipped in this pass, and read in the next.
    if (!head_ && words_.fabric && words_.collective) bind();
    skipped_rows_ = !head_;
    return open() && !faults_.any();
  }

  bool start_row() {
    begin_row();
    return open();
  }

  void begin_row() {
    row_begin_ = here() - 1;
    passing_.at(row_begin_);
    ++row_number_;
    fields_ = 0;
  }

  void bind() {
    if (head_) return;
    auto head = bind_head(words_, start(), "\"{}\"", input_);
    if (!head) return faults_.add(head.diagnostics());
    rows_ = RowList(input_.limits, memory_beside(*head, input_.limits), RowBits::of(head->fabric, head->collective));
    head_ = std::move(*head);
  }

  void blame_row(std::string_view message, Code code = Code::syntax) {
    faults_.add(span_of(source_, row_begin_, here()), fmt::format("row {}: {}", row_number_, message), code);
  }

  // The first row says how many fields all have: two more where rows say something of words.
  void expect_fields() {
    const std::size_t of_words = head_->collective.combining() && fields_ > message_fields ? use_fields : 0;
    of_messages_ = head_->fabric.in_rounds() && fields_ == message_fields + of_words;
    expected_fields_ = (of_messages_ ? message_fields : row_fields) + of_words;
    if (of_words > 0) worded_.emplace(input_.limits, memory_beside(*head_, input_.limits));
  }

  // What is wrong with the kind of a field; empty if nothing is.
  std::string kind_fault(std::size_t i, bool everyone) const {
    const std::size_t numbers = expected_fields_ - (worded_ ? use_fields : 0);
    const bool name = i == 1 || i == 2;
    const auto wanted = name || i >= numbers ? Value::text : Value::number;
    if (row_[i].kind == wanted || (i == 5 && everyone)) return {};
    if (i >= numbers) return fmt::format("\"{}\" is not a text in quotes", i == numbers ? "words" : "arrival");
    return fmt::format("\"{}\" is not a {}", field_names[i],
                       name     ? "node's name in quotes"
                       : i == 5 ? "processor's number, nor \"*\" for everyone"
                                : "whole number below 2^64");
  }

  void read_row() {
    if (row_number_ == 1) expect_fields();
    if (fields_ != expected_fields_)
      return blame_row(fmt::format("{}; expected {}: step, from, to, lane, origin, target, part{}{}",
                                   counted(fields_, "field"), expected_fields_, of_messages_ ? ", message" : "",
                                   worded_ ? ", words, arrival" : ""));
    const bool everyone = row_[5].kind == Value::text && row_[5].word == "*";
    for (std::size_t i = 0; i < expected_fields_; ++i) {
      if (std::string fault = kind_fault(i, everyone); !fault.empty()) return blame_row(fault);
    }
    RowWords words{row_[0].whole, row_[1].word, row_[2].word, row_[3].whole, row_[4].whole, {}, row_[6].whole, 0};
    if (!everyone) words.target = row_[5].whole;
    if (of_messages_) words.message = row_[7].whole;
    RowFault fault;
    if (const auto row = row_of(words, head_->fabric, head_->collective, fault)) {
      const MessageId message(static_cast<std::uint32_t>(words.message));
      add(*row, of_messages_ ? std::optional(message) : std::nullopt);
    } else {
      blame_row(fault.message, fault.code);
    }
  }

  void add(const StoredRows::StepRow& row, std::optional<MessageId> message) {
    if (!worded_) {
      stopped_ = rows_.add(row, message);
      return;
    }
    UseFault fault;
    auto use = use_of(row_[expected_fields_ - 2].word, row_[expected_fields_ - 1].word, row.row, head_->fabric,
                      head_->collective, fault);
    if (!use) return blame_row(fault.message);
    stopped_ = worded_->add(row, message, std::move(*use));
  }

  void look_for_contradictions() {
    std::string found = worded_->contradiction(head_->fabric, head_->collective);
    if (!found.empty()) faults_.add(start(), std::move(found));
  }

  const std::string& name_;
  std::string_view text_;
  std::uint32_t source_;
  const TableInput& input_;
  const char* at_;  // the text is read up to here
  std::size_t depth_ = 0;
  std::string key_;
  std::set<std::string> keys_;  // of the outer object, so far
  bool versioned_ = false;
  bool in_rows_ = false;
  bool has_rows_ = false;
  bool skipped_rows_ = false;
  HeadWords words_;
  std::optional<TableHead> head_;
  std::array<Value, message_fields + use_fields> row_;
  std::size_t expected_fields_ = row_fields;
  bool of_messages_ = false;
  std::size_t fields_ = 0;
  std::size_t row_begin_ = 0;
  std::optional<std::size_t> fabric_begin_;  // while the object is read that is the fabric
  Passing passing_;
  std::uint64_t row_number_ = 0;
  Pulse pulse_;
  RowList rows_;
  std::optional<ReductionRowList> worded_;  // in place of these, if rows say something of words
  Reason stopped_ = Reason::none;
  TableFaults faults_;
};

}  // namespace

Result<SendTable> read_any_json(const TableInput& input) { return JsonReader(input).read(); }

}  // namespace quadrille
