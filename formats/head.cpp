// The head of CSV and binary tables: comment lines that say the version, the fabric, the collective and the schedule.
//
//     # quadrille-table 1
//     # fabric: ring:4
//     # collective: allgather
//     # schedule: ring_multinode_broadcast N=4
//
// A line `#| …` goes on with the line before it. Other comment lines pass, a second one of these does not. Fabric and
// collective are read by the same notations as on the command line; faults in them are moved to where the notation
// stands in the table. Cost: linear in the head.
#include "formats/head.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "model/fabric_notation.h"
#include "model/text/broken_lines.h"
#include "model/text/printable.h"

namespace quadrille {

namespace {

constexpr std::string_view first_words = "# quadrille-table ";
constexpr std::string_view binary_word = " binary";
constexpr std::string_view goes_on = "#| ";

// Where the first byte is that is not UTF-8; the size if all of it is.
std::size_t valid_utf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = character_end(text, at);
    if (end == at) return at;
    at = end;
  }
  return at;
}

// Diagnostics about the notation's own text, moved to where it stands in the table.
Diagnostics placed(Diagnostics diagnostics, const QuotedNotation& notation) {
  const auto place = [&](Span& span) {
    if (!span.known()) return;
    const Span whole = notation.span;
    // In JSON the text may have escapes, so that no offset fits; then the whole string is the place.
    span = notation.verbatim ? Span{whole.source, whole.begin + span.begin, whole.begin + span.end} : whole;
  };
  for (auto& diagnostic : diagnostics) {
    place(diagnostic.span);
    if (!diagnostic.span.known()) diagnostic.span = notation.span;
    for (auto& note : diagnostic.notes) place(note.first);
  }
  return diagnostics;
}

class HeadReader {
 public:
  HeadReader(const TableInput& input, HeadOf form)
      : text_(form == HeadOf::csv ? input.file.bytes : std::string_view(input.source.text)),
        source_(input.source_number),
        input_(input),
        form_(form) {}

  Result<TableHead> read() {
    Line line = line_at(text_, 0);
    read_version(line);
    bool ended = false;
    while (!ended && line.next < text_.size() && text_[line.next] == '#') {
      line = line_at(text_, line.next);
      ended = form_ == HeadOf::binary && content(line).starts_with(head_end);
      if (ended) {
        read_end(line);
      } else {
        read_line(line);
      }
    }
    if (faults_.any()) return faults_.all();
    const std::size_t size = std::min(line.next, text_.size());
    const std::string schedule = values_[2] ? values_[2]->text : std::string();
    auto head = bind_head({values_[0], values_[1], schedule}, span_of(source_, size, line_at(text_, size).end),
                          "a line `# {}: …` in the head", input_);
    if (head) head->size = size;
    return head;
  }

 private:
  static constexpr std::array<std::string_view, 3> keys = {"# fabric:", "# collective:", "# schedule:"};

  std::string_view content(const Line& line) const { return text_.substr(line.begin, line.end - line.begin); }

  void read_version(const Line& line) {
    auto version = content(line);
    if (version.starts_with(byte_order_mark)) {
      return faults_.add(span_of(source_, line.begin, line.begin + byte_order_mark.size()),
                         "a byte order mark stands before the table; save it as UTF-8 without one");
    }
    if (!version.starts_with(first_words)) {
      return faults_.add(span_of(source_, line.begin, line.end),
                         "this is not a send table: the first line of one is `# quadrille-table 1`");
    }
    version.remove_prefix(first_words.size());
    if (form_ == HeadOf::binary && version.ends_with(binary_word)) version.remove_suffix(binary_word.size());
    if (const auto fault = version_fault(version, form_))
      faults_.add(span_of(source_, line.begin + 2, line.begin + first_words.size() + version.size()), *fault);
  }

  // The last line of a binary table's head: `# end`, blanks, and the line end.
  void read_end(const Line& line) {
    const std::size_t after = text_.find_first_not_of(' ', line.begin + head_end.size());
    if (after == line.next - 1 && text_[after] == '\n') return;
    faults_.add(span_of(source_, line.begin, line.end),
                fmt::format("the head's last line is `{}` and then blanks only", head_end));
  }

  // Takes the line's value, if it is one of the three, or adds to the one before; other comment lines pass.
  void read_line(const Line& line) {
    const std::size_t valid = line.begin + valid_utf8(content(line));
    if (valid < line.end) return faults_.add(span_of(source_, valid, valid + 1), "this byte is not UTF-8");
    if (last_ && content(line).starts_with(goes_on)) {
      values_[*last_]->text += content(line).substr(goes_on.size());
      values_[*last_]->verbatim = false;
      return;
    }
    last_.reset();
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (!content(line).starts_with(keys[i])) continue;
      const std::size_t begin = std::min(text_.find_first_not_of(' ', line.begin + keys[i].size()), line.end);
      const Span span = span_of(source_, begin, line.end);
      if (values_[i]) return faults_.add(span, fmt::format("a second line `{}`", keys[i]));
      values_[i] = QuotedNotation{std::string(text_.substr(begin, line.end - begin)), span};
      last_ = i;
    }
  }

  std::string_view text_;
  std::uint32_t source_;
  const TableInput& input_;
  HeadOf form_;
  TableFaults faults_;
  std::array<std::optional<QuotedNotation>, 3> values_;
  std::optional<std::size_t> last_;  // of these, that of the line before
};

}  // namespace

Line line_at(std::string_view text, std::size_t begin) {
  const std::size_t newline = text.find('\n', begin);
  if (newline == text.npos) return {begin, text.size(), text.size()};
  const bool carriage_return = newline > begin && text[newline - 1] == '\r';
  return {begin, carriage_return ? newline - 1 : newline, newline + 1};
}

std::optional<std::string> version_fault(std::string_view version, HeadOf form) {
  if (version == "1" || (version == "2" && form == HeadOf::binary)) return std::nullopt;
  return fmt::format("quadrille-table {}; this program reads version {}", version,
                     form == HeadOf::binary ? "1 and 2" : "1");
}

std::optional<std::string_view> binary_version_in(std::string_view text) {
  const Line line = line_at(text, 0);
  std::string_view version = text.substr(0, line.end);
  if (!version.starts_with(first_words) || !version.ends_with(binary_word)) return std::nullopt;
  version.remove_prefix(first_words.size());
  if (version.size() < binary_word.size()) return std::nullopt;
  version.remove_suffix(binary_word.size());
  return version;
}

Diagnostic not_read(const std::string& name, Reason reason) {
  const bool late = reason == Reason::timeout;
  const bool large = reason == Reason::limit;
  return error_at({},
                  fmt::format("{}: {}", name,
                              late    ? "the table has not been read when the time was up"
                              : large ? "the table's rows need more memory than the limit"
                                      : "the reading was cancelled"),
                  code_of(reason));
}

Result<TableHead> bind_head(const HeadWords& words, Span missing, std::string_view form, const TableInput& input) {
  const auto& [fabric, collective, schedule] = words;
  TableFaults faults;
  if (!fabric)
    faults.add(missing,
               fmt::format("the table names no fabric: {} is missing", fmt::format(fmt::runtime(form), "fabric")));
  if (!collective)
    faults.add(missing, fmt::format("the table names no collective: {} is missing",
                                    fmt::format(fmt::runtime(form), "collective")));
  if (faults.any()) return faults.all();
  auto bound = parse_fabric(Source{"", fabric->text}, fabric->span.source, {}, input.families, input.limits);
  if (!bound) return placed(bound.diagnostics(), *fabric);
  auto meant =
      parse_collective(Source{"", collective->text}, collective->span.source, bound->processors(), input.families);
  if (!meant) return placed(meant.diagnostics(), *collective);
  return TableHead{*bound, *meant, printable(schedule)};
}

std::uint64_t memory_beside(const TableHead& head, const Limits& limits) {
  return limits.memory - std::min(limits.memory, head.fabric.memory());
}

Result<TableHead> read_head(const TableInput& input, HeadOf form) { return HeadReader(input, form).read(); }

std::string schedule_line(const SendTable& table) {
  std::string line = table.schedule;
  const auto breaks = [](char c) { return c == '\n' || c == '\r'; };
  std::replace_if(line.begin(), line.end(), breaks, ' ');
  return line;
}

std::string head_text(const SendTable& table, HeadOf form) {
  const bool binary = form == HeadOf::binary;
  return fmt::format("{}{}{}\n# fabric: {}\n# collective: {}\n# schedule: {}\n", first_words,
                     binary ? binary_version : table_version, binary ? binary_word : "",
                     in_lines(table.fabric.notation(), goes_on), in_lines(table.collective.notation(), goes_on),
                     schedule_line(table));
}

}  // namespace quadrille
