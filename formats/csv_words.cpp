// CSV tables with the columns `words` and `arrival`.
//
//     step,from,to,lane,origin,target,part,words,arrival
//     2,1,2,0,1,2,0,1+0,keep                    1 sends its words 1 and 0, chained; 2 keeps what comes as a word of its
//     own
//
// Such tables are small, as a rule: fields are split one by one, and rows kept with their words. A fault names its
// field's place; after twenty the rest is not read. Cost: linear in the text, and a sort; some 200 bytes a row.
#include "formats/csv_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "formats/rows.h"
#include "model/counted.h"

namespace quadrille {
namespace {

constexpr std::string_view header = "step,from,to,lane,origin,target,part,words,arrival";
constexpr std::string_view message_header = "step,from,to,lane,origin,target,part,message,words,arrival";
constexpr std::array<std::string_view, 4> arrivals = {"", "store", "combine", "keep"};  // in the order of Arrival

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> pieces;
  for (std::size_t begin = 0;; ++begin) {
    const std::size_t end = std::min(text.find(at, begin), text.size());
    pieces.push_back(text.substr(begin, end - begin));
    if (end == text.size()) return pieces;
    begin = end;
  }
}

class WordedReader {
 public:
  WordedReader(const WordedText& input, const TableHead& head)
      : input_(input), head_(head), pulse_(input.limits), memory_(memory_beside(head, input.limits)) {}

  Result<SendTable> read() {
    Line line = line_at(input_.text, head_.size);
    const auto found = input_.text.substr(line.begin, line.end - line.begin);
    const bool rounds = head_.fabric.rules().timing == Timing::rounds;
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
    return SendTable{head_.fabric,
                     head_.collective,
                     head_.schedule,
                     {},
                     std::make_shared<StoredRows>(std::move(rows_), numbers_, words_)};
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
    if (const auto use = use_of(row->row, fields[expected - 2], fields[expected - 1])) {
      add(*row, static_cast<std::uint32_t>(words.message), *use);
    }
  }

  // What the row says of words; nothing, and a fault, if it cannot say that.
  std::optional<WordUse> use_of(const Row& row, std::string_view sent, std::string_view arrival) {
    WordUse use;
    const ChunkName name = head_.collective.name(row.chunk);
    const Channel& channel = head_.fabric.channel(row.channel);
    if (!sent.empty() && channel.from.value != name.origin) {
      faults_.add(span(sent), fmt::format("words are named by rows out of the packet's origin, {}", name.origin));
      return std::nullopt;
    }
    if (!arrival.empty() && channel.to.value != name.target) {
      faults_.add(span(arrival), fmt::format("an arrival is that of a row into the packet's target, {}", *name.target));
      return std::nullopt;
    }
    for (const std::string_view piece : sent.empty() ? std::vector<std::string_view>{} : split(sent, '+')) {
      std::uint64_t word = 0;
      if (!number(piece, "word", word)) return std::nullopt;
      if (word > 0xffffffff) {
        faults_.add(span(piece), fmt::format("word {} is not a 32-bit number", word));
        return std::nullopt;
      }
      use.sent.push_back(static_cast<std::uint32_t>(word));
    }
    const auto known = std::find(arrivals.begin(), arrivals.end(), arrival);
    if (known == arrivals.end()) {
      faults_.add(span(arrival), fmt::format("arrival `{}`; expected store, combine, keep or nothing", arrival));
      return std::nullopt;
    }
    use.arrival = static_cast<Arrival>(known - arrivals.begin());
    return use;
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

  void add(const StoredRows::StepRow& row, std::uint32_t message, const WordUse& use) {
    taken_ += 4 * (sizeof(row) + sizeof(WordUse) + use.sent.size() * sizeof(std::uint32_t));  // while they are sorted
    if (taken_ > memory_) stopped_ = Reason::limit;
    if (pulse_.reached()) stopped_ = pulse_.reason();
    rows_.push_back(row);
    if (messages_) numbers_.emplace_back(message);
    words_.push_back(use);
  }

  // Rows alike in everything else say the same of words.
  void look_for_contradictions() {
    std::vector<std::size_t> order(rows_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto key = [this](std::size_t i) {
      const StoredRows::StepRow& it = rows_[i];
      return std::tuple(it.step, it.row.channel, it.row.lane, it.row.chunk, messages_ ? numbers_[i] : MessageId());
    };
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    for (std::size_t i = 1; i < order.size() && !faults_.any(); ++i) {
      if (key(order[i - 1]) != key(order[i]) || words_[order[i - 1]] == words_[order[i]]) continue;
      const StoredRows::StepRow& it = rows_[order[i]];
      faults_.add(span(head_.size, head_.size),
                  fmt::format("two rows of {} across {} in step {} are alike, but say different things of words",
                              head_.collective.label(it.row.chunk), head_.fabric.name(it.row.channel), it.step.value));
    }
  }

  const WordedText& input_;
  const TableHead& head_;
  Pulse pulse_;
  std::uint64_t memory_;
  std::uint64_t taken_ = 0;
  bool messages_ = false;
  std::vector<StoredRows::StepRow> rows_;
  std::vector<MessageId> numbers_;
  std::vector<WordUse> words_;
  Reason stopped_ = Reason::none;
  TableFaults faults_;
};

}  // namespace

bool is_worded_header(std::string_view line) { return line == header || line == message_header; }

Result<SendTable> read_worded_csv(const WordedText& input, const TableHead& head) {
  return WordedReader(input, head).read();
}

Reason put_worded_csv(const SendTable& table, TableOutput& output) {
  const Fabric& fabric = table.fabric;
  const auto cursor = table.rows->open();
  const bool messages = table.rows->has_messages();
  output.put(messages ? message_header : header);
  output.put("\n");
  for (auto step = cursor->next(); step && output.ok(); step = cursor->next()) {
    std::vector<std::size_t> order(step->rows.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto key = [&](std::size_t i) {
      const Row& row = step->rows[i];
      return std::tuple(row.channel, row.lane, row.chunk, messages ? step->messages[i] : MessageId(), i);
    };
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    for (const std::size_t i : order) {
      const Row& row = step->rows[i];
      const Channel& channel = fabric.channel(row.channel);
      const ChunkName name = table.collective.name(row.chunk);
      std::string line = fmt::format("{},{},{},{},{},{},{}", step->step.value, fabric.name(channel.from),
                                     fabric.name(channel.to), row.lane.value, name.origin, *name.target, name.part);
      if (messages) line += fmt::format(",{}", step->messages[i].value);
      const WordUse& use = step->words[i];
      const bool leaves = channel.from.value == name.origin;
      const bool ends = channel.to.value == name.target;
      line += fmt::format(",{},{}\n", leaves ? fmt::format("{}", fmt::join(use.sent, "+")) : "",
                          ends ? arrivals[static_cast<std::size_t>(use.arrival)] : "");
      output.put(line);
    }
  }
  return cursor->ended_early();
}

}  // namespace quadrille
