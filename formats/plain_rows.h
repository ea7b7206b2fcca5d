// Private to formats/: rows as our writers write them, read fast. Whatever is written otherwise is left to the readers
// proper, which understand all that TABLE_FORMAT.md allows and say what is wrong with the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "formats/rows.h"
#include "model/collective.h"
#include "model/fabric.h"
#include "model/send_table.h"

namespace quadrille {

// A short text as one number: its bytes, and zeros before them. Requires 8 readable bytes that end where it does.
inline std::uint64_t short_text(const char* begin, const char* end) {
  std::uint64_t bytes;
  std::memcpy(&bytes, end - sizeof(bytes), sizeof(bytes));
  const auto before = static_cast<unsigned>(8 * (sizeof(bytes) - static_cast<std::size_t>(end - begin)));
  return before == 64 ? 0 : bytes >> before << before;
}

// Channels by the names of their ends.
class ChannelsByName {
 public:
  explicit ChannelsByName(const Fabric& fabric);

  // Null if there is none, or a name is longer than 8 bytes. Valid until the next call. Requires 8 readable bytes
  // before each name's end.
  const ChannelId* find(std::string_view from, std::string_view to);

 private:
  struct Entry {
    std::uint64_t from = 0;  // 0: it holds none
    std::uint64_t to = 0;
    ChannelId channel;
  };
  const ChannelId* look_up(std::string_view from, std::string_view to, Entry entry, Entry* places) const;

  static constexpr std::size_t places_each = 4;  // where a channel may be

  const Fabric& fabric_;
  std::vector<Entry> entries_;  // the last few asked for
};

// A row with its message; 0 if it has none.
struct PlainRow {
  StoredRows::StepRow row;
  MessageId message;
};

class PlainRows {
 public:
  PlainRows(const Fabric& fabric, const Collective& collective) : collective_(collective), channels_(fabric) {}

  // The row of CSV that begins at `at`, and where the next one does; null, and `row` is anybody's guess, if it is not
  // a plain one of so many fields with its line end. Requires 8 readable bytes before `at`.
  const char* csv(const char* at, const char* end, std::size_t fields, PlainRow& row);

  // The same of JSON, from the bracket that opens the row to behind the one that closes it.
  const char* json(const char* at, const char* end, std::size_t fields, PlainRow& row);

 private:
  // The numbers that are no name's: of step, lane, origin, target, part, message.
  struct Numbers {
    std::uint32_t step = 0;
    std::uint32_t lane = 0;
    ChunkName packet;
    std::uint32_t message = 0;
  };
  // A number that is often that of the row before: its text, as short_text() has it, and what it says.
  struct Repeated {
    std::uint64_t text = 0;  // no number's
    std::uint32_t number = 0;
    bool read(const char* begin, const char* end, std::uint32_t& result);
  };
  template <std::size_t fields>
  const char* csv_of(const char* at, const char* end, PlainRow& row);
  bool make(std::string_view from, std::string_view to, const Numbers& numbers, PlainRow& row);

  const Collective& collective_;
  ChannelsByName channels_;
  Repeated step_, lane_, part_, message_;
};

}  // namespace quadrille
