#include "driver/files/best_index.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace quadrille::driver {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format_name = "quadrille-best";
constexpr int format_version = 1;

bool is_in_the_folder(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos;
}

IndexedRange range_of(const Json& json) {
  IndexedRange range;
  range.above = json.at("above").get<std::uint64_t>();
  if (!json.at("up_to").is_null()) range.up_to = json.at("up_to").get<std::uint64_t>();
  range.name = json.at("name").get<std::string>();
  range.table = json.at("table").get<std::string>();
  if (!json.at("schedule").is_null()) range.schedule = json.at("schedule").get<std::string>();
  return range;
}

Result<BestIndex> wrong(std::string_view why) {
  return error_at({}, fmt::format("{}: {}", best_index_name, why), Code::invalid);
}

// What is wrong with the ranges; empty if nothing is.
std::string_view wrong_with(const std::vector<IndexedRange>& ranges) {
  if (ranges.empty() || ranges.front().above != 0 || ranges.back().up_to) return "expected ranges from 0 to no end";
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const IndexedRange& it = ranges[i];
    if (!is_in_the_folder(it.table)) return "expected the name of a table in the folder";
    if (!it.schedule.empty() && !is_in_the_folder(it.schedule)) return "expected the name of a schedule in the folder";
    if (i + 1 == ranges.size()) break;
    if (!it.up_to || *it.up_to <= it.above || ranges[i + 1].above != *it.up_to)
      return "expected each range to begin where the one before ends";
  }
  return {};
}

}  // namespace

std::string best_index_text(const BestIndex& index) {
  Json json{{"format", format_name},
            {"version", format_version},
            {"collective", index.collective},
            {"on", index.on},
            {"ranges", Json::array()}};
  for (const IndexedRange& it : index.ranges) {
    json["ranges"].push_back({{"above", it.above},
                              {"up_to", it.up_to ? Json(*it.up_to) : Json()},
                              {"name", it.name},
                              {"table", it.table},
                              {"schedule", it.schedule.empty() ? Json() : Json(it.schedule)}});
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<BestIndex> read_best_index(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || json.value("format", Json()) != format_name)
    return wrong("expected an index as `quadrille compare -o FOLDER` writes it");
  if (json.value("version", Json()) != format_version) return wrong("expected version 1");
  BestIndex index;
  try {
    index.collective = json.at("collective").get<std::string>();
    index.on = json.at("on").get<std::string>();
    for (const Json& range : json.at("ranges")) index.ranges.push_back(range_of(range));
  } catch (const Json::exception&) {
    return wrong(
        "expected \"collective\", \"on\", and \"ranges\" of \"above\", \"up_to\", \"name\", \"table\", \"schedule\"");
  }
  if (const std::string_view why = wrong_with(index.ranges); !why.empty()) return wrong(why);
  return index;
}

}  // namespace quadrille::driver
