// Send tables in and out: CSV, JSON and the binary form. TABLE_FORMAT.md says what each is, byte by byte.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "model/result.h"
#include "model/send_table.h"

namespace quadrille {

enum class TableFormat : std::uint8_t { csv, json, binary };

std::optional<TableFormat> table_format_named(std::string_view name);

// Takes the next piece of output; false stops the writing (the disk is full, say).
using Sink = std::function<bool(std::string_view)>;

// Writes the table in pieces; rows sorted by step, from, to, lane. False if the sink stopped it.
bool write_table(const SendTable& table, TableFormat format, const Sink& sink);

// The format of a text that begins so (its first line is enough); nothing if it is not a table. Also of what can be no
// schedule and seems to be meant for a table: reading that says what is wrong with it.
std::optional<TableFormat> recognise_table(std::string_view beginning);

// Reads a table of any of the three forms from memory. Every fault has its line and column (binary: its byte offset).
// Spans index `source_number`; `source.text` holds the bytes. Rows may break the model's rules (that is the checker's
// business) but name existing channels and packets.
Result<SendTable> read_table(const Source& source, std::uint32_t source_number);

// Reads a table from a file, mapping a binary one into memory instead of copying it. `name` is for messages. The
// sources list receives the text of CSV and JSON files.
Result<SendTable> load_table(const std::string& path, Sources& sources);

}  // namespace quadrille
