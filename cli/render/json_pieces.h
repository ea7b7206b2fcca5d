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
#include "verifier/search.h"

namespace quadrille::cli {

using Json = nlohmann::ordered_json;

// {"file", "line", "column", "variables"}; null where the place is not known.
Json source_json(const RowOrigin& origin, const Sources& sources);

// The notation; or, where that holds a whole graph, an object with the graph and the rules.
Json fabric_json(const Fabric& fabric);

// {"whole", "algorithm", "bus"}: bytes, and bytes a second; null where none is counted (driver/inputs/bandwidth.h).
Json bandwidth_json(const Collective& collective, std::uint64_t size, std::optional<double> seconds);

// The bound's steps; null where no number of steps is enough.
Json steps_json(const Bound& bound);

// No schedule takes fewer steps; null where none exists at all.
Json lower_bound_json(const SearchResult& result);

// {"start", "hop", "byte", "overhead"}, in seconds.
Json costs_json(const driver::Costs& costs);

// "7/2"; null where there is none.
Json fraction_json(const std::optional<Fraction>& fraction);

// Why there is no answer; null where there is one.
Json reason_json(Reason reason);

// What reports about a table begin with.
Json heading_json(const SendTable& table, Verdict verdict, std::uint64_t steps, const Bound& bound);

// {"code", "file", "line", "column", "message", "notes"} for each.
Json diagnostics_json(const Diagnostics& diagnostics, const Sources& sources);

// As it is printed. Bytes that are not UTF-8 (of a file's name, say) are replaced.
std::string json_text(const Json& json);
// The same in one line, without its end.
std::string json_line(const Json& json);

}  // namespace quadrille::cli
