// Rows as columns of numbers, and the lists of names that the numbers stand for (PAGE.md).
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "driver/look/listed_rows.h"
#include "driver/look/located_rows.h"
#include "model/send_table.h"
#include "model/text/source.h"

namespace quadrille::pages {

// Places in texts, numbered in the order in which they come.
class NumberedPlaces {
 public:
  std::int64_t of(Span span);
  const std::vector<Span>& in_order() const { return places_; }

 private:
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> known_;  // by source and beginning
  std::vector<Span> places_;
};

class RowColumns {
 public:
  // Both outlive it.
  RowColumns(const SendTable& table, const Sources& sources) : table_(table), lines_(sources) {}

  void add(const driver::ListedRow& row);
  nlohmann::ordered_json finished();

 private:
  void add_values(const RowOrigin& origin, std::int64_t place);
  nlohmann::ordered_json values() const;
  nlohmann::ordered_json places(const NumberedPlaces& places);

  const SendTable& table_;
  driver::WrittenLines lines_;
  std::vector<std::int64_t> step_, channel_, lane_, chunk_, place_, phase_, message_;
  std::vector<std::int64_t> values_;    // of all rows, one after another
  std::vector<std::size_t> value_end_;  // by row
  std::unordered_map<ChunkId, std::int64_t> chunk_numbers_;
  std::vector<ChunkId> chunks_;
  NumberedPlaces places_;
  NumberedPlaces phases_;
  std::vector<std::vector<std::string>> variables_;  // by place
};

}  // namespace quadrille::pages
