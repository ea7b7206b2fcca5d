// Tables read slowly and strictly, as formats/TABLE_FORMAT.md says line by line, with no code of formats/.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "model/send_table.h"

namespace quadrille::reference {

// step, from, to, lane, origin, target, part; words, arrival: empty where the row says nothing of them.
using PageRow = std::array<std::string, 9>;

struct PageTable {
  std::string fabric;  // in canonical notation
  std::string collective;
  std::string schedule;
  std::vector<PageRow> rows;  // sorted
  bool operator==(const PageTable&) const = default;
};

// Nothing if the page does not allow these bytes.
std::optional<PageTable> read_by_page(const std::string& bytes);

// The same of a table that has been read otherwise.
PageTable page_table(const SendTable& table);

}  // namespace quadrille::reference
