// CSV tables with the columns `words` and `arrival`.
//
//     step,from,to,lane,origin,target,part,words,arrival
//     2,1,2,0,1,2,0,1+0,keep                    1 sends its words 1 and 0, chained; 2 keeps what comes as a word of its
//     own
//
// Such tables are small, as a rule: fields are split one by one, and rows kept with their words. A fault names its
// field's place; after twenty the rest is not read. Cost: linear in the text, and a sort.
#include "formats/csv_reductions.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "formats/row_uses.h"
#include "formats/rows.h"
#include "model/text/counted.h"

namespace quadrille {
namespace {

constexpr std::string_view header = "step,from,to,lane,origin,target,part,words,arrival";
constexpr std::string_view message_header = "step,from,to,lane,origin,target,part,message,words,arrival";

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> pieces;
  for (std::size_t begin = 0;; ++begin) {
    const std::size_t end = std::min(text.find(at, begin), text.size());
    pieces.push_back(text.substr(begin, end - begin));
    if (end == text.size()) return pieces;
    begin = end;
  }
}

class CsvReductionsReader {
 public:
  CsvReductionsReader(const ReductionsText& input, const TableHead& head)
      : input_(input), head_(head), rows_(input.limits, memory_beside(head, input.limits)) {}

  Result<SendTable> read() {
    Line line = line_at(input_.text, head_.size);
    const auto found = input_.text.substr(line.begin, line.end - line.begin);
    const bool rounds = head_.fabric.in_rounds();
    messages_ = found == message_header;
    if (messages_ && !rounds)
      return error_at(span(line.begin, line.end), "messages are for a fabric with `timing=rounds`", Code::invalid);
    if (!head_.collective.combining())
      return error_at(span(line.begin, line.end), "words are for collectives that combine", Code::invalid);
    while (line.next < input_.text.size() && !faults_.full() && stopped_ == Reason::none) {
      line = line_at(input_.text, line.next);
      read_row(line);
    }
    if (stopped_ != Reason::none) return not_read(input_.name, stopped_);
    if (!faults_.any()) look_for_contradictions();
    if (faults_.any()) return faults_.all();
    return SendTable{head_.fabric, head_.collective, head_.schedule, {}, rows_.take()};
  }

 private:
  Span span(std::size_t begin, std::size_t end) const { return span_of(input_.source, begin, end); }
  Span span(std::string_view piece) const {
    const auto begin = static_cast<std::size_t>(piece.data() - input_.text.data());
    return span(begin, begin + piece.size());
  }

  void read_row(const Line& line) {
    const std::string_view text = input_.text.substr(line.begin, line.end - line.begin);
    const auto fields = split(text, ',');
    const std::size_t expected = (messages_ ? message_fields : row_fields) + 2;
    if (fields.size() != expected) {
      return faults_.add(span(text), fmt::format("{} in this row; expected {}: {}", counted(fields.size(), "field"),
                                                 expected, messages_ ? message_header : header));
    }
    RowWords words;
    words.from = fields[1];
    words.to = fields[2];
    words.target.emplace();
    if (!number(fields[0], "step", words.step) || !number(fields[3], "lane", words.lane) ||
        !number(fields[4], "origin", words.origin) || !number(fields[5], "target", *words.target) ||
        !number(fields[6], "part", words.part) || (messages_ && !number(fields[7], "message", words.message)))
      return;
    RowFault fault;
    const auto row = row_of(words, head_.fabric, head_.collective, fault);
    if (!row) {
      const Span all = cover(span(fields[fault.first_field]), span(fields[fault.last_field]));
      return faults_.add(all, std::move(fault.message), fault.code);
    }
    UseFault wrong;
    auto use = use_of(fields[expected - 2], fields[expected - 1], row->row, head_.fabric, head_.collective, wrong);
    if (!use) return faults_.add(span(wrong.piece), std::move(wrong.message));
    const MessageId message(static_cast<std::uint32_t>(words.message));
    stopped_ = rows_.add(*row, messages_ ? std::optional(message) : std::nullopt, std::move(*use));
  }

  bool number(std::string_view text, std::string_view what, std::uint64_t& result) {
    const NumberFault fault = read_number(text, result);
    if (fault == NumberFault::none) return true;
    const char* why = fault == NumberFault::too_large      ? "is too large a number"
                      : fault == NumberFault::leading_zero ? "begins with a 0"
                                                           : "is not a number";
    faults_.add(span(text), fmt::format("{} `{}` {}", what, text, why));
    return false;
  }

  void look_for_contradictions() {
    std::string found = rows_.contradiction(head_.fabric, head_.collective);
    if (!found.empty()) faults_.add(span(head_.size, head_.size), std::move(found));
  }

  const ReductionsText& input_;
  const TableHead& head_;
  bool messages_ = false;
  ReductionRowList rows_;
  Reason stopped_ = Reason::none;
  TableFaults faults_;
};

}  // namespace

bool is_worded_header(std::string_view line) { return line == header || line == message_header; }

Result<SendTable> read_worded_csv(const ReductionsText& input, const TableHead& head) {
  return CsvReductionsReader(input, head).read();
}

Reason put_worded_csv(const SendTable& table, TableOutput& output) {
  const Fabric& fabric = table.fabric;
  output.put(table.rows->has_messages() ? message_header : header);
  output.put("\n");
  return each_reduction_row(
      table, [&](StepId step, const Row& row, std::optional<MessageId> message, const ReductionUse& use) {
        const Channel& channel = fabric.channel(row.channel);
        const ChunkName name = table.collective.name(row.chunk);
        std::string line = fmt::format("{},{},{},{},{},{},{}", step.value, fabric.name(channel.from),
                                       fabric.name(channel.to), row.lane.value, name.origin, *name.target, name.part);
        if (message) line += fmt::format(",{}", message->value);
        const auto [sent, arrival] = use_texts(use);
        output.put(fmt::format("{},{},{}\n", line, sent, arrival));
        return output.ok();
      });
}

}  // namespace quadrille
