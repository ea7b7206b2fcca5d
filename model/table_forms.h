// Private to the table_*.cpp files: each form's reader and writer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "model/result.h"
#include "model/send_table.h"
#include "model/table_io.h"

namespace quadrille {

// Bytes, aligned to 16, that live as long as their owner.
struct SharedBytes {
  std::shared_ptr<const void> owner;
  std::string_view bytes;
};

bool write_csv(const SendTable& table, const Sink& sink);
bool write_json(const SendTable& table, const Sink& sink);
bool write_binary(const SendTable& table, const Sink& sink);

Result<SendTable> read_csv(const Source& source, std::uint32_t source_number);
Result<SendTable> read_json(const Source& source, std::uint32_t source_number);

// The bytes of a binary table's head; all of them, if the head does not end.
std::size_t binary_head_size(std::string_view bytes);

// The table in these bytes, used in place. `head` holds at least its head, under the file's name.
Result<SendTable> read_binary(SharedBytes file, const Source& head, std::uint32_t source_number);

}  // namespace quadrille
