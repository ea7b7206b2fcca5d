// Formats describe files that hold send tables. A format is a value; readers, writers and recognition go through a list
// of formats, which a linked program may extend.
//
// For: tables as files (CSV, JSON, binary, SCCL's).
// Face: this header (the list), formats/table_io.h.
// Keeps: a table that is written is read again as the same table; any bytes give a table, or a message with its place.
// Read first: formats/TABLE_FORMAT.md, formats/csv.cpp.
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

// How writing a table ended. A file is worth keeping only if it is whole.
struct Written {
  bool taken = true;  // the sink took all that it was given
  // Why the table's rows ended before the table (RowCursor::ended_early). `unsupported` means that the format cannot
  // express something that the rows say, and that nothing has been written.
  Reason ended_early = Reason::none;
  explicit operator bool() const { return taken && ended_early == Reason::none; }
};

// Bytes that live as long as their owner. Without an owner they live as long as the call that receives them.
struct SharedBytes {
  std::shared_ptr<const void> owner = {};
  std::string_view bytes = {};
  // The reader calls this, if it is set, when it has read all bytes between two offsets and needs them no more.
  std::function<void(std::size_t from, std::size_t to)> passed = {};
};

// The input of a format's reader.
struct TableInput {
  const Source& source;         // the file's name, and as much of it as is text (Format::text_size, text_when)
  std::uint32_t source_number;  // for spans
  SharedBytes file;             // all of it
  const Limits& limits;         // a reader that these end gives a diagnostic with their code
  const Families& families;     // what a fabric and a collective may be
};

// A format's guess, from a file's beginning, whether the file is of this format. Where no format answers `yes`, the
// first that answers `perhaps` reads the file and reports what is wrong with it.
enum class Match : std::uint8_t { no, perhaps, yes };

// When a reader needs the text of a file in TableInput::source, as a copy beside the file itself.
enum class TextWhen : std::uint8_t {
  always,
  read_fails  // the reader uses TableInput::file alone; the text is there for messages, only where reading has failed
};

struct Format {
  std::string name;                          // for --format; lower case
  std::string summary = {};                  // one line: what it is for
  std::vector<std::string> extensions = {};  // of files' names, without the dot; the first is the default
  // Guesses from the file's first bytes (4096, or all of a shorter file); empty: the format is never recognised.
  std::function<Match(std::string_view beginning)> recognise = {};
  // Returns how many of a file's first bytes are text that messages may show; empty: all of them.
  std::function<std::size_t(std::string_view bytes)> text_size = {};
  TextWhen text_when = TextWhen::always;
  std::function<Result<SendTable>(const TableInput&)> read = {};     // empty: only written
  std::function<Written(const SendTable&, const Sink&)> write = {};  // empty: only read
  bool partial_reductions =
      false;  // the format can write what rows say of partial reductions; a writer may not silently drop it
};

using FormatList = std::vector<Format>;

// csv, json and binary (formats/TABLE_FORMAT.md).
FormatList standard_formats();

// These return the format of that name, or of files with a path's extension (`out/table.json`); null if there is none.
// The pointer points into the list.
const Format* format_named(const FormatList& formats, std::string_view name);
const Format* format_of_path(const FormatList& formats, std::string_view path);

// Returns the format of a file that begins so: the first that answers yes, or else the first that answers perhaps; null
// if all answer no.
const Format* recognise_format(const FormatList& formats, std::string_view beginning);

}  // namespace quadrille
