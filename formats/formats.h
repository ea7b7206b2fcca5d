// Formats of files that hold send tables: ours and, in time, other systems'. A format is a value; readers, writers and
// recognition go through a list of them, which a linked program extends:
//
//   FormatList formats = standard_formats();
//   formats.push_back({.name = "dot", .summary = "for Graphviz", .extensions = {"dot"}, .write = write_dot});
//   write_table(table, "dot", sink, formats);
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/families.h"
#include "model/limits/limits.h"
#include "model/send_table.h"
#include "model/text/result.h"

namespace quadrille {

// Takes the next piece of output; false stops the writing (the disk is full, say).
using Sink = std::function<bool(std::string_view)>;

// How a writing ended. Only what is whole is worth keeping.
struct Written {
  bool taken = true;  // the sink took all that it was given
  // Why the table's rows ended before the table (RowCursor::ended_early); unsupported: the form has no place for what
  // they say, and nothing has been written.
  Reason ended_early = Reason::none;
  explicit operator bool() const { return taken && ended_early == Reason::none; }
};

// Bytes that live as long as their owner; without one, as long as the call that gets them.
struct SharedBytes {
  std::shared_ptr<const void> owner = {};
  std::string_view bytes = {};
  // If there is one: that all bytes between two places have been read, and need not be kept at hand.
  std::function<void(std::size_t from, std::size_t to)> passed = {};
};

// What a format's reader gets.
struct TableInput {
  const Source& source;         // the file's name, and as much of it as is text (Format::text_size, text_when)
  std::uint32_t source_number;  // for spans
  SharedBytes file;             // all of it
  const Limits& limits;         // a reader that these end gives a diagnostic with their code
  const Families& families;     // what a fabric and a collective may be
};

// Whether a file is of a format, by its beginning. Where no format says `yes`, the first that says `perhaps` reads the
// file, and says what is wrong with it.
enum class Match : std::uint8_t { no, perhaps, yes };

// When a reader needs the text of a file in TableInput::source, as a copy beside the file itself.
enum class TextWhen : std::uint8_t {
  always,
  read_fails  // it reads TableInput::file; only messages show the text, so it is there only where a reading fails
};

struct Format {
  std::string name;                          // for --format; lower case
  std::string summary = {};                  // one line: what it is for
  std::vector<std::string> extensions = {};  // of files' names, without the dot; the first is the default
  // The file's first bytes, 4096 or all of them; empty: never recognised.
  std::function<Match(std::string_view beginning)> recognise = {};
  // How many of a file's first bytes are text that messages may show; empty: all.
  std::function<std::size_t(std::string_view bytes)> text_size = {};
  TextWhen text_when = TextWhen::always;
  std::function<Result<SendTable>(const TableInput&)> read = {};     // empty: only written
  std::function<Written(const SendTable&, const Sink&)> write = {};  // empty: only read
  bool partial_reductions = false;  // what rows say of words can be written; else it must not be left out
};

using FormatList = std::vector<Format>;

// csv, json and binary (formats/TABLE_FORMAT.md).
FormatList standard_formats();

// The format of that name, or of files with a path's extension (`out/table.json`); null if there is none. The pointer
// is into the list.
const Format* format_named(const FormatList& formats, std::string_view name);
const Format* format_of_path(const FormatList& formats, std::string_view path);

// The format of a file that begins so: the first that says yes, or else perhaps; null if it is none of them.
const Format* recognise_format(const FormatList& formats, std::string_view beginning);

}  // namespace quadrille
