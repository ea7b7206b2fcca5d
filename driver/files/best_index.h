// best.json lists the tables of a folder by the sizes of messages for which they are best.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/text/result.h"

namespace quadrille::driver {

constexpr const char* best_index_name = "best.json";

struct IndexedRange {
  std::uint64_t above = 0;  // bytes of a message
  std::optional<std::uint64_t> up_to = {};
  std::string name;      // "allreduce_ring N=8 --retime"
  std::string table;     // a file's name in the folder
  std::string schedule;  // likewise; empty: there is none
};

struct BestIndex {
  std::string collective;  // its notation
  std::string on;          // the fabric's title
  std::vector<IndexedRange> ranges;
};

// {"format": "quadrille-best", "version": 1, "collective", "on", "ranges": [{"above", "up_to", "name", "table",
// "schedule"}]}; null where there is no end, or no schedule.
std::string best_index_text(const BestIndex& index);

// An error: it is no such text, its version is unknown, a file's name leads out of the folder, or the ranges do not
// follow one another.
Result<BestIndex> read_best_index(const std::string& text);

}  // namespace quadrille::driver
