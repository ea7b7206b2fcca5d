// Send tables in and out, in any format of a list.
//
//   Sources sources;
//   const Result<SendTable> table = load_table("table.csv", sources);
//   if (!table) …render(table.diagnostics(), sources)…
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "formats/formats.h"
#include "model/limits/limits.h"
#include "model/send_table.h"
#include "model/standard_families.h"
#include "model/text/result.h"

namespace quadrille {

struct ReadOptions {
  FormatList formats = standard_formats();
  const Families* families = &standard_families();  // must live as long as the table
  Limits limits = {};  // a table whose reading takes more is refused, with the limit's code
};

// So many of a file's first bytes tell its format.
inline constexpr std::size_t enough_to_recognise = 4096;

// Whether a file that begins so is meant for a table, well written or not, and not for a schedule.
bool is_table(std::string_view beginning, const FormatList& formats = standard_formats());

// Writes the table in pieces; rows sorted by step, from, to, lane. Requires a format of that name that can be written.
Written write_table(const SendTable& table, std::string_view format, const Sink& sink,
                    const FormatList& formats = standard_formats());

// Reads a table from memory. Every fault has its line and column (binary: its byte offset). Spans index
// `source_number`; `source.text` holds the bytes. Rows may break the model's rules (that is the checker's business) but
// name existing channels and packets.
Result<SendTable> read_table(const Source& source, std::uint32_t source_number, const ReadOptions& options = {});

// Reads a table from a file, mapping it into memory; a binary one is used there. `path` is for messages, too. The
// sources list receives as much of the file as is text.
Result<SendTable> load_table(const std::string& path, Sources& sources, const ReadOptions& options = {});

}  // namespace quadrille
