// Pieces of JSON that reports are made of.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "driver/inputs/costs.h"
#include "model/limits/limits.h"
#include "model/send_table.h"
#include "model/terms/fraction.h"
#include "model/text/diagnostic.h"
#include "model/text/source.h"
#include "model/verdict.h"
#include "verifier/bounds.h"

namespace quadrille::cli {

using Json = nlohmann::ordered_json;

// {"file", "line", "column", "variables"}; null where the place is not known.
Json source_json(const RowOrigin& origin, const Sources& sources);

// The notation; or, where that holds a whole graph, an object with the graph and the rules.
Json fabric_json(const Fabric& fabric);

// {"whole", "algorithm", "bus"}: bytes, and bytes a second; null where none is counted (driver/inputs/bandwidth.h).
Json bandwidth_json(const Collective& collective, std::uint64_t size, std::optional<double> seconds);

// The value; null where there is none.
template <class Value>
Json value_or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

// {"start", "hop", "byte", "overhead"}, in seconds.
Json costs_json(const driver::Costs& costs);

// "7/2"; null where there is none.
Json fraction_json(const std::optional<Fraction>& fraction);

// Why there is no answer; null where there is one.
Json reason_json(Reason reason);

// The head of a report about a table: a check or a replay.
Json heading_json(const SendTable& table, Verdict verdict, std::uint64_t steps, const Bound& bound);

// Puts in how much a table sends; in rounds, by what they cost, and what they cost at least. `outcome` has the bound.
template <class Measured, class Outcome>
void add_measures(Json& json, const Measured& measured, const Outcome& outcome) {
  json["messages"] = measured.messages;
  json["rows"] = measured.rows;
  if (!measured.volume) return;
  json["rounds"] = measured.steps;
  json["volume"] = *measured.volume;
  json["load"] = fraction_json(measured.load);
  json["hops"] = *measured.hops;
  json["volume_lower_bound"] = value_or_null(outcome.volume_bound->steps);
  json["volume_lower_bound_reason"] = outcome.volume_bound->reason;
}

// The times of a table for the sizes of an outcome: {"size", "seconds", "bandwidth"} for each.
template <class Outcome>
Json times_json(const Outcome& outcome) {
  Json times = Json::array();
  for (std::size_t i = 0; i < outcome.sizes.size(); ++i) {
    times.push_back({{"size", outcome.sizes[i]},
                     {"seconds", value_or_null(outcome.times[i])},
                     {"bandwidth", bandwidth_json(outcome.table.collective, outcome.sizes[i], outcome.times[i])}});
  }
  return times;
}

// {"code", "file", "line", "column", "message", "notes"} for each.
Json diagnostics_json(const Diagnostics& diagnostics, const Sources& sources);

// As it is printed. Bytes that are not UTF-8 (of a file's name, say) are replaced.
std::string json_text(const Json& json);
// The same in one line, without its end.
std::string json_line(const Json& json);

}  // namespace quadrille::cli
