// Private to formats/: the lines of text that CSV and binary tables begin with, and the faults of a table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "formats/formats.h"
#include "model/families.h"
#include "model/send_table.h"
#include "model/text/byte_order_mark.h"
#include "model/text/result.h"

namespace quadrille {

inline constexpr std::uint64_t table_version = 1;      // of CSV and JSON
inline constexpr std::uint64_t binary_version = 2;     // version 1 is still read
inline constexpr std::string_view head_end = "# end";  // begins the last head line of a binary table

// The faults found in one table so far; only the first `most` are kept.
class TableFaults {
 public:
  static constexpr std::size_t most = 20;

  void add(Span span, std::string message, Code code = Code::syntax) {
    if (!full()) faults_.push_back(error_at(span, std::move(message), code));
  }
  void add(const Diagnostics& diagnostics) {
    for (const auto& it : diagnostics)
      if (!full()) faults_.push_back(it);
  }
  bool any() const { return !faults_.empty(); }
  bool full() const { return faults_.size() >= most; }
  const Diagnostics& all() const { return faults_; }

 private:
  Diagnostics faults_;
};

// A notation inside a table. `span` is where it stands; `verbatim`: the source has exactly `text` there.
struct QuotedNotation {
  std::string text;
  Span span;
  bool verbatim = true;
};

struct TableHead {
  Fabric fabric;
  Collective collective;
  std::string schedule;
  std::size_t size = 0;  // bytes up to the first line that is not of the head
};

// Whose head it is, where the two differ: a binary table's ends with `# end`, and may be of version 2.
enum class HeadOf : std::uint8_t { csv, binary };

// What a head says, as it is written.
struct HeadWords {
  std::optional<QuotedNotation> fabric = {};
  std::optional<QuotedNotation> collective = {};
  std::string schedule = {};
};

// The head that these words make, of what the input's families are, within its limits. `missing` says where an absent
// one is missed, `form` how it would be written: "a line
// `# {}: …`".
Result<TableHead> bind_head(const HeadWords& words, Span missing, std::string_view form, const TableInput& input);

// "quadrille-table 2; this program reads version 1", if the version is not one of its own.
std::optional<std::string> version_fault(std::string_view version, HeadOf form);

// The version that the first line of a binary table gives; nothing if that is none.
std::optional<std::string_view> binary_version_in(std::string_view text);

// Reads the lines that begin with `#` (CSV), or all lines to `# end` and with it (binary), from the start of the text.
Result<TableHead> read_head(const TableInput& input, HeadOf form);

// The first line and the three that name fabric, collective and schedule.
std::string head_text(const SendTable& table, HeadOf form);

// What a head's fabric leaves of the memory to the rows, in bytes.
std::uint64_t memory_beside(const TableHead& head, const Limits& limits);

// That the reading of a table was ended by its limits.
Diagnostic not_read(const std::string& name, Reason reason);

// The schedule's name in one line.
std::string schedule_line(const SendTable& table);

// A line of text without its end (\n or \r\n): bytes begin … end-1; the next line begins at `next`.
struct Line {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t next = 0;
};
Line line_at(std::string_view text, std::size_t begin);

inline Span span_of(std::uint32_t source, std::size_t begin, std::size_t end) {
  return {source, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

}  // namespace quadrille
