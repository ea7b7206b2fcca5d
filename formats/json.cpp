// Tables as JSON: one object, its rows a list of lists. Most have been written by a program, all rows alike: these are
// read fast (plain_rows.h), and the object around them, with no rows in it, as any JSON is. Where a row is another, or
// anything is wrong, the whole text is read as any JSON is (json_read.cpp), which has the last word. Cost: one pass
// over the text, or up to three.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "formats/head.h"
#include "formats/our_tables.h"
#include "formats/passing.h"
#include "formats/plain_rows.h"
#include "formats/row_list.h"
#include "formats/rows.h"
#include "formats/text.h"
#include "model/fabric_notation.h"
#include "model/text/broken_lines.h"

namespace quadrille {

namespace {

using Json = nlohmann::json;

// Text in quotes; bytes that are not UTF-8 are replaced.
std::string json_text(std::string_view text) { return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace); }

Match recognise_json(std::string_view beginning) {
  if (beginning.starts_with(byte_order_mark)) beginning.remove_prefix(byte_order_mark.size());
  const std::size_t first = beginning.find_first_not_of(" \t\r\n");
  if (first == beginning.npos || (beginning[first] != '{' && beginning[first] != '[')) return Match::no;
  return beginning.find("\"quadrille_table\"") != beginning.npos ? Match::yes : Match::perhaps;
}

// The table, if its rows are written plainly, and behind the head.
class PlainJson {
 public:
  explicit PlainJson(const TableInput& input) : input_(input), text_(input.file.bytes), passing_(input.file) {}

  // Nothing if it is not, or anything is wrong with it.
  std::optional<Result<SendTable>> read() {
    if (!find_rows()) return std::nullopt;
    // The text without its rows says all the rest.
    const std::string frame = std::string(text_.substr(0, begin_)) + std::string(text_.substr(end_));
    const Source source{input_.source.name, {}};
    auto table = read_any_json({source, input_.source_number, {nullptr, frame}, input_.limits, input_.families});
    if (!table || !read_rows(*table)) return std::nullopt;
    if (stopped_ != Reason::none) return not_read(input_.source.name, stopped_);
    return table;
  }

 private:
  // Between `"rows":[`, its only one, and the text's last `]`.
  bool find_rows() {
    constexpr std::string_view key = "\"rows\"";
    const std::size_t at = text_.find(key);
    end_ = text_.rfind(']');
    if (at == text_.npos || end_ == text_.npos) return false;
    begin_ = after(':', at + key.size());
    begin_ = begin_ == 0 ? 0 : after('[', begin_);
    return begin_ != 0 && begin_ <= end_;
  }

  // The place behind that byte, if it is the next one; otherwise 0.
  std::size_t after(char byte, std::size_t at) const {
    at = std::min(text_.find_first_not_of(blanks, at), text_.size());
    return at < text_.size() && text_[at] == byte ? at + 1 : 0;
  }

  // False if one is not plain.
  bool read_rows(SendTable& table) {
    const std::uint64_t memory = input_.limits.memory - std::min(input_.limits.memory, table.fabric.memory());
    const std::size_t first_row = std::min(text_.find(']', begin_), end_) - begin_ + 1;
    RowList rows(input_.limits, memory, RowBits::of(table.fabric, table.collective), (end_ - begin_) / first_row + 1);
    PlainRows plain(table.fabric, table.collective);
    const bool in_rounds = table.fabric.in_rounds();
    std::size_t fields = row_fields;
    PlainRow found;
    bool first = true;
    for (std::size_t at = begin_; (at = text_.find_first_not_of(blanks, at)) != end_; first = false) {
      if (!first && text_[at++] != ',') return false;
      const char* next = plain.json(text_.data() + at, text_.data() + end_, fields, found);
      if (next == nullptr && first && in_rounds) {
        fields = message_fields;
        next = plain.json(text_.data() + at, text_.data() + end_, fields, found);
      }
      if (next == nullptr) return false;
      stopped_ = fields == message_fields ? rows.add(found.row, found.message) : rows.add(found.row);
      if (stopped_ != Reason::none) return true;
      at = static_cast<std::size_t>(next - text_.data());
      passing_.at(at);
    }
    table.rows = rows.take();
    return true;
  }

  static constexpr std::string_view blanks = " \t\r\n";

  const TableInput& input_;
  std::string_view text_;
  std::size_t begin_ = 0;  // of the rows, and where they end
  std::size_t end_ = 0;
  Passing passing_;
  Reason stopped_ = Reason::none;
};

Result<SendTable> read_table_json(const TableInput& input) {
  if (auto plain = PlainJson(input).read()) return *std::move(plain);
  return read_any_json(input);
}

Written write_json(const SendTable& table, const Sink& sink) {
  TableOutput output(sink);
  output.put(fmt::format("{{\"quadrille_table\":{},\"fabric\":{},\"collective\":{},\"schedule\":{},\"rows\":[",
                         table_version, in_lines(json_value(table.fabric), ""), json_text(table.collective.notation()),
                         json_text(schedule_line(table))));
  const Reason ended = put_rows(table, {"\n[", ",\n[", "]", "\"*\"", json_text}, output);
  output.put("\n]}\n");
  return {output.finish(), ended};
}

}  // namespace

Format json_format() {
  return {.name = "json",
          .summary = "one JSON object, a list for each hop",
          .extensions = {"json"},
          .recognise = recognise_json,
          .text_when = TextWhen::read_fails,
          .read = read_table_json,
          .write = write_json,
          .partial_reductions = true};
}

}  // namespace quadrille
